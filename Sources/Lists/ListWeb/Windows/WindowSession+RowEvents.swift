import Foundation
import ListKit
import ListSnapshots

// User events on rows. If the row no longer exists, the user gets a message and nothing is changed.
extension WindowSession {
  func handleRow(_ event: WindowEvent) throws(WindowEventError) {
    guard let name = event.row else { throw .malformed("A row event needs a row.") }
    guard let table = names.object(named: event.id, as: ListView.self),
      shownTables[event.id ?? ""] != nil
    else {
      // The second click of a double click arrives when the first one has already opened another
      // screen.
      return event.type == "select" ? () : tellGone(event)
    }
    guard let path = table.indexPath(forID: name) else { return tellGone(event) }
    actedRow = name
    switch event.type {
    case "select": table.choose(path)
    case "toggle":
      // A screen reader says of the row that it is open or closed; nothing is added or deleted.
      let before = totals
      table.toggleRow(at: path)
      totals = before
    case "edit": try rename(path, in: table, by: event)
    case "action": try act(path, in: table, by: event)
    case "step": table.stepByUser(from: path, by: event.index ?? 0)
    default: drag(path, in: table, by: event)
    }
  }

  private func tellGone(_ event: WindowEvent) {
    tell("That row was deleted or is no longer shown.", typed: event.text ?? "")
  }

  private func rename(
    _ path: IndexPath, in table: ListView, by event: WindowEvent
  ) throws(WindowEventError) {
    guard let text = event.text else { throw .malformed("An edit event needs a text.") }
    guard let field = table.cell(at: path)?.titleField else { return }
    let now = field.text ?? ""
    if let old = event.old, let question = RenameQuestion(old: old, now: now, typed: text) {
      // The page shows the new title now; the question follows.
      field.setNeedsDisplay()
      return question.ask(in: window) { [weak self, weak table] in
        guard let self, let table else { return }
        var again = event
        again.old = nil
        guard let path = event.row.flatMap({ table.indexPath(forID: $0) }) else {
          return tellGone(event)
        }
        // Cannot throw: `rename` throws only for an event without a text.
        try? rename(path, in: table, by: again)
      }
    }
    guard field.beginEditing() else { return }
    field.receive(text)
    field.pressReturn()
    field.endEditing()
    // In any case the page must show the row's current title, perhaps of another cell.
    let path = event.row.flatMap { table.indexPath(forID: $0) }
    path.flatMap { table.cell(at: $0)?.titleField }?.setNeedsDisplay()
  }

  private func act(
    _ path: IndexPath, in table: ListView, by event: WindowEvent
  ) throws(WindowEventError) {
    let actions =
      event.side == "leading" ? table.leadingActions(at: path) : table.trailingActions(at: path)
    let destructive = actions.first { $0.style == .destructive }
    let index = event.index ?? -1
    // The Delete key chooses the first destructive action.
    let chosen = actions.indices.contains(index) ? actions[index] : destructive
    guard let chosen, event.index == nil || actions.indices.contains(index) else {
      return tell("That cannot be done with this row.")
    }
    table.perform(chosen, at: path)
  }

  private func drag(_ path: IndexPath, in table: ListView, by event: WindowEvent) {
    guard let target = table.indexPath(forID: event.target ?? "") else { return tellGone(event) }
    if event.type == "drop" {
      if !table.drop(path, onto: target) { tell("A row cannot be moved there.") }
      return
    }
    table.moveByUser(
      from: path, toProposed: destination(path, beside: target, after: event.after == true))
  }

  /// The path after the move: the rows below the source in its section move up by one.
  private func destination(_ source: IndexPath, beside target: IndexPath, after: Bool)
    -> IndexPath
  {
    var row = target.row + (after ? 1 : 0)
    if source.section == target.section, source.row < row { row -= 1 }
    return IndexPath(row: row, section: target.section)
  }
}
