import Synchronization

/// The rows of one save, retained until every context that merges the save has done so.
///
/// Sendable: its rows are sealed, and a sealed row is immutable.
struct SavedRows: @unchecked Sendable {
  var inserted: [Row] = []
  var updated: [Row] = []
  var deleted: [NSManagedObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SavedRows {
  /// Joins several saves, the oldest first: each object occurs once, as the last of them saved it.
  init(joining saves: [SavedRows]) {
    var newest: [PackedIdentity: Row] = [:]
    var gone: [PackedIdentity: NSManagedObjectID] = [:]
    for save in saves {
      for identity in save.deleted {
        newest[identity.resolved.packed] = nil
        gone[identity.resolved.packed] = identity
      }
      // An undone deletion brings an object back.
      for row in save.inserted + save.updated {
        newest[row.packed] = row
        gone[row.packed] = nil
      }
    }
    func take(_ rows: [Row]) -> [Row] { rows.compactMap { newest.removeValue(forKey: $0.packed) } }
    inserted = take(saves.flatMap(\.inserted))
    updated = take(saves.flatMap(\.updated))
    deleted = saves.flatMap(\.deleted).compactMap { gone.removeValue(forKey: $0.resolved.packed) }
  }
}

/// The announcements of saves to the contexts that merge them automatically. Thread-safe: guarded
/// by its lock.
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

  /// Announces a save of a context into its coordinator to the listeners of both.
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
    let save = AnnouncedSave(rows)
    for listener in interested { listener.hear(save, from: saver) }
  }
}

/// A save on its way to the contexts that merge it.
final class AnnouncedSave: Sendable {
  let rows: SavedRows
  // Freed with the saves, when the last listener has merged them.
  private let joined = Mutex<(later: ArraySlice<AnnouncedSave>, rows: SavedRows)?>(nil)

  init(_ rows: SavedRows) { self.rows = rows }

  /// This save joined with later ones. Contexts with a busy queue have mostly received the same
  /// saves: the result of the first is kept for the others.
  func joined(with later: ArraySlice<AnnouncedSave>) -> SavedRows {
    if later.isEmpty { return rows }
    return joined.withLock { joined in
      if let joined, joined.later.elementsEqual(later, by: ===) { return joined.rows }
      let all = SavedRows(joining: [rows] + later.map(\.rows))
      joined = (later, all)
      return all
    }
  }
}

/// The listener of one context that merges automatically: passes saves to the context, on its
/// queue.
///
/// Saves that arrive before the context's queue gets to them are merged as one: where many contexts
/// save at once, each merges less often and never later.
///
/// A context that merges on request is told of the first save that waits, and of each that deletes
/// something, and asks for all of them when it has the time.
final class MergeListener: Sendable {
  private let confinement: Confinement
  private let own: ObjectIdentifier
  private let source: ObjectIdentifier
  private let request: (@Sendable () -> Void)?
  private let heard = Mutex<[AnnouncedSave]>([])

  init(context: NSManagedObjectContext, source: ObjectIdentifier) {
    confinement = context.confinement
    own = ObjectIdentifier(context)
    self.source = source
    request = context.mergeRequest
    SaveHub.add(self, for: source)
  }

  func stop() { SaveHub.remove(self, for: source) }

  func hear(_ save: AnnouncedSave, from saver: ObjectIdentifier) {
    if saver == own { return forget(save.rows) }
    guard let context = confinement.context else { return }
    let isFirst = heard.withLock { heard in
      heard.append(save)
      return heard.count == 1
    }
    if let request {
      if isFirst || !save.rows.deleted.isEmpty { request() }
      return
    }
    guard isFirst else { return }
    confinement.perform { [self] in merge(into: context) }
  }

  var isWaiting: Bool { heard.withLock { !$0.isEmpty } }
  var hasDeletions: Bool { heard.withLock { $0.contains { !$0.rows.deleted.isEmpty } } }

  /// Merges all saves that wait, as one. On the context's queue.
  func merge(into context: NSManagedObjectContext) {
    let saves = heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
    if let first = saves.first { context.merge(first.joined(with: saves.dropFirst())) }
  }
}

extension MergeListener {
  /// Removes the objects of the context's own save from the saves that it has not merged yet:
  /// merging those would undo its changes and bring back objects that it has deleted.
  private func forget(_ own: SavedRows) {
    heard.withLock { heard in
      guard !heard.isEmpty else { return }
      var saved = Set((own.inserted + own.updated).map(\.packed))
      saved.formUnion(own.deleted.map(\.resolved.packed))
      for index in heard.indices { heard[index] = heard[index].without(saved) }
    }
  }
}

extension AnnouncedSave {
  fileprivate func without(_ objects: Set<PackedIdentity>) -> AnnouncedSave {
    var rows = rows
    rows.inserted.removeAll { objects.contains($0.packed) }
    rows.updated.removeAll { objects.contains($0.packed) }
    rows.deleted.removeAll { objects.contains($0.resolved.packed) }
    return AnnouncedSave(rows)
  }
}

extension NSManagedObjectContext {
  /// Lets the saves of others wait, where the context merges automatically, until
  /// ``mergeWaitingSaves()`` is called.
  ///
  /// - Parameter request: called on any thread when the first save waits, and when one that deletes
  ///   something does.
  package final func mergeOnRequest(_ request: @escaping @Sendable () -> Void) {
    mergeRequest = request
    restartMergeListener()
  }

  /// Merges the saves of others that wait, all as one. On the context's queue.
  package final func mergeWaitingSaves() {
    assertConfined()
    mergeListener?.merge(into: self)
  }

  /// Whether saves of others wait to be merged.
  package final var hasWaitingSaves: Bool { mergeListener?.isWaiting ?? false }

  /// Whether saves wait to be merged that delete something.
  package final var hasWaitingDeletions: Bool { mergeListener?.hasDeletions ?? false }

  /// Listens for saves of the coordinator's other contexts, or of the parent, if the context merges
  /// automatically.
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
