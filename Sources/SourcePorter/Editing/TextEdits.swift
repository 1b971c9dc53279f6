/// Changes of a text, each of a range of its bytes, which are carried out together.
///
/// Every line end of the original survives, so that what follows keeps its line.
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

  /// Puts text before a byte, behind what has been put there already.
  mutating func insert(_ text: String, at place: Int) { replace(place..<place, with: text) }

  mutating func remove(_ range: Range<Int>) { replace(range, with: "") }

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(Edit(range: range, text: text, number: edits.count))
  }

  /// The text of a range after the edits that lie in it.
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

  /// What lies inside of a removed range goes with it.
  private var sorted: [Edit] {
    edits.sorted {
      if $0.range.lowerBound != $1.range.lowerBound {
        return $0.range.lowerBound < $1.range.lowerBound
      }
      // What is put before a place comes before what replaces it.
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
