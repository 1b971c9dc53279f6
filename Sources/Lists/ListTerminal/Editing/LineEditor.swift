import Foundation

/// The editor of one line of text: the text before and after the cursor, the last text cut, and
/// earlier states for undo.
struct LineEditor: Equatable, Sendable {
  private(set) var before = ""
  private(set) var after = ""
  private var cut = ""
  private var past: [State] = []
  private var future: [State] = []
  private var isTyping = false

  private struct State: Equatable {
    let before: String
    let after: String
  }

  /// The maximum number of states kept for undo.
  private static let mostStates = 200

  init(_ text: String = "") { before = text }

  var text: String { before + after }
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// Replaces the text by one from elsewhere, with the cursor at its end, and clears the undo
  /// stack.
  mutating func replace(with text: String) {
    let cut = cut
    self = LineEditor(text)
    self.cut = cut
  }

  // MARK: Typing

  mutating func insert(_ text: String) {
    let clean = text.unicodeScalars.map { $0 == "\t" ? " " : $0 }
      .filter { $0.properties.generalCategory != .control }
    guard !clean.isEmpty else { return }
    // Characters typed in a row are one step to undo.
    if !isTyping || clean.count > 1 { remember() }
    isTyping = true
    before.unicodeScalars.append(contentsOf: clean)
  }

  mutating func deleteBackward() { change { _ = $0.before.popLast() } }

  mutating func deleteForward() { change { if !$0.after.isEmpty { $0.after.removeFirst() } } }

  mutating func cutToStart() { cut(before) { $0.before = "" } }

  mutating func cutToEnd() { cut(after) { $0.after = "" } }

  mutating func cutWordBackward() {
    let rest = before.dropLast(Self.wordLength(before.reversed()))
    cut(String(before.suffix(before.count - rest.count))) { $0.before = String(rest) }
  }

  mutating func cutWordForward() {
    let word = after.prefix(Self.wordLength(after))
    cut(String(word)) { $0.after = String($0.after.dropFirst(word.count)) }
  }

  mutating func yank() {
    let text = cut
    if !text.isEmpty { change { $0.before += text } }
  }

  // MARK: Moving

  mutating func moveLeft() { move(before.isEmpty ? 0 : -1) }
  mutating func moveRight() { move(after.isEmpty ? 0 : 1) }
  mutating func moveToStart() { move(-before.count) }
  mutating func moveToEnd() { move(after.count) }
  mutating func moveWordLeft() { move(-Self.wordLength(before.reversed())) }
  mutating func moveWordRight() { move(Self.wordLength(after)) }

  mutating func move(to index: Int) { move(max(0, min(index, text.count)) - before.count) }

  private mutating func move(_ distance: Int) {
    isTyping = false
    let all = text
    let place = all.index(all.startIndex, offsetBy: before.count + distance)
    before = String(all[..<place])
    after = String(all[place...])
  }

  // MARK: Undo

  /// Restores the state before the last change. Returns false without one.
  mutating func undo() -> Bool {
    guard let state = past.popLast() else { return false }
    future.append(State(before: before, after: after))
    (before, after, isTyping) = (state.before, state.after, false)
    return true
  }

  mutating func redo() -> Bool {
    guard let state = future.popLast() else { return false }
    past.append(State(before: before, after: after))
    (before, after, isTyping) = (state.before, state.after, false)
    return true
  }

  private mutating func remember() {
    past.append(State(before: before, after: after))
    if past.count > Self.mostStates { past.removeFirst() }
    future = []
  }

  private mutating func change(_ body: (inout Self) -> Void) {
    isTyping = false
    let old = State(before: before, after: after)
    body(&self)
    guard old != State(before: before, after: after) else { return }
    past.append(old)
    if past.count > Self.mostStates { past.removeFirst() }
    future = []
  }

  private mutating func cut(_ text: String, body: (inout Self) -> Void) {
    if text.isEmpty { return }
    cut = text
    change(body)
  }

  /// The length of a word: blanks and punctuation, then the letters and digits after them.
  private static func wordLength(_ text: some Sequence<Character>) -> Int {
    var length = 0
    var isInWord = false
    for character in text {
      let isPart = character.isLetter || character.isNumber
      if isInWord, !isPart { break }
      isInWord = isPart
      length += 1
    }
    return length
  }
}
