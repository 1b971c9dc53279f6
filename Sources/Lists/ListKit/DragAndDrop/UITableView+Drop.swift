import Foundation

// Dropping a row onto another one, for renderers.
extension UITableView {
  /// Carries a drop out. Returns false when one of the delegates refuses it.
  func carryOutDrop(_ source: IndexPath, onto target: IndexPath) -> Bool {
    guard source != target, let dragDelegate, let dropDelegate else { return false }
    let session = LocalDragSession()
    session.items = dragDelegate.tableView(self, itemsForBeginning: session, at: source)
    guard !session.items.isEmpty, dropDelegate.tableView(self, canHandle: session) else {
      return false
    }
    let proposal = dropDelegate.tableView(
      self, dropSessionDidUpdate: session, withDestinationIndexPath: target)
    guard proposal.operation == .move || proposal.operation == .copy else { return false }
    let coordinator = LocalDropCoordinator(session, from: source, to: target, proposal)
    dropDelegate.tableView(self, performDropWith: coordinator)
    return true
  }
}

private final class LocalDragSession: UIDragSession, UIDropSession {
  var items: [UIDragItem] = []
  var localContext: Any?
  var localDragSession: (any UIDragSession)? { self }
}

private struct LocalDropItem: UITableViewDropItem {
  let dragItem: UIDragItem
  let sourceIndexPath: IndexPath?
}

private final class LocalDropCoordinator: UITableViewDropCoordinator {
  let items: [any UITableViewDropItem]
  let destinationIndexPath: IndexPath?
  let proposal: UITableViewDropProposal
  let session: any UIDropSession

  init(
    _ session: LocalDragSession, from source: IndexPath, to target: IndexPath,
    _ proposal: UITableViewDropProposal
  ) {
    items = session.items.map { LocalDropItem(dragItem: $0, sourceIndexPath: source) }
    destinationIndexPath = target
    self.proposal = proposal
    self.session = session
  }
}
