import ListKit
import ListSnapshots

// The picture, the controls and the colours of a row.
extension RowPainter {
  /// Draws the picture and the controls before the title. Returns the column after them.
  func drawLeading(
    _ row: ListRow, content: RowContent, place: Rectangle, ground: Tone, start: Int
  ) -> Int {
    var x = start
    if session.symbols.isUnicode, let sign = content.image.flatMap(SymbolSigns.sign) {
      x =
        frame.canvas.write(sign, x: x, y: place.y, limit: place.right, style: Style.tint.on(ground))
        + 1
    }
    for (index, view) in row.cell.leadingControls.enumerated() {
      let pieces = session.pieces(of: view, isNamed: false)
      if pieces.isEmpty { continue }
      x = draw(pieces, of: index, in: row, x: x, y: place.y, limit: place.right, ground: ground) + 1
    }
    return x
  }

  /// Draws the controls after the title. Returns the column where they begin.
  func drawTrailingControls(
    _ row: ListRow, place: Rectangle, ground: Tone, start: Int, end: Int
  ) -> Int {
    let first = row.cell.leadingControls.count
    var end = end
    for (index, view) in row.cell.trailingControls.enumerated().reversed() {
      let pieces = session.pieces(of: view, isNamed: false)
      let width = pieces.reduce(0) { $0 + TextLayout.width($1.text) }
      // The title keeps at least 8 columns. A control without room can be operated through the
      // row's menu.
      guard width > 0, end - width - 8 >= start else { continue }
      _ = draw(
        pieces, of: first + index, in: row, x: end - width, y: place.y, limit: end, ground: ground)
      end -= width + 1
    }
    return end
  }

  private func draw(
    _ pieces: [ControlPiece], of control: Int, in row: ListRow, x: Int, y: Int, limit: Int,
    ground: Tone
  ) -> Int {
    var x = x
    for (index, piece) in pieces.enumerated() {
      let start = x
      x = frame.canvas.write(piece.text, x: x, y: y, limit: limit, style: piece.style.on(ground))
      if piece.press == nil { continue }
      let (table, id) = (table, row.id)
      frame.onPress(Rectangle(x: start, y: y, width: x - start, height: 1)) {
        [weak session] report in
        session?.pressControl(
          table, id: id, control: control, piece: index, column: report.x - start)
      }
    }
    return x
  }

  // MARK: Colours

  /// The tone that is closest to a colour of the application.
  func tone(_ color: String?) -> Tone {
    switch color {
    case "secondary", "tertiary", "gray": .muted
    case "tint", "blue", "purple": .tint
    case "red": .danger
    case "orange", "yellow": .warning
    default: .standard
    }
  }

  func detailStyle(_ content: RowContent) -> Style {
    content.detailColor.map { Style(tone: tone($0)) } ?? .muted
  }

  func ground(_ content: RowContent) -> Tone {
    switch content.background {
    case nil, "clear", "background": .standard
    case "red": .dangerGround
    default: .raised
    }
  }
}
