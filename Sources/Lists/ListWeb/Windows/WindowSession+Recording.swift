import ListKit

extension WindowSession: ListRenderer {
  /// Records a change for the next message. Rows are drawn at once, since they may change again
  /// before it is sent.
  func record(_ operation: WindowOperation) {
    if mayShareRows, case .viewChanged(let view) = operation, view.enclosing(ListCell.self) != nil,
      leavesOutRows()
    {
      return
    }
    scheduleFlush()
    switch operation {
    case .viewChanged(let view): if !(view is ListView) { dirtyViews.append(view) }
    case .barChanged, .alertChanged: break
    case .screenChanged(let transition): pendingTransition = transition
    case .focused(let responder): recordFocus(responder)
    case .toast(let toast): record(toast)
    case .working(let isWorking): record(isWorking: isWorking)
    case .waiting(let text):
      waitingText = text
      pending.append(waitingOperation)
    }
  }

  func record(_ operation: ListOperation) {
    if mayShareRows, leavesOutRows() { return }
    scheduleFlush()
    switch operation {
    case .listReloaded(let table): recordReload(table)
    case .listChanged(let table, let change): record(change, of: table)
    case .scrolled(let table, let row, let position): recordScroll(table, to: row, at: position)
    case .selectionChanged(let table): recordSelection(table)
    case .editingChanged(let table): recordReload(table)
    }
  }

  private var mayShareRows: Bool { sharing != nil || isAhead || isSilent }

  /// Whether a change of rows is not recorded: others make it, or the page gets the table anew.
  private func leavesOutRows() -> Bool {
    if isSilent { return true }
    guard !isLeading, keepsForItself() else { return false }
    scheduleFlush()
    return true
  }

  /// Whether the page shows the table.
  private func isShown(_ table: ListView) -> Bool {
    shownTables[names.name(for: table)] != nil
  }

  func recordReload(_ table: ListView) {
    guard isShown(table) else { return }
    let name = names.name(for: table)
    var operation = PatchOperation("table")
    operation.id = name
    operation.html = TableHTML(table: table, name: name, names: names).markup.markup
    operation.byOthers = isActing ? nil : true
    shownTables[name] = TableState(table)
    if !table.isForm { (reloadedRows, reloadedList) = (table.counts.total, table) }
    pending.append(operation)
  }

  func record(_ change: ListChange, of table: ListView) {
    guard isShown(table) else { return }
    let name = names.name(for: table)
    totals[name, default: .init()].add(change.totals)
    var operation = rows(change, of: table)
    operation.id = name
    addCounts(of: table, named: name, to: &operation)
    pending.append(operation)
  }

  private func rows(_ change: ListChange, of table: ListView) -> PatchOperation {
    let html = RowHTML(table: table, names: names)
    let byName = Dictionary(uniqueKeysWithValues: table.rows.map { ($0.id, $0) })
    var operation = PatchOperation("rows")
    operation.first = table.firstPlace
    operation.removed = change.removed.map { .init(row: $0.id, cause: $0.cause.rawValue) }
    if !isActing, change.removed.contains(where: { $0.cause == .update }) {
      operation.byOthers = true
    }
    operation.moved = change.moved.map { .init(row: $0.id, place: $0.place) }
    operation.inserted = change.inserted.compactMap { entry in
      byName[entry.id].map {
        .init(place: entry.place, cause: entry.cause.rawValue, html: html.markup($0).markup)
      }
    }
    operation.reloaded = change.reloaded.compactMap { id in
      byName[id].map { .init(row: id, html: html.markup($0).markup) }
    }
    return operation
  }

  /// Adds the changed counts; all sections if one was inserted, deleted or renamed.
  private func addCounts(
    of table: ListView, named name: String, to operation: inout PatchOperation
  ) {
    let new = TableState(table)
    let old = shownTables[name]?.sections ?? []
    if new.grids != shownTables[name]?.grids { operation.grids = new.grids ?? [] }
    shownTables[name] = new
    if new.sections.map(\.texts) != old.map(\.texts) {
      operation.sections = new.sections
      operation.index = new.index
      return
    }
    let changed = new.sections.indices.filter { new.sections[$0] != old[$0] }
    if !changed.isEmpty { operation.counts = changed.map { [$0, new.sections[$0].count] } }
  }

  private func recordScroll(
    _ table: ListView, to row: Int, at position: UITableView.ScrollPosition
  ) {
    var operation = PatchOperation("scroll")
    operation.id = names.name(for: table)
    operation.first = row
    operation.how = "\(position)"
    pending.append(operation)
  }

  private func recordSelection(_ table: ListView) {
    guard isShown(table) else { return }
    var operation = PatchOperation("select")
    operation.id = names.name(for: table)
    operation.rows = table.rows.filter(\.cell.isSelected).map(\.id)
    pending.append(operation)
  }

  private func recordFocus(_ responder: UIResponder?) {
    guard let field = responder as? UIControl else { return }
    var operation = PatchOperation("focus")
    if let table = field.enclosing(ListView.self), let row = table.row(for: field),
      row.cell.titleField === field
    {
      operation.id = names.name(for: table)
      operation.row = row.id
    } else {
      operation.id = names.name(for: field)
    }
    pending.append(operation)
  }

  private func record(isWorking: Bool) {
    self.isWorking = isWorking
    var operation = PatchOperation("working")
    operation.enabled = isWorking
    pending.append(operation)
  }

  var waitingOperation: PatchOperation {
    var operation = PatchOperation("waiting")
    operation.text = waitingText
    return operation
  }

  private func record(_ toast: Toast) {
    var operation = PatchOperation("toast")
    operation.text = toast.lost?.reason ?? toast.message
    operation.typed = toast.lost?.text
    if let action = toast.action {
      let name = names.name(for: action)
      // Retained here: nothing else may hold the action. The page shows only the last messages.
      toasts = toasts.suffix(4) + [(name, action)]
      operation.id = name
      operation.title = action.title
    }
    pending.append(operation)
  }
}
