import ListKit

// Columns beside each other, in a terminal that is wide enough for them. One of them has the keys.
extension TerminalSession {
  /// The least number of characters in a line for columns beside each other.
  static let leastWide = 120

  /// Puts columns beside each other or into one stack, by the width of the terminal. The column in
  /// which something is being typed stays in sight.
  func followWidth() {
    let wasTaking = isTaking
    isTaking = true
    defer { isTaking = wasTaking }
    let typing = window.visibleColumns.first { controller in
      layers.contains { $0.controller === controller && $0.editing != nil }
    }
    scene.setWide(size.columns >= Self.leastWide, typing: typing)
  }

  /// A column, and where it was drawn last.
  struct DrawnColumn {
    weak var controller: UIViewController?
    let area: Rectangle
  }

  func drawColumns(_ frame: Frame, controllers: [UIViewController], area: Rectangle) {
    let areas = Self.areas(controllers.count, area: area)
    columns = zip(controllers, areas).map { DrawnColumn(controller: $0, area: $1) }
    let top = topController
    defer { isDrawingFocus = true }
    for (index, (controller, place)) in zip(controllers, areas).enumerated() {
      // Buttons that every bar has are told apart by their column alone.
      isDrawingFocus = controllers.count == 1 || controller === top
      drawScreen(frame, controller: controller, area: place, isActive: controller === top)
      for y in place.y..<max(place.y, place.bottom) where index < controllers.count - 1 {
        frame.canvas.write(
          symbols.frame.vertical, x: place.right, y: y, style: Style(tone: .muted, isFaint: true))
      }
    }
  }

  /// The areas of columns: lists are narrower than what they lead to.
  private static func areas(_ count: Int, area: Rectangle) -> [Rectangle] {
    let shares = count < 2 ? [] : count == 2 ? [36] : [28, 32]
    var rest = area
    return shares.map { share in
      var column = rest
      column.width = min(64, area.width * share / 100)
      rest.x += column.width + 1
      rest.width -= column.width + 1
      return column
    } + [
      count < 2
        ? rest
        : Rectangle(
          x: rest.x, y: rest.y, width: min(rest.width, mostOfContent), height: rest.height)
    ]
  }

  /// The greatest width of the last column and of a list: a title and its value stay near each
  /// other.
  static let mostOfContent = 110

  // MARK: Moving between columns

  private var columnIndex: Int? {
    guard window.visibleSheets.isEmpty, window.visibleAlert == nil else { return nil }
    let controllers = window.visibleColumns
    return controllers.count < 2 ? nil : controllers.firstIndex { $0 === topController }
  }

  /// The column before or after the one that has the keys.
  func column(_ step: Int) -> UIViewController? {
    let controllers = window.visibleColumns
    guard let index = columnIndex.map({ $0 + step }), controllers.indices.contains(index) else {
      return nil
    }
    return controllers[index]
  }

  /// Gives the keys to another column.
  func go(to controller: UIViewController?) {
    commitTyped()
    if let layer = top { finishEditing(of: layer) }
    controller?.attend()
  }

  /// Gives the keys to the column that is pressed.
  func attend(to report: MouseReport) {
    guard columnIndex != nil, popup == nil, let column = columnUnder(report),
      column !== topController
    else { return }
    go(to: column)
    settle()
  }

  func columnUnder(_ report: MouseReport) -> UIViewController? {
    columns.first { $0.area.contains(x: report.x, y: report.y) }?.controller
  }

  var columnCommands: [Command] {
    guard columnIndex != nil else { return [] }
    let next = column(1) ?? window.visibleColumns.first
    let before = column(-1) ?? window.visibleColumns.last
    return [
      Command(
        keys: [.plain(.function(6)), .character(">")], title: "Next column", group: .screen, rank: 4
      ) { [weak self] in self?.go(to: next) },
      Command(
        keys: [.shift(.function(6)), .character("<")], title: "Column before", group: .screen
      ) { [weak self] in self?.go(to: before) },
    ]
  }
}
