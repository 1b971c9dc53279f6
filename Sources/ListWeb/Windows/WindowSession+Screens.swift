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
  /// Sends the screens that have changed, from the lowest one on. Those below stay as they are.
  func updateScreens() {
    let layers = window.visibleLayers
    let kept = zip(layers, shownScreens).prefix { $0 === $1.controller }.count
    let transition = pendingTransition ?? .replace
    pendingTransition = nil
    guard kept < max(layers.count, shownScreens.count) else { return }
    let old = shownScreens.count
    forget(from: kept)
    let drawn = layers[kept...].map(draw)
    var operations = drawn.enumerated().map { index, html in
      var operation = PatchOperation("screen")
      operation.first = kept + index
      operation.how = kept + index < old ? transition.rawValue : "present"
      operation.html = html.markup
      return operation
    }
    if operations.isEmpty {
      operations = [PatchOperation("dismiss")]
      operations[0].first = kept
    }
    // The removed screen, with the text being typed in it, was not removed by its user.
    if !isActing, kept < old { operations[0].byOthers = true }
    pending = operations + pending
  }

  /// Discards pending changes of screens that are gone. Messages to the user are kept.
  private func forget(from first: Int) {
    shownScreens.removeSubrange(first...)
    shownTables = shownTables.filter { name, _ in
      guard let table = names.object(named: name, as: ListView.self) else { return false }
      return shownScreens.contains { $0.contains(table) }
    }
    pending.removeAll {
      ["table", "rows", "select"].contains($0.op) && shownTables[$0.id ?? ""] == nil
    }
    dirtyViews.removeAll { view in !shownScreens.contains { $0.contains(view) } }
    totals = .init()
    reloadedRows = nil
  }

  /// Draws everything visible except alerts, and records it as the state of the page.
  func drawScreen() -> HTML {
    shownScreens = []
    shownTables = [:]
    renamedRow = nil
    company?.forgetShown(by: self)
    return window.visibleLayers.map(draw).joined()
  }

  private func draw(_ controller: UIViewController) -> HTML {
    for table in controller.view.tables {
      table.showFirstRows()
      shownTables[names.name(for: table)] = TableState(table)
    }
    let views = ViewHTML(names: names)
    let search = controller.navigationItem.searchController.map { views.markup($0.searchBar) } ?? ""
    let bar = bar(controller)
    let name = names.name(for: controller)
    shownScreens.append(
      ShownScreen(
        controller: controller, name: name, bar: bar.markup, title: bar.title,
        undoManager: bar.undoManager.map { ObjectIdentifier($0) }))
    return ScreenHTML(
      name: name, keys: keys(controller), bar: bar.markup, title: bar.title,
      content: search + views.markup(controller.view),
      tabs: (controller.shownToolbar.map(views.markup) ?? "")
        + (controller.shownTabBar.map(views.markup) ?? ""),
      sheet: shownScreens.count > 1 ? controller.sheet?.modalPresentationStyle : nil,
      popover: shownScreens.count > 1 ? popover(controller) : nil
    ).markup
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
