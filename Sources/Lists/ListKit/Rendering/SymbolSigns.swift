/// Characters for the most frequent symbols of rows, buttons and tabs. There is none for others,
/// whose titles must be sufficient.
package enum SymbolSigns {
  private static let signs = [
    "checkmark": "✓", "checkmark.circle": "✓", "checkmark.circle.fill": "✔", "circle": "○",
    "circle.fill": "●", "star": "☆", "star.fill": "★", "heart": "♡", "heart.fill": "♥",
    "plus": "+", "plus.circle": "⊕", "minus": "−", "xmark": "✕", "trash": "🗑", "pencil": "✎",
    "folder": "🗀", "doc": "🗎", "tray": "🗃", "calendar": "🗓", "clock": "🕓", "bell": "🔔",
    "person": "👤", "person.2": "👥", "book": "📖", "tag": "🏷", "flag": "⚑", "flag.fill": "⚑",
    "pin": "📌", "magnifyingglass": "🔍", "gear": "⚙", "house": "⌂", "envelope": "✉",
    "phone": "☎", "cart": "🛒", "arrow.up": "↑", "arrow.down": "↓", "arrow.clockwise": "↻",
    "info.circle": "ⓘ", "exclamationmark.triangle": "⚠", "questionmark.circle": "?",
    "list.bullet": "☰", "square.grid.2x2": "▦", "ellipsis": "…", "square.and.arrow.up": "⇪",
  ]

  package static func sign(of symbol: String) -> String? { signs[symbol] }
}
