import Foundation
import ListKit
import ListSnapshots
import Undo

extension WindowSession {
  /// Carries out an event, unless it was carried out before: then returns the recorded answer.
  func carryOut(_ event: WindowEvent) -> EventLedger.Answer {
    if let answer = ledger.answer(to: event) {
      lastSeen = .now
      return answer
    }
    if event.type == "editing" { return noteEditing(event) }
    stepOut()
    isActing = true
    hasEmptiedField = false
    let answer: EventLedger.Answer
    do {
      try handle(event)
      answer = hasEmptiedField ? .emptied : .done
    } catch {
      answer = .refused(error.text)
    }
    ledger.note(answer, to: event)
    return answer
  }

  private static let longestRowName = 256

  /// Records which row's title is being edited in the page. It changes nothing in this window.
  private func noteEditing(_ event: WindowEvent) -> EventLedger.Answer {
    lastSeen = .now
    // Every other page gets the name.
    guard event.row?.utf8.count ?? 0 <= Self.longestRowName else {
      return .refused("There is no row with a name of that length.")
    }
    renamedRow = event.row
    company?.note(self)
    ledger.note(.done, to: event)
    return .done
  }

  /// Sends the remaining consequences of an event, and ends the phase in which changes count as the
  /// user's own.
  func settle() {
    flushIfScheduled()
    isActing = false
  }

  /// Carries out an event. Throws for one of a form that no page sends. An event that comes too
  /// late shows a message to the user instead.
  func handle(_ event: WindowEvent) throws(WindowEventError) {
    lastSeen = .now
    try refuseNUL(event)
    try refuseWildNumbers(event)
    names.object(named: event.screen, as: UIViewController.self)?.attend()
    let wasActing = isActing
    isActing = true
    defer {
      finishEvent(of: window.visibleUndoManager)
      isActing = wasActing
    }
    switch event.type {
    case "back":
      window.visibleViewController?.navigationController?.popViewController(animated: true)
    case "visit": visit(event)
    case "width": setWidth(event.count ?? 0)
    case "undo": window.undo()
    case "redo": window.redo()
    case "press": press(event)
    case "cancel": window.cancelSheet()
    case "key": try pressKey(event)
    case "type", "return", "text": try type(event)
    case "date": try choose(event)
    case "value", "slide": try setValue(event)
    case "open": try open(event)
    case "cancelSearch": search(event)?.cancel()
    case "tab": chooseTab(event)
    case "answer": try answer(event)
    case "toast": toasts.first { $0.name == event.id }?.action.perform(sender: window)
    case "shown":
      scene.enterForeground()
      company?.note(self)
    case "hidden":
      guard isFromThisPage(event) else { return }
      scene.enterBackground()
      company?.note(self)
    case "closing": if isFromThisPage(event) { closing() }
    case "range": try show(event)
    case "index": jump(event)
    case "select", "edit", "action", "move", "drop", "step", "toggle": try handleRow(event)
    default: throw .malformed("There is no event of type “\(event.type.prefix(40))”.")
    }
  }

  /// Closes the event's undo group, which is one step to undo, and sends its changes in one
  /// message.
  private func finishEvent(of manager: UndoManager?) {
    manager?.endEvent()
    flush()
    actedRow = nil
  }

  /// Refuses texts with NUL, which stores and other programs cannot handle.
  private func refuseNUL(_ event: WindowEvent) throws(WindowEventError) {
    let texts = [event.text].compactMap { $0 } + (event.texts ?? [])
    guard texts.contains(where: { $0.unicodeScalars.contains("\0") }) else { return }
    throw .malformed("A text cannot contain the character NUL. Nothing was changed.")
  }

  /// Refuses numbers so large that sums of them could overflow.
  private func refuseWildNumbers(_ event: WindowEvent) throws(WindowEventError) {
    let numbers = [
      event.index, event.first, event.count, event.anchor, event.page, event.number,
    ]
    guard numbers.compactMap({ $0 }).contains(where: { !Self.numbers.contains($0) }) else { return }
    throw .malformed("A number of an event is out of all bounds.")
  }

  private static let numbers = -1 << 40...1 << 40

  /// The least width in pixels for columns beside each other.
  nonisolated static let leastWide = 1000

  /// Follows the width of the page. The place stays what it is, or is replaced by another one.
  private func setWidth(_ pixels: Int) {
    scene.setWide(pixels >= Self.leastWide)
    guard place != shownPlace else { return }
    pending.append(placeOperation("replace"))
  }

  /// Whether the event comes from the page that shows the window now. The last events of a page may
  /// arrive after those of the page that replaced it.
  private func isFromThisPage(_ event: WindowEvent) -> Bool {
    event.page == nil || event.page == page
  }

  /// Handles the closing of the page, which may be a reload: saves, and keeps the window for a
  /// short time.
  private func closing() {
    isClosing = true
    endStream()
    scene.enterBackground()
    company?.note(self)
  }

  private func press(_ event: WindowEvent) {
    if let item = names.object(named: event.id, as: UIBarButtonItem.self) { return item.press() }
    if let button = names.shownView(named: event.id) as? UIButton { return button.press() }
    names.object(named: event.id, as: UIRefreshControl.self)?.pull()
  }

  private func pressKey(_ event: WindowEvent) throws(WindowEventError) {
    guard let input = event.text else { throw .malformed("A key event needs the key as text.") }
    let modifiers = Self.modifiers.filter { event.modifiers?.contains($0.name) ?? false }
    (window.visibleViewController ?? window)
      .performKeyCommand(
        input: input, modifierFlags: UIKeyModifierFlags(modifiers.map(\.flag)))
  }

  /// The keys that the page must catch, such as `command+shift+z`.
  func keys(_ controller: UIViewController) -> String {
    controller.keyCommandsInChain.compactMap { command in
      let names = Self.modifiers.filter { command.modifierFlags.contains($0.flag) }.map(\.name)
      return command.input.map { (names + [$0]).joined(separator: "+") }
    }.joined(separator: " ")
  }

  /// The modifiers, in the order in which the page names them.
  private static let modifiers: [(name: String, flag: UIKeyModifierFlags)] = [
    ("command", .command), ("shift", .shift), ("control", .control), ("alternate", .alternate),
  ]

  private func type(_ event: WindowEvent) throws(WindowEventError) {
    guard let text = event.text else { throw .malformed("A text event needs a text.") }
    guard let field = names.shownView(named: event.id) as? UITextField else {
      let lines = event.texts ?? [text]
      return tell("That field is no longer there.", typed: lines.joined(separator: "\n"))
    }
    if event.type == "return", let lines = event.texts {
      guard lines.count <= 1000 else { throw .malformed("At most 1000 lines are added at once.") }
      return add(lines, field)
    }
    guard field.beginEditing() else { return }
    field.receive(text)
    switch event.type {
    case "return":
      field.pressReturn()
      if !text.isEmpty, field.text?.isEmpty ?? true {
        hasEmptiedField = true
        EmptiedFields.note(field)
      }
      // The page has emptied a field that clears on Return: it must receive the current text.
      field.setNeedsDisplay()
    case "text": field.endEditing()
    default: break
    }
  }

  /// Presses Return after each line, as long as that empties the field. Each is a step of undo of
  /// its own.
  private func add(_ lines: [String], _ field: UITextField) {
    var rest = lines[...]
    while let line = rest.first, field.beginEditing() {
      field.receive(line)
      field.pressReturn()
      guard field.text?.isEmpty ?? true else { break }
      window.visibleUndoManager?.endEvent()
      rest.removeFirst()
    }
    hasEmptiedField = rest.count < lines.count
    if hasEmptiedField { EmptiedFields.note(field) }
    field.setNeedsDisplay()
    // The field shows the first of them, and why it was not taken.
    if rest.count > 1 { tell("Not added:", typed: rest.dropFirst().joined(separator: "\n")) }
  }

  private func choose(_ event: WindowEvent) throws(WindowEventError) {
    guard let text = event.text else { throw .malformed("A date event needs a text.") }
    guard let picker = names.shownView(named: event.id) as? UIDatePicker else {
      return tell("That date is no longer asked for. You chose: \(text)")
    }
    guard picker.isEnabled else { return }
    guard picker.receive(text) else { throw .malformed("“\(text.prefix(40))” is no date.") }
  }

  private func search(_ event: WindowEvent) -> UISearchBar? {
    names.object(named: event.id, as: UISearchBar.self).flatMap { $0.window == nil ? nil : $0 }
  }

  private func chooseTab(_ event: WindowEvent) {
    guard let item = names.object(named: event.id, as: UITabBarItem.self), let bar = item.bar,
      bar.window != nil
    else { return }
    bar.choose(item)
  }

  private func answer(_ event: WindowEvent) throws(WindowEventError) {
    guard let alert = window.visibleAlert, names.name(for: alert) == event.id else {
      let typed = (event.choice == nil ? [] : event.texts ?? []).filter { !$0.isEmpty }
      guard !typed.isEmpty else { return tell("That question has been answered already.") }
      return tell("That question is no longer there.", typed: typed.joined(separator: ", "))
    }
    for (field, text) in zip(alert.textFields ?? [], event.texts ?? []) { field.receive(text) }
    if event.choice == nil { return alert.choose(nil) }
    guard let action = names.object(named: event.choice, as: UIAlertAction.self),
      alert.actions.contains(where: { $0 === action })
    else { throw .malformed("The alert has no such button.") }
    alert.choose(action)
  }

  private func show(_ event: WindowEvent) throws(WindowEventError) {
    guard let first = event.first, let count = event.count, (0...500).contains(count), first >= 0
    else { throw .malformed("A range needs `first` and a `count` of at most 500 rows.") }
    guard let table = names.object(named: event.id, as: ListView.self),
      shownTables[event.id ?? ""] != nil
    else { return }
    let shift = shift(of: table, since: event)
    let anchor = event.anchor ?? 0
    // A page at the start of the list stays there.
    table.anchorPlace = anchor > 0 ? max(0, anchor + shift) : 0
    let change = table.showRows(from: anchor > 0 ? max(0, first + shift) : first, count: count)
    record(change, of: table)
  }

  /// The number of rows by which the list has shifted down since the page sent its event.
  private func shift(of table: ListView, since event: WindowEvent) -> Int {
    guard let row = event.row, let place = event.index, let path = table.indexPath(forID: row)
    else { return 0 }
    return table.counts.place(of: path) - place
  }

  /// Scrolls to the section of an index title.
  private func jump(_ event: WindowEvent) {
    guard let table = names.object(named: event.id, as: ListView.self),
      let place = event.index.flatMap(table.place(ofIndexTitleAt:))
    else { return }
    window.record(.scrolled(table, row: place, .top))
  }

  func tell(_ text: String) {
    window.record(.toast(Toast(message: text, action: nil)))
  }

  /// Tells why a typed text has no place any more.
  func tell(_ reason: String, typed: String) {
    window.record(.toast(Toast(reason: reason, typed: typed)))
  }
}
