import CoreData
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// Into another list: by dropping a row onto another one, or by choosing from a sheet.
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

  /// Offers the list above and the items beside, as far as a sheet is of use.
  func askWhereTo(_ item: Item) {
    let sheet = UIAlertController(
      title: "Move “\(item.title ?? "")”", message: "Into which list?",
      preferredStyle: .actionSheet)
    if let above = parentItem.parent {
      sheet.addAction(action(item, above, "‹ \(above.title ?? "")"))
    }
    for neighbour in neighbours(of: item) {
      sheet.addAction(action(item, neighbour, neighbour.title ?? ""))
    }
    sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    present(sheet, animated: true)
  }

  private static let mostNeighbours = 12

  /// The items around one in its list.
  private func neighbours(of item: Item) -> [Item] {
    guard let row = dataSource?.fetchedResultsController?.indexPath(forObject: item)?.row else {
      return []
    }
    let first = max(0, row - Self.mostNeighbours / 2)
    return (first...first + Self.mostNeighbours).compactMap { row in
      dataSource?.object(at: IndexPath(row: row, section: 0))
    }.filter { $0 !== item }
  }

  private func action(_ item: Item, _ list: Item, _ title: String) -> UIAlertAction {
    UIAlertAction(title: title, style: .default) { [weak self] _ in self?.move(item, into: list) }
  }

  private func move(_ item: Item, into list: Item) {
    guard item.move(into: list) else {
      return showToast("“\(item.title ?? "")” cannot be moved into itself")
    }
    name("Move", item)
    item.managedObjectContext?.processPendingChanges()
    showToast("“\(item.title ?? "")” moved to “\(list.title ?? "")”")
  }
}
