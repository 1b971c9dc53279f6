import Synchronization

/// The contexts under a parent, and what this context has yet to learn from those above it.
///
/// Objects that a child holds under temporary IDs become permanent in some context above it. That
/// context leaves the new IDs in the inboxes of all contexts below, from its own queue; each takes them over on
/// its queue: when its turn comes, or before it looks an object up.
///
/// Thread-safe: guarded by its locks.
final class Lineage: Sendable {
  private let children = Mutex<[Confinement]>([])
  private let inbox = Mutex<[AssignedIdentity]>([])
  /// The newest rows that a context above has written of objects that this one has.
  private let rows = Mutex<[PackedIdentity: SavedRow]>([:])
  // What spares look-ups the lock.
  private let hasMail = Atomic(false)

  /// Held while the inboxes of a tree are filled: whoever finds a new ID in one of them, finds it in those of the
  /// contexts above and below as well, whichever of them asks the other first.
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

  /// The contexts right below.
  private var contexts: [NSManagedObjectContext] {
    children.withLock { $0.compactMap(\.context) }
  }

  /// Leaves IDs with every context below.
  func post(_ pairs: [AssignedIdentity]) {
    if pairs.isEmpty { return }
    // Kept until the lock is free: the last reference to a context may be one of these.
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

  /// Leaves rows that this context has written with every context below that has their objects.
  func post(_ rows: [Row], _ permanent: [AssignedIdentity]) {
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

  /// Has every context below take its mail, when it is its turn.
  func wake() {
    for child in contexts {
      child.takeOverInTurn()
      child.lineage.wake()
    }
  }

  /// What has arrived since the last call, in the order of arrival.
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

/// Sendable: sealed, and a sealed row never changes.
private struct SavedRow: @unchecked Sendable {
  let row: Row
}

extension NSManagedObjectContext {
  /// Where a context above has written what this one has read, that row is what has been read.
  final func takeOverSavedRows() {
    for saved in lineage.takeRows() {
      let row = saved.row
      guard let object = registry.object(row.packed), let read = object.snapshot, read !== row,
        read.version < row.version,
        !object.layout.storedSlots.contains(where: { row.differs(from: read, in: $0) })
      else { continue }
      // Transient values are the object's own.
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
