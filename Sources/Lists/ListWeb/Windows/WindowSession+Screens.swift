import Foundation
import ListKit

/// A screen that the page shows: the one that fills the window, or a sheet.
@MainActor
struct ShownScreen {
  weak var controller: UIViewController?
  let name: String
  var bar: HTML
  var title: String
  /// The undo manager behind the buttons of the bar, as it was last drawn.
  var undoManager: ObjectIdentifier?

  func contains(_ view: UIView) -> Bool {
    let trees = [
      controller?.viewIfLoaded, controller?.navigationItem.searchController?.searchBar,
      controller?.shownTabBar, controller?.shownToolbar,
    ]
    return trees.contains { $0.map(view.isDescendant) ?? false }
  }
}

extension WindowSession {
  /// Sends the screens that have changed. Columns and sheets that are the same stay as they are.
  func updateScreens() {
    let transition = pendingTransition ?? .replace
    pendingTransition = nil
    let (columns, sheets) = (window.visibleColumns, window.visibleSheets)
    let isOfColumns = max(columns.count, shownColumns) > 1
    let operations =
      isOfColumns
      ? updateColumns(columns, by: transition) + updateLayers(sheets, from: 1, by: transition)
      : updateLayers(columns + sheets, from: 0, by: transition)
    pending = operations + pending
  }

  /// Sends the layers from `lowest` on that have changed, with all above them.
  private func updateLayers(
    _ layers: [UIViewController], from lowest: Int, by transition: ScreenTransition
  ) -> [PatchOperation] {
    let below = lowest == 0 ? 0 : shownColumns
    let shown = shownScreens[below...]
    let kept = zip(layers, shown).prefix { $0 === $1.controller }.count
    guard kept < max(layers.count, shown.count) else { return [] }
    let old = shown.count
    forget((below + kept)..<shownScreens.count)
    let fresh = layers[kept...].enumerated().map { index, controller in
      drawn(controller, isSheet: lowest + kept + index > 0)
    }
    shownScreens += fresh.map(\.screen)
    if lowest == 0 { shownColumns = 1 }
    var operations = fresh.enumerated().map { index, one in
      var operation = PatchOperation("screen")
      operation.first = lowest + kept + index
      operation.how = kept + index < old ? transition.rawValue : "present"
      operation.html = one.html.markup
      return operation
    }
    if operations.isEmpty {
      operations = [PatchOperation("dismiss")]
      operations[0].first = lowest + kept
    }
    // The removed screen, with the text being typed in it, was not removed by its user.
    if !isActing, kept < old { operations[0].byOthers = true }
    return operations
  }

  /// Sends the columns that have changed, or all of them if their number has.
  private func updateColumns(
    _ columns: [UIViewController], by transition: ScreenTransition
  ) -> [PatchOperation] {
    guard columns.count == shownColumns else { return [redrawColumns(columns)] }
    return columns.indices.filter { columns[$0] !== shownScreens[$0].controller }.map { index in
      forget(index..<(index + 1))
      let one = drawn(columns[index], column: (index, columns.count))
      shownScreens.insert(one.screen, at: index)
      var operation = PatchOperation("column")
      operation.first = index
      operation.how = transition.rawValue
      operation.html = one.html.markup
      if !isActing { operation.byOthers = true }
      return operation
    }
  }

  private func redrawColumns(_ columns: [UIViewController]) -> PatchOperation {
    forget(0..<shownColumns)
    let fresh = drawnColumns(columns)
    shownScreens = fresh.screens + shownScreens
    shownColumns = columns.count
    var operation = PatchOperation("columns")
    operation.html = fresh.html.markup
    return operation
  }

  /// Discards screens, with their pending changes. Messages to the user are kept.
  private func forget(_ gone: Range<Int>) {
    shownScreens.removeSubrange(gone)
    shownTables = shownTables.filter { name, _ in
      guard let table = names.object(named: name, as: ListView.self) else { return false }
      return shownScreens.contains { $0.contains(table) }
    }
    pending.removeAll {
      ["table", "rows", "select"].contains($0.op) && shownTables[$0.id ?? ""] == nil
    }
    dirtyViews.removeAll { view in !shownScreens.contains { $0.contains(view) } }
    // What has changed in a list below a sheet is told when the sheet is gone.
    totals = totals.filter { shownTables[$0.key] != nil }
    reloadedRows = nil
  }

  /// Draws everything visible except alerts, and records it as the state of the page.
  func drawScreen() -> HTML {
    shownScreens = []
    shownTables = [:]
    renamedRow = nil
    company?.forgetShown(by: self)
    let columns = drawnColumns(window.visibleColumns)
    let sheets = window.visibleSheets.map { drawn($0, isSheet: true) }
    shownScreens = columns.screens + sheets.map(\.screen)
    shownColumns = columns.screens.count
    return columns.html + sheets.map(\.html).joined()
  }

  private func drawnColumns(
    _ columns: [UIViewController]
  ) -> (screens: [ShownScreen], html: HTML) {
    let fresh = columns.enumerated().map { index, controller in
      drawn(controller, column: (index, columns.count))
    }
    let html = fresh.map(\.html).joined()
    guard columns.count > 1 else { return (fresh.map(\.screen), html) }
    return (
      fresh.map(\.screen), "<div class=\"columns\" data-count=\"\(columns.count)\">\(html)</div>"
    )
  }

  /// Draws a screen, and records the state of its tables.
  ///
  /// - Parameter column: its index among columns beside each other, and their number.
  private func drawn(
    _ controller: UIViewController, isSheet: Bool = false, column: (index: Int, count: Int) = (0, 1)
  ) -> (screen: ShownScreen, html: HTML) {
    for table in controller.view.tables {
      table.showFirstRows()
      shownTables[names.name(for: table)] = TableState(table)
    }
    let views = ViewHTML(names: names)
    let search = controller.navigationItem.searchController.map { views.markup($0.searchBar) } ?? ""
    let bar = bar(controller)
    let name = names.name(for: controller)
    let screen = ShownScreen(
      controller: controller, name: name, bar: bar.markup, title: bar.title,
      undoManager: bar.undoManager.map { ObjectIdentifier($0) })
    let html = ScreenHTML(
      name: name, keys: keys(controller), bar: bar.markup, title: bar.title,
      content: search + views.markup(controller.view),
      tabs: (controller.shownToolbar.map(views.markup) ?? "")
        + (controller.shownTabBar.map(views.markup) ?? ""),
      isBeside: column.index < column.count - 1,
      sheet: isSheet ? controller.sheet?.modalPresentationStyle : nil,
      popover: isSheet ? popover(controller) : nil
    ).markup
    return (screen, html)
  }

  private func popover(_ controller: UIViewController) -> ScreenHTML.Popover? {
    guard let presentation = controller.sheet?.popoverPresentationController,
      let source = presentation.source
    else { return nil }
    // A redrawn row has another cell, but keeps its name.
    let cell = (source as? UIView)?.enclosing(ListCell.self)
    let table = cell?.enclosing(ListView.self)
    let row = cell.flatMap { table?.row(for: $0) }
    let size = controller.preferredContentSize
    let outer = presentation.presentedViewController.preferredContentSize
    return ScreenHTML.Popover(
      source: names.name(for: row == nil ? source : table ?? source), row: row?.id,
      arrows: presentation.permittedArrowDirections,
      width: Self.pixels(size.width > 0 ? size.width : outer.width),
      height: Self.pixels(size.height > 0 ? size.height : outer.height),
      isEverywhere: presentation.isPopoverEverywhere)
  }

  private static func pixels(_ length: CGFloat) -> Int {
    length.isFinite ? Int(max(0, min(length, 10_000)).rounded()) : 0
  }

  func bar(_ controller: UIViewController) -> BarHTML {
    BarHTML(
      controller: controller, names: names,
      undoManager: controller.undoManager ?? window.undoManager)
  }
}

extension UIView {
  /// The tables in this tree.
  fileprivate var tables: [ListView] {
    if let table = self as? ListView { return [table] }
    return subviews.flatMap(\.tables)
  }
}
