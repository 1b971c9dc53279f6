/// Cutting and wrapping of text.
enum TextLayout {
  static func width(_ glyphs: some Sequence<Glyph>) -> Int { glyphs.reduce(0) { $0 + $1.width } }
  static func width(_ text: String) -> Int { width(SafeText.glyphs(text)) }

  /// The text in at most this many columns, cut with an ellipsis.
  static func truncated(_ text: String, to columns: Int, ellipsis: String = "…") -> [Glyph] {
    guard columns > 0 else { return [] }
    let glyphs = SafeText.glyphs(text, columns: columns)
    if width(glyphs) <= columns { return glyphs }
    var kept: [Glyph] = []
    var used = 0
    for glyph in glyphs {
      guard used + glyph.width <= columns - 1 else { break }
      kept.append(glyph)
      used += glyph.width
    }
    return kept + [Glyph(text: ellipsis, width: 1)]
  }

  /// The text in lines of at most this many columns, broken at blanks where possible.
  ///
  /// - Parameter most: the maximum number of lines; a longer text ends with an ellipsis.
  static func wrapped(_ text: String, to columns: Int, most: Int = .max) -> [String] {
    guard columns > 0, most > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += wrap(String(paragraph.prefix(columns * min(most, 200) * 2)), columns: columns)
      if lines.count > most {
        let rest = lines[(most - 1)...].joined(separator: " ") + "…"
        let last = truncated(rest, to: columns).map(\.text).joined()
        return lines.prefix(most - 1) + [last.hasSuffix("…") ? last : last + "…"]
      }
    }
    return lines
  }

  private static func wrap(_ paragraph: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line: [Glyph] = []
    var used = 0
    for glyph in SafeText.glyphs(paragraph) {
      if used + glyph.width > columns {
        let blank = line.lastIndex { $0.text == " " }
        let end = glyph.text == " " ? line.count : blank ?? line.count
        lines.append(line[..<end].map(\.text).joined())
        line = end < line.count ? Array(line[(end + 1)...]) : []
        used = width(line)
        if glyph.text == " ", line.isEmpty { continue }
      }
      line.append(glyph)
      used += glyph.width
    }
    return lines + [line.map(\.text).joined()]
  }
}
