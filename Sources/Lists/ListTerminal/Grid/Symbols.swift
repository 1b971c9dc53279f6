/// The symbols of the screen: in UTF-8, or in ASCII if the locale has no more.
struct Symbols: Sendable, Equatable {
  let isUnicode: Bool

  var ellipsis: String { isUnicode ? "…" : "~" }
  var back: String { isUnicode ? "‹" : "<" }
  var disclosure: String { isUnicode ? "›" : ">" }
  var check: String { isUnicode ? "✓" : "*" }
  var information: String { isUnicode ? "ⓘ" : "i" }
  var cursor: String { isUnicode ? "▌" : ">" }
  var grip: String { isUnicode ? "⠿" : ":" }
  var remove: String { isUnicode ? "⊖" : "-" }
  var chosen: String { isUnicode ? "◉" : "*" }
  var unchosen: String { isUnicode ? "○" : "o" }
  var plus: String { "+" }
  var undo: String { isUnicode ? "↺" : "<-" }
  var redo: String { isUnicode ? "↻" : "->" }
  var line: String { isUnicode ? "─" : "-" }
  var arrow: String { isUnicode ? "▸" : ">" }
  var closed: String { isUnicode ? "▸" : "+" }
  var open: String { isUnicode ? "▾" : "-" }
  var done: String { isUnicode ? "━" : "=" }
  var undone: String { isUnicode ? "─" : "-" }
  var knob: String { isUnicode ? "●" : "o" }
  var other: String { isUnicode ? "●" : "*" }
  var edited: String { isUnicode ? "✎" : "*" }
  var secret: String { isUnicode ? "•" : "*" }
  var frame: Frame {
    isUnicode
      ? Frame("╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─", vertical: "│")
      : Frame("+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|")
  }

  struct Frame: Sendable {
    let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

    init(
      _ topLeft: String, topRight: String, bottomLeft: String, bottomRight: String,
      horizontal: String, vertical: String
    ) {
      (self.topLeft, self.topRight) = (topLeft, topRight)
      (self.bottomLeft, self.bottomRight) = (bottomLeft, bottomRight)
      (self.horizontal, self.vertical) = (horizontal, vertical)
    }
  }

  /// The text that is written for a glyph of the application.
  func text(_ glyph: Glyph) -> String {
    if isUnicode || glyph.text.utf8.allSatisfy({ $0 < 0x80 }) { return glyph.text }
    return Self.ascii[glyph.text] ?? String(repeating: "?", count: glyph.width)
  }

  /// ASCII replacements for punctuation of English texts.
  private static let ascii = [
    "…": "~", "“": "\"", "”": "\"", "‘": "'", "’": "'", "–": "-", "—": "-", "·": ".", "‹": "<",
    "›": ">",
  ]
}
