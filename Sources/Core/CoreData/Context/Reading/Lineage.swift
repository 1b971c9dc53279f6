import Synchronization

/// The child contexts of a context, and the news that it has not yet received from the contexts
/// above.
///
/// Objects that a child holds under temporary IDs become permanent in some context above it. That
/// context puts the new IDs into the inboxes of all contexts below, on its own queue; each of those
/// takes them over on its queue, in its turn or before it looks an object up.
///
/// Thread-safe: guarded by its locks.
final class Lineage: Sendable {
  private let children = Mutex<[Confinement]>([])
  private let inbox = Mutex<[AssignedIdentity]>([])
  /// The newest rows that a context above has saved of objects in this context.
  private let rows = Mutex<[PackedIdentity: SavedRow]>([:])
  // Saves look-ups the lock.
  private let hasMail = Atomic(false)

  /// Held while the inboxes of a tree are filled: a context that finds a new ID in one inbox then
  /// finds it in those of the contexts above and below as well, whichever of them reads first.
  private static let filling = Mutex<Void>(())

  func add(_ child: NSManagedObjectContext) {
    Self.filling.withLock { _ in
      children.withLock { all in
        all.removeAll { $0.context == nil }
        all.append(child.confinement)
      }
    }
  }

  func remove(_ child: NSManagedObjectContext) {
    children.withLock { $0.removeAll { $0.context == nil || $0.context === child } }
  }

  var hasChildren: Bool { children.withLock { $0.contains { $0.context != nil } } }

  /// The direct child contexts.
  private var contexts: [NSManagedObjectContext] {
    children.withLock { $0.compactMap(\.context) }
  }

  /// Puts assigned IDs into the inbox of every context below.
  func post(_ pairs: [AssignedIdentity]) {
    if pairs.isEmpty { return }
    // Retained until the lock is free: one of these may be the last reference to a context.
    var receivers: [NSManagedObjectContext] = []
    Self.filling.withLock { _ in
      receivers = contexts
      var next = 0
      while next < receivers.count {
        receivers[next].lineage.receive(pairs)
        receivers += receivers[next].lineage.contexts
        next += 1
      }
    }
  }

  private func receive(_ pairs: [AssignedIdentity]) {
    inbox.withLock { $0 += pairs }
    hasMail.store(true, ordering: .releasing)
  }

  /// Leaves saved rows with every context below that has their objects.
  func post(_ rows: [Row], permanent: [AssignedIdentity]) {
    let temporaries = Dictionary(
      permanent.map { ($0.permanent, $0.temporary) }, uniquingKeysWith: { first, _ in first })
    var receivers = contexts
    var next = 0
    while next < receivers.count {
      let receiver = receivers[next]
      for row in rows {
        let isKnown =
          receiver.registry.object(row.packed) != nil
          || temporaries[row.packed].map { receiver.registry.object($0) != nil } ?? false
        if isKnown { receiver.lineage.rows.withLock { $0[row.packed] = SavedRow(row: row) } }
      }
      receivers += receiver.lineage.contexts
      next += 1
    }
  }

  fileprivate func takeRows() -> [SavedRow] {
    rows.withLock { rows in
      defer { rows = [:] }
      return Array(rows.values)
    }
  }

  /// Has every context below take over its inbox, in its turn.
  func wake() {
    for child in contexts {
      child.takeOverInTurn()
      child.lineage.wake()
    }
  }

  /// The assigned IDs that have arrived since the last call, in order.
  func takeMail() -> [AssignedIdentity] {
    guard hasMail.load(ordering: .acquiring) else { return [] }
    return Self.filling.withLock { _ in
      inbox.withLock { inbox in
        hasMail.store(false, ordering: .releasing)
        defer { inbox = [] }
        return inbox
      }
    }
  }
}

/// Sendable: a sealed row, which is immutable.
private struct SavedRow: @unchecked Sendable {
  let row: Row
}

extension NSManagedObjectContext {
  /// Replaces the snapshots of objects that a context above has saved with equal values: the saved
  /// row counts as the one that this context has read.
  final func takeOverSavedRows() {
    for saved in lineage.takeRows() {
      let row = saved.row
      guard let object = registry.object(row.packed), let read = object.snapshot, read !== row,
        read.version < row.version,
        !object.layout.storedSlots.contains(where: { row.differs(from: read, in: $0) })
      else { continue }
      // Transient values belong to the object.
      if object.current === read, !object.layout.hasTransientSlots {
        object.hold(row)
      } else {
        object.snapshot = row
      }
    }
  }

  fileprivate final func takeOverInTurn() {
    guard confinement.hasQueue else { return }
    if confinement.isCurrent { return takeOverPermanentIDs() }
    confinement.perform { [confinement] in confinement.context?.takeOverPermanentIDs() }
  }
}
