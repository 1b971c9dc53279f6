import ListKit

extension WindowSession {
  /// How many rows a page gets before it has said how high it is.
  private static let firstRows = 40

  /// Sends one message with everything that changed since the last one.
  func flush() {
    updateScreen()
    updateViews()
    updateBar()
    updateAlert()
    updateStatus()
    let operations = pending
    pending = []
    pendingTransition = nil
    dirtyViews = []
    send(operations)
  }

  private func updateScreen() {
    let controller = window.visibleViewController
    guard controller !== shownController else {
      pendingTransition = nil
      return
    }
    // What was said about the screen that is gone is of no use; messages to the user are.
    pending.removeAll { !["toast", "focus", "scroll"].contains($0.op) }
    var operation = PatchOperation("screen")
    operation.how = (pendingTransition ?? .replace).rawValue
    operation.html = drawScreen().markup
    pending.insert(operation, at: 0)
    dirtyViews = []
    totals = .init()
  }

  private func updateViews() {
    var done: Set<String> = []
    for view in dirtyViews where view.window != nil {
      guard let operation = redraw(view),
        done.insert("\(operation.id ?? "")/\(operation.row ?? "")").inserted
      else { continue }
      pending.append(operation)
    }
  }

  private func redraw(_ view: UIView) -> PatchOperation? {
    if let cell = view.enclosing(UITableViewCell.self) { return redrawRow(cell) }
    guard view.isDescendant(of: shownController?.viewIfLoaded ?? window) else { return nil }
    if let field = view as? UITextField { return redrawField(field) }
    return redrawWhole(view)
  }

  private func redrawWhole(_ view: UIView) -> PatchOperation {
    var operation = PatchOperation("view")
    operation.id = names.name(for: view)
    operation.html = ViewHTML(names: names).markup(view).markup
    return operation
  }

  private func redrawField(_ field: UITextField) -> PatchOperation {
    var operation = PatchOperation("field")
    operation.id = names.name(for: field)
    operation.text = field.text ?? ""
    operation.title = field.placeholder
    operation.enabled = field.isEnabled
    return operation
  }

  private func redrawRow(_ cell: UITableViewCell) -> PatchOperation? {
    guard let table = cell.enclosing(UITableView.self), let row = table.row(for: cell),
      shownTables[names.name(for: table)] != nil
    else { return nil }
    var operation = PatchOperation("row")
    operation.id = names.name(for: table)
    operation.row = row.id
    operation.html = RowHTML(table: table).markup(row).markup
    return operation
  }

  private func updateBar() {
    guard let bar else { return }
    if bar.markup != shownBar {
      shownBar = bar.markup
      var operation = PatchOperation("bar")
      operation.html = shownBar.markup
      pending.append(operation)
    }
    if bar.title != shownTitle {
      shownTitle = bar.title
      var operation = PatchOperation("heading")
      operation.text = shownTitle
      pending.append(operation)
    }
  }

  private func updateAlert() {
    let alert = drawAlert()
    guard alert != shownAlert else { return }
    shownAlert = alert
    var operation = PatchOperation("alert")
    operation.html = alert == "" ? nil : alert.markup
    pending.append(operation)
  }

  /// One line for all that happened, so that a screen reader is not flooded.
  private func updateStatus() {
    let parts = [
      Self.phrase(totals.inserted, "added"), Self.phrase(totals.deleted, "deleted"),
      Self.phrase(totals.moved, "moved"),
    ].compactMap(\.self)
    totals = .init()
    if parts.isEmpty { return }
    var operation = PatchOperation("status")
    operation.text = parts.joined(separator: ", ")
    pending.append(operation)
  }

  private static func phrase(_ count: Int, _ verb: String) -> String? {
    count == 0 ? nil : "\(count) row\(count == 1 ? "" : "s") \(verb)"
  }

  // MARK: The whole

  private var bar: BarHTML? {
    shownController.map {
      BarHTML(controller: $0, names: names, undoManager: window.visibleUndoManager)
    }
  }

  /// Draws the visible controller's screen, and takes it as what the page shows.
  func drawScreen() -> HTML {
    guard let controller = window.visibleViewController else { return "" }
    shownController = controller
    shownTables = [:]
    for table in controller.view.tables {
      if table.rows.isEmpty { _ = table.showRows(from: 0, count: Self.firstRows) }
      shownTables[names.name(for: table)] = TableState(table)
    }
    let content = ViewHTML(names: names).markup(controller.view)
    shownBar = bar?.markup ?? ""
    shownTitle = bar?.title ?? ""
    return """
      <div class="screen" data-screen="\(names.name(for: controller))" \
      data-keys="\(keys)">\(shownBar)\
      <main><h1 tabindex="-1">\(shownTitle)</h1>\(content)</main></div>
      """
  }

  func drawAlert() -> HTML {
    window.visibleAlert.map { AlertHTML(alert: $0, names: names).markup } ?? ""
  }

  /// The message for a page that has missed too much.
  func synchronization() -> MessageLog.Message {
    pending = []
    pendingTransition = nil
    dirtyViews = []
    var operation = PatchOperation("sync")
    operation.html = drawScreen().markup
    shownAlert = drawAlert()
    operation.alert = shownAlert == "" ? nil : shownAlert.markup
    return .init(sequence: log.last, text: JSON.text([operation]))
  }
}

extension UIView {
  /// The tables in this tree.
  fileprivate var tables: [UITableView] {
    if let table = self as? UITableView { return [table] }
    return subviews.flatMap(\.tables)
  }
}
