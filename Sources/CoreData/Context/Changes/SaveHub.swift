import Synchronization

/// The rows of one save, kept alive until everybody who merges it has done so.
///
/// Sendable: its rows are sealed, and a sealed row never changes.
struct SavedRows: @unchecked Sendable {
  var inserted: [Row] = []
  var updated: [Row] = []
  var deleted: [NSManagedObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// Where saves are announced to the contexts that merge them by themselves. Thread-safe: guarded by
/// its lock.
enum SaveHub {
  private static let listeners = Mutex<[ObjectIdentifier: [MergeListener]]>([:])

  static func add(_ listener: MergeListener, for source: ObjectIdentifier) {
    listeners.withLock { $0[source, default: []].append(listener) }
  }

  static func remove(_ listener: MergeListener, for source: ObjectIdentifier) {
    listeners.withLock { all in
      all[source]?.removeAll { $0 === listener }
      if all[source]?.isEmpty == true { all[source] = nil }
    }
  }

  /// A context has saved into its coordinator.
  static func announce(
    _ rows: SavedRows, deleted: [NSManagedObject], by context: NSManagedObjectContext
  ) {
    guard !rows.isEmpty || !deleted.isEmpty, let coordinator = context.rootCoordinator else {
      return
    }
    let saver = ObjectIdentifier(context)
    let interested = listeners.withLock { all in
      (all[ObjectIdentifier(coordinator)] ?? []) + (all[saver] ?? [])
    }
    if interested.isEmpty { return }
    var rows = rows
    rows.deleted = deleted.map(\.objectID)
    for listener in interested { listener.hear(rows, from: saver) }
  }
}

/// One context's ear at the hub: hands what it hears to the context, on the context's queue.
final class MergeListener: Sendable {
  private let confinement: Confinement
  private let own: ObjectIdentifier
  private let source: ObjectIdentifier

  init(context: NSManagedObjectContext, source: ObjectIdentifier) {
    confinement = context.confinement
    own = ObjectIdentifier(context)
    self.source = source
    SaveHub.add(self, for: source)
  }

  func stop() { SaveHub.remove(self, for: source) }

  func hear(_ rows: SavedRows, from saver: ObjectIdentifier) {
    guard saver != own, let context = confinement.context else { return }
    confinement.perform { context.merge(rows) }
  }
}

extension NSManagedObjectContext {
  /// Listens for the saves of the coordinator's other contexts, or of the parent, if it merges by
  /// itself.
  final func restartMergeListener() {
    mergeListener?.stop()
    mergeListener = nil
    guard automaticallyMergesChangesFromParent else { return }
    if let parent {
      mergeListener = MergeListener(context: self, source: ObjectIdentifier(parent))
    } else if let coordinator = rootCoordinator {
      mergeListener = MergeListener(context: self, source: ObjectIdentifier(coordinator))
    }
  }
}
