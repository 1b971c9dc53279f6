import ListKit

/// One drawing of the whole screen: its cells, the position of the text cursor, and the regions for
/// the mouse.
@MainActor
final class Frame {
  var canvas: Canvas
  var cursor: FrameWriter.Place?
  var regions: [Region] = []

  init(columns: Int, rows: Int) { canvas = Canvas(width: columns, height: rows) }

  /// Fades everything drawn so far, and removes its regions: later drawing covers it.
  func cover() {
    canvas.fade()
    cursor = nil
    regions = []
  }

  func onPress(_ area: Rectangle, press: @escaping @MainActor (MouseReport) -> Void) {
    regions.append(Region(area: area, press: press))
  }
}
