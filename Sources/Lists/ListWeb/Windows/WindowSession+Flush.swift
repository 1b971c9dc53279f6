import ListKit

extension WindowSession {
  /// Sends all changes but messages to the user, before a page is drawn. The messages are sent when
  /// the page listens.
  func flushBeforeDrawing() {
    stepOut()
    let told = pending.filter { $0.op == "toast" }
    pending.removeAll { $0.op == "toast" }
    flush()
    pending = told
  }

  /// Sends all changes since the last message, in one message.
  func flush() { send(takeOperations()) }

  /// All changes since the last message, which are recorded as sent.
  func takeOperations() -> [PatchOperation] {
    if isAhead, sharing == nil { catchUp(with: nil) }
    updateScreens()
    updatePlace()
    updateViews()
    updateBars()
    updateAlert()
    updateStatus()
    updateCompany()
    let operations = pending
    pending = []
    dirtyViews = []
    return operations
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
    if let cell = view.enclosing(ListCell.self), cell.formControl !== view {
      return redrawRow(cell)
    }
    let isInAlert = window.visibleAlert.map { view.isDescendant(of: $0.view) } ?? false
    guard isInAlert || shownScreens.contains(where: { $0.contains(view) }) else { return nil }
    switch view {
    case let field as UITextField: return redrawField(field)
    case let picker as UIDatePicker: return redrawPicker(picker)
    case _ where isInAlert: return nil
    case _ where view.isContainer && view.holdsTable: return redrawHidden(view)
    default: return redrawWhole(view)
    }
  }

  private func redrawWhole(_ view: UIView) -> PatchOperation {
    var operation = PatchOperation(view is any ValueControl ? "control" : "view")
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
    if EmptiedFields.contains(field) { operation.clears = true }
    return operation
  }

  private func redrawPicker(_ picker: UIDatePicker) -> PatchOperation {
    var operation = PatchOperation("field")
    operation.id = names.name(for: picker)
    operation.text = picker.dateText
    operation.enabled = picker.isEnabled
    return operation
  }

  private func redrawRow(_ cell: ListCell) -> PatchOperation? {
    guard let table = cell.enclosing(ListView.self), let row = table.row(for: cell),
      shownTables[names.name(for: table)] != nil
    else { return nil }
    var operation = PatchOperation("row")
    operation.id = names.name(for: table)
    operation.row = row.id
    operation.html = RowHTML(table: table, names: names).markup(row).markup
    return operation
  }

  private func updateBars() {
    for index in shownScreens.indices {
      guard let bar = shownScreens[index].controller.map(bar) else { continue }
      let name = shownScreens[index].name
      shownScreens[index].undoManager = bar.undoManager.map { ObjectIdentifier($0) }
      if bar.markup != shownScreens[index].bar {
        shownScreens[index].bar = bar.markup
        var operation = PatchOperation("bar")
        operation.id = name
        operation.html = bar.markup.markup
        pending.append(operation)
      }
      if bar.title != shownScreens[index].title {
        shownScreens[index].title = bar.title
        var operation = PatchOperation("heading")
        operation.id = name
        operation.text = bar.title
        pending.append(operation)
      }
    }
  }

  private func updateAlert() {
    guard alertFrame != shownAlert else { return }
    var operation = PatchOperation("alert")
    operation.html = drawAlert()?.markup
    pending.append(operation)
  }

  /// Announces all changes in one line, so that screen readers are not flooded.
  private func updateStatus() {
    var sum = ListChange.Totals()
    for one in totals.values { sum.add(one) }
    let parts = [
      Self.phrase(sum.inserted, verb: "added"), Self.phrase(sum.deleted, verb: "deleted"),
      Self.phrase(sum.moved, verb: "moved"), reloadedRows.map(found), changedRow,
    ].compactMap(\.self)
    totals = [:]
    reloadedRows = nil
    if parts.isEmpty { return }
    var operation = PatchOperation("status")
    operation.text = parts.joined(separator: ", ")
    pending.append(operation)
  }

  private func found(_ count: Int) -> String {
    if reloadedList?.isPart == true { return "More than \(count) rows" }
    return count == 0 ? "No rows" : "\(count) row\(count == 1 ? "" : "s")"
  }

  /// The current text of the row that the user's event was about, if the event has changed it.
  private var changedRow: String? {
    guard let name = actedRow else { return nil }
    let change = pending.first {
      $0.row == name || $0.reloaded?.contains { $0.row == name } ?? false
    }
    let table = change.flatMap { names.object(named: $0.id, as: ListView.self) }
    return table?.rows.first { $0.id == name }?.cell.rowContent.label
  }

  private static func phrase(_ count: Int, verb: String) -> String? {
    count == 0 ? nil : "\(count) row\(count == 1 ? "" : "s") \(verb)"
  }

  // MARK: The whole state

  /// Draws the alert that waits for an answer, and records it as the page's alert.
  func drawAlert() -> HTML? {
    shownAlert = alertFrame
    return window.visibleAlert.map { AlertHTML(alert: $0, names: names).markup }
  }

  private var alertFrame: HTML? {
    window.visibleAlert.map { AlertHTML(alert: $0, names: names).frame }
  }

  /// The message for a page that has missed too many messages.
  func synchronization() -> MessageLog.Message {
    .init(sequence: log.last, text: PatchText.text(wholeState(how: "replace")))
  }

  /// Draws everything again, replacing changes that have not been sent.
  func wholeState(how: String) -> [PatchOperation] {
    stepOut()
    // Messages to the user are not part of the drawn state: they are kept.
    let told = pending.filter { $0.op == "toast" }
    pending = []
    pendingTransition = nil
    dirtyViews = []
    var operation = PatchOperation("sync")
    operation.html = drawScreen().markup
    operation.alert = drawAlert()?.markup
    operation.how = how
    var working = PatchOperation("working")
    working.enabled = isWorking
    return [operation, placeOperation("replace"), working, waitingOperation] + told
  }
}
