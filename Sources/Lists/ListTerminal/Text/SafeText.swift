/// A character as it is drawn, and its width in columns, at least one.
struct Glyph: Equatable, Sendable {
  let text: String
  let width: Int
}

/// Makes text of unknown origin safe for a terminal: it cannot control the terminal or break a
/// line.
///
/// Control characters, and thereby escape sequences, are drawn as symbols. Bidirectional controls,
/// which would reorder the line around the text, and zero-width characters are removed. Excessive
/// marks on a letter are cut.
enum SafeText {
  /// The glyphs of a text.
  ///
  /// - Parameter columns: the number of columns needed; at most one glyph beyond them is returned.
  static func glyphs(_ text: String, columns: Int = .max) -> [Glyph] {
    var glyphs: [Glyph] = []
    var used = 0
    for character in text {
      guard let glyph = glyph(character) else { continue }
      glyphs.append(glyph)
      used += glyph.width
      if used > columns { break }
    }
    return glyphs
  }

  /// The text on one line, as plain mode prints it.
  static func line(_ text: String) -> String {
    text.reduce(into: "") { line, character in line += glyph(character)?.text ?? "" }
  }

  private static func glyph(_ character: Character) -> Glyph? {
    if let value = character.asciiValue, character != "\r\n" {
      if (0x20..<0x7F).contains(value) { return Glyph(text: String(character), width: 1) }
      return control(UInt32(value))
    }
    let scalars = character.unicodeScalars
    if let first = scalars.first, first.properties.generalCategory == .control {
      return control(first.value)
    }
    // Removed characters may be anywhere in a cluster.
    let kept = scalars.lazy.filter { !isLeftOut($0) }.prefix(mostScalars)
    let safe = Character(checking: kept)
    guard let safe else { return nil }
    let width = DisplayWidth.columns(of: safe)
    return width == 0 ? nil : Glyph(text: String(safe), width: width)
  }

  /// A blank for white space, the symbol of the character for other controls.
  private static func control(_ value: UInt32) -> Glyph {
    switch value {
    case 0x09, 0x0A, 0x0D: Glyph(text: " ", width: 1)
    case 0x00..<0x20: Glyph(text: String(Unicode.Scalar(0x2400 + value) ?? "?"), width: 1)
    case 0x7F: Glyph(text: "\u{2421}", width: 1)
    default: Glyph(text: "\u{FFFD}", width: 1)
    }
  }

  private static let mostScalars = 10

  /// Whether a scalar is removed: embeddings, overrides, isolates and direction marks; line and
  /// paragraph separators; zero-width blanks; tags, which hide text.
  private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

extension Character {
  /// The first character of the scalars; `nil` without any.
  fileprivate init?(checking scalars: some Sequence<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let string = String(text)
    guard let first = string.first else { return nil }
    self = first
  }
}
