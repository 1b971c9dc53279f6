/// Replacements of byte ranges of a text, applied together.
///
/// Every line end of the original survives, so that the text after an edit keeps its line.
struct TextEdits {
  private struct Edit {
    let range: Range<Int>
    let text: String
    let number: Int
  }

  let original: [UInt8]
  private var edits: [Edit] = []

  init(_ original: [UInt8]) { self.original = original }

  var isEmpty: Bool { edits.isEmpty }

  /// Inserts text before a byte, after earlier insertions there.
  mutating func insert(_ text: String, at place: Int) { replace(place..<place, with: text) }

  mutating func remove(_ range: Range<Int>) { replace(range, with: "") }

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(Edit(range: range, text: text, number: edits.count))
  }

  /// The text of a range with the edits inside it applied.
  func text(of range: Range<Int>, keepsLines: Bool = true) -> String {
    var result: [UInt8] = []
    var place = range.lowerBound
    for edit in sorted
    where edit.range.lowerBound >= place && edit.range.upperBound <= range.upperBound {
      result += original[place..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      if keepsLines { result += lineEnds(lostBy: edit) }
      place = edit.range.upperBound
    }
    result += original[place..<range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }

  /// The edits by position. Edits inside a removed range are skipped by `text(of:keepsLines:)`.
  private var sorted: [Edit] {
    edits.sorted {
      if $0.range.lowerBound != $1.range.lowerBound {
        return $0.range.lowerBound < $1.range.lowerBound
      }
      // Insertions at a position precede a replacement that starts there.
      if $0.range.isEmpty != $1.range.isEmpty { return $0.range.isEmpty }
      return $0.number < $1.number
    }
  }

  private func lineEnds(lostBy edit: Edit) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let before = original[edit.range].count { $0 == newline }
    let after = edit.text.utf8.count { $0 == newline }
    return Array(repeating: newline, count: max(0, before - after))
  }
}
