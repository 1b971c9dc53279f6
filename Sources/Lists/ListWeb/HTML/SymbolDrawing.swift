/// Draws the symbols of swipe actions, as lines in a square of 24 points.
enum SymbolDrawing {
  private static let paths = [
    "trash": "M4 6.5h16M9.5 6.5v-2.5h5v2.5M6 6.5l1 13.5h10l1-13.5M10 10.5v6M14 10.5v6",
    "folder": "M3 6h6l2 2.5h10v11h-18z",
    "tag": "M3.5 3.5h8l9 9-8 8-9-9zM7.5 7.5h.01",
    "pencil": "M4 20l1-5 11-11 4 4-11 11z",
    "checkmark": "M5 12.5l5 5 9-11",
    "flag": "M6 21v-17h12l-3 4 3 4h-12",
    "star": "M12 3.5l2.6 5.6 6 .7-4.5 4.1 1.3 6-5.4-3.1-5.4 3.1 1.3-6-4.5-4.1 6-.7z",
    "ellipsis": "M5 12h.01M12 12h.01M19 12h.01",
    "square.and.arrow.up": "M12 15v-11M8 7.5l4-4 4 4M7 11h-2v9h14v-9h-2",
  ]

  /// nil for a symbol that has no drawing.
  static func markup(_ symbol: String) -> HTML? {
    paths[symbol].map {
      """
      <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="\($0)"/></svg>
      """
    }
  }
}
