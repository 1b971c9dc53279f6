import Foundation
import ListSnapshots

// What a renderer calls when the user swipes, deletes or drags.
extension UITableView {
  /// The actions of a row: the delegate's, else Delete when the row can be edited.
  package func trailingActions(at path: IndexPath) -> [UIContextualAction] {
    if let configuration = delegate?.tableView(
      self, trailingSwipeActionsConfigurationForRowAt: path)
    {
      return configuration.actions
    }
    guard dataSource?.tableView(self, canEditRowAt: path) ?? false,
      delegate?.tableView(self, editingStyleForRowAt: path) ?? .delete == .delete
    else { return [] }
    let title = delegate?.tableView(self, titleForDeleteConfirmationButtonForRowAt: path)
    return [deleteAction(title: title ?? "Delete", at: path)]
  }

  package func leadingActions(at path: IndexPath) -> [UIContextualAction] {
    delegate?.tableView(self, leadingSwipeActionsConfigurationForRowAt: path)?.actions ?? []
  }

  private func deleteAction(title: String, at path: IndexPath) -> UIContextualAction {
    UIContextualAction(style: .destructive, title: title) { [weak self] _, _, done in
      guard let self else { return done(false) }
      dataSource?.tableView(self, commit: .delete, forRowAt: path)
      done(true)
    }
  }

  /// Runs an action of a row, with the calls around it.
  package func perform(_ action: UIContextualAction, at path: IndexPath) {
    delegate?.tableView(self, willBeginEditingRowAt: path)
    action.handler(action, cellForRow(at: path) ?? self) { _ in }
    delegate?.tableView(self, didEndEditingRowAt: path)
  }

  package func canMoveRow(at path: IndexPath) -> Bool {
    dataSource?.tableView(self, canMoveRowAt: path) ?? false
  }

  /// The user dragged a row to a place: the table moves it, then tells the data source, which
  /// changes the model alone.
  package func moveByUser(from old: IndexPath, toProposed proposed: IndexPath) {
    guard canMoveRow(at: old) else { return }
    let target =
      delegate?.tableView(
        self, targetIndexPathForMoveFromRowAt: old, toProposedIndexPath: proposed) ?? proposed
    guard target != old else { return }
    let before = counts
    var rows = before.rows
    rows[old.section] -= 1
    rows[target.section] += 1
    var batch = TableBatch()
    batch.movedRows = [.init(from: old, to: target)]
    apply(batch, before: before, after: TableCounts(rows))
    dataSource?.tableView(self, moveRowAt: old, to: target)
  }
}
