import Synchronization

/// The contexts under a parent, and what this context has yet to learn from its own parent.
///
/// Objects that a child holds under temporary IDs become permanent in some context above it. That
/// context leaves the new IDs in the child's inbox, from its own queue; the child takes them over on
/// the child's queue: when its turn comes, or before it looks an object up.
///
/// Thread-safe: guarded by its locks.
final class Lineage: Sendable {
  private let children = Mutex<[Confinement]>([])
  private let inbox = Mutex<[AssignedIdentity]>([])
  // What spares look-ups the lock.
  private let hasMail = Atomic(false)

  func add(_ child: NSManagedObjectContext) {
    children.withLock { all in
      all.removeAll { $0.context == nil }
      all.append(child.confinement)
    }
  }

  func remove(_ child: NSManagedObjectContext) {
    children.withLock { $0.removeAll { $0.context == nil || $0.context === child } }
  }

  var hasChildren: Bool { children.withLock { $0.contains { $0.context != nil } } }

  /// Hands IDs to every context below, those under a child at once: they may be asked before the child's turn
  /// comes.
  func announce(_ pairs: [AssignedIdentity]) {
    for child in children.withLock({ $0.compactMap(\.context) }) {
      // The child's own are filled first: whoever is below asks it.
      child.lineage.post(pairs, child)
      child.lineage.announce(pairs)
    }
  }

  private func post(_ pairs: [AssignedIdentity], _ child: NSManagedObjectContext) {
    inbox.withLock { $0 += pairs }
    hasMail.store(true, ordering: .releasing)
    guard child.confinement.hasQueue else { return }
    if child.confinement.isCurrent {
      child.takeOverPermanentIDs()
    } else {
      child.confinement.perform { [confinement = child.confinement] in
        confinement.context?.takeOverPermanentIDs()
      }
    }
  }

  /// What has arrived since the last call, in the order of arrival.
  func takeMail() -> [AssignedIdentity] {
    guard hasMail.load(ordering: .acquiring) else { return [] }
    return inbox.withLock { inbox in
      hasMail.store(false, ordering: .releasing)
      defer { inbox = [] }
      return inbox
    }
  }
}
