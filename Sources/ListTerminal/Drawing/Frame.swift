import ListKit

/// One drawing of the whole screen: its cells, where the text cursor is, and what the mouse can do
/// where.
@MainActor
final class Frame {
  var canvas: Canvas
  var cursor: FrameWriter.Place?
  var regions: [Region] = []

  init(columns: Int, rows: Int) { canvas = Canvas(width: columns, height: rows) }

  /// What is drawn from now on lies over what there is.
  func cover() {
    canvas.fade()
    cursor = nil
    regions = []
  }

  func onPress(_ area: Rectangle, _ press: @escaping @MainActor (MouseReport) -> Void) {
    regions.append(Region(area: area, press: press))
  }
}
