import ListKit

/// Overwrites a date in place: the form of `1984-05-27` stays, digits replace digits, and `+` and
/// `-` step the part under the cursor.
@MainActor
enum DateEditor {
  static func handle(_ key: KeyPress, editor: inout LineEditor, picker: UIDatePicker) -> Bool {
    if editor.after.isEmpty { editor.move(to: editor.text.count - 1) }
    switch key {
    case .plain(.left): editor.moveLeft()
    case .plain(.right): if editor.after.count > 1 { editor.moveRight() }
    case .plain(.home): editor.moveToStart()
    case .plain(.end): editor.move(to: editor.text.count - 1)
    case .plain(.backspace): editor.moveLeft()
    case .character("+"), .character("="): step(1, editor: &editor, picker: picker)
    case .character("-"): step(-1, editor: &editor, picker: picker)
    default:
      guard let digit = key.typed else { return false }
      if digit.isASCII, digit.isNumber { type(digit, editor: &editor) }
    }
    return true
  }

  private static func type(_ digit: Character, editor: inout LineEditor) {
    if editor.after.first?.isNumber == false { editor.moveRight() }
    var text = Array(editor.text)
    let place = editor.before.count
    guard text.indices.contains(place) else { return }
    text[place] = digit
    replace(&editor, text: String(text), place: place + 1)
    if editor.after.first?.isNumber == false { editor.moveRight() }
  }

  /// Steps the part under the cursor. A step that does not give a valid date, such as to a
  /// thirteenth month, is ignored.
  private static func step(_ step: Int, editor: inout LineEditor, picker: UIDatePicker) {
    let characters = Array(editor.text)
    let place = editor.before.count
    guard characters.indices.contains(place), characters[place].isNumber else { return }
    let start = characters[..<place].lastIndex { !$0.isNumber }.map { $0 + 1 } ?? 0
    let end = characters[place...].firstIndex { !$0.isNumber } ?? characters.count
    guard let value = Int(String(characters[start..<end])) else { return }
    let digits = String(max(0, value + step))
    let padded = String(repeating: "0", count: max(0, end - start - digits.count)) + digits
    guard padded.count == end - start else { return }
    let text = String(characters[..<start]) + padded + String(characters[end...])
    if picker.receive(text) { replace(&editor, text: picker.dateText, place: place) }
  }

  private static func replace(_ editor: inout LineEditor, text: String, place: Int) {
    editor.replace(with: text)
    editor.move(to: min(place, text.count - 1))
  }
}
