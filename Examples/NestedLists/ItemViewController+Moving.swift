import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// Moves to another list, by dropping a row onto another one or by choosing from all lists.
extension ItemViewController: UITableViewDragDelegate, UITableViewDropDelegate {
  func tableView(
    _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem] {
    guard let item = dataSource?.object(at: indexPath) else { return [] }
    let drag = UIDragItem(itemProvider: NSItemProvider())
    drag.localObject = item
    return [drag]
  }

  func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal {
    UITableViewDropProposal(operation: .move, intent: .insertIntoDestinationIndexPath)
  }

  func tableView(
    _ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator
  ) {
    guard let path = coordinator.destinationIndexPath, let list = dataSource?.object(at: path),
      let item = coordinator.items.first?.dragItem.localObject as? Item
    else { return }
    move(item, into: list)
  }

  /// Shows all lists, with a search, as destinations for an item.
  func askWhereTo(_ item: Item) {
    let chooser = ListChooserViewController(item: item, context: context) {
      [weak self] list in
      self?.move(item, into: list)
    }
    let navigation = UINavigationController(rootViewController: chooser)
    navigation.restorationIdentifier = item.restorationIdentifier.map { "move-\($0)" }
    present(navigation, animated: true)
  }

  private func move(_ item: Item, into list: Item) {
    // Another window may have deleted either meanwhile.
    guard !item.isDeleted, item.managedObjectContext != nil, !list.isDeleted else {
      return showToast("The item or the list has been deleted")
    }
    guard list !== item.parent else {
      return showToast("“\(item.title ?? "")” is in “\(list.title ?? "")” already")
    }
    guard item.move(into: list) else {
      return showToast("“\(item.title ?? "")” cannot be moved into itself")
    }
    name("Move", item)
    item.managedObjectContext?.processPendingChanges()
    tellMoved(
      item.title ?? "", to: list.title ?? "", undoManager: context.undoManager, undo: context.undo)
  }
}
