import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension ItemViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with item: Item) {
    guard let cell = cell as? ItemCell else { return }
    // The row retains its item; possibly nothing else does.
    cell.show(item) { [weak self] title in self?.rename(item, title) }
  }

  func delete(_ item: Item) {
    let title = item.title ?? ""
    context.delete(item)
    name("Delete", item, title)
    context.processPendingChanges()
    tellDeleted(title, undoManager: context.undoManager, undo: context.undo)
  }

  func canMove(_ item: Item) -> Bool { true }

  func move(_ item: Item, from source: IndexPath, to destination: IndexPath) {
    item.move(from: source.row, to: destination.row)
    name("Move", item)
    context.processPendingChanges()
    tellMoved(item.title ?? "", undoManager: context.undoManager, undo: context.undo)
  }

  private func rename(_ item: Item, _ title: String) {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty, title != item.title, !item.isDeleted else { return }
    item.title = title
    name("Rename", item)
    context.processPendingChanges()
  }
}

extension ItemViewController {
  func swipeActions(_ item: Item) -> UISwipeActionsConfiguration {
    let delete = UIContextualAction(style: .destructive, title: "Delete") {
      [weak self] _, _, done in
      self?.delete(item)
      done(true)
    }
    let move = UIContextualAction(style: .normal, title: "Move…") { [weak self] _, _, done in
      self?.askWhereTo(item)
      done(true)
    }
    move.image = UIImage(systemName: "folder")
    return UISwipeActionsConfiguration(actions: [delete, move])
  }
}
