/// A character as it is drawn, and the columns that it takes: at least one.
struct Glyph: Equatable, Sendable {
  let text: String
  let width: Int
}

/// Text of unknown origin for a terminal: nothing in it is obeyed, nothing in it breaks a line.
///
/// Control characters, escape sequences among them, are drawn as symbols. What would reorder the
/// line around it (bidirectional controls) or takes no place (zero-width characters) is left out,
/// and a pile of marks on one letter is cut.
enum SafeText {
  /// - Parameter columns: glyphs beyond so many columns are of no interest, except for the first.
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
    // What is left out may stand at any place of a cluster.
    let kept = scalars.lazy.filter { !isLeftOut($0) }.prefix(mostScalars)
    let safe = Character(checking: kept)
    guard let safe else { return nil }
    let width = DisplayWidth.columns(of: safe)
    return width == 0 ? nil : Glyph(text: String(safe), width: width)
  }

  /// Blanks for what separates, the control's picture for the rest.
  private static func control(_ value: UInt32) -> Glyph {
    switch value {
    case 0x09, 0x0A, 0x0D: Glyph(text: " ", width: 1)
    case 0x00..<0x20: Glyph(text: String(Unicode.Scalar(0x2400 + value) ?? "?"), width: 1)
    case 0x7F: Glyph(text: "\u{2421}", width: 1)
    default: Glyph(text: "\u{FFFD}", width: 1)
    }
  }

  private static let mostScalars = 10

  /// Embeddings, overrides, isolates and marks of direction; line and paragraph separators; blanks
  /// of no width; tags that hide text.
  private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

extension Character {
  /// `nil` unless the scalars are one character.
  fileprivate init?(checking scalars: some Sequence<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let string = String(text)
    guard let first = string.first else { return nil }
    self = first
  }
}
