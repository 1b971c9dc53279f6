import Foundation
import ListSnapshots

// Swipes, deletions and drags, for renderers.
extension ListView {
  package func trailingActions(at path: IndexPath) -> [UIContextualAction] {
    trailingConfiguration(at: path).actions
  }

  package func leadingActions(at path: IndexPath) -> [UIContextualAction] {
    leadingConfiguration(at: path).actions
  }

  /// Runs an action of a row, between the delegate's calls for editing.
  package func perform(_ action: UIContextualAction, at path: IndexPath) {
    willBeginEditing(path)
    action.handler(action, cell(at: path) ?? self) { _ in }
    didEndEditing(path)
  }

  /// Moves a row for the user, who dragged it to `proposed`. The list moves the row first; the data
  /// source then changes the model only.
  package func moveByUser(from old: IndexPath, toProposed proposed: IndexPath) {
    guard canMoveRow(at: old) else { return }
    let target = target(ofMoveFrom: old, toProposed: proposed)
    guard target != old else { return }
    let before = counts
    var rows = before.rows
    rows[old.section] -= 1
    rows[target.section] += 1
    var batch = ListBatch(words: words)
    batch.movedRows = [.init(from: old, to: target)]
    apply(batch, before: before, after: ListCounts(rows))
    didMove(from: old, to: target)
  }
  /// Moves a row past its neighbour for the user, up (-1) or down (1). Beyond the first or the last
  /// row of its section it enters the section beside it.
  package func stepByUser(from old: IndexPath, by step: Int) {
    let place = counts.place(of: old) + step.signum()
    guard (0..<counts.total).contains(place) else { return }
    let beside = counts.indexPath(at: place)
    let isAboveSection = step < 0 && beside.section != old.section
    moveByUser(
      from: old,
      toProposed: isAboveSection
        ? IndexPath(row: beside.row + 1, section: beside.section) : beside)
  }
}
