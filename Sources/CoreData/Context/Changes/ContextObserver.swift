/// What changed in a context during one event. Each object is in one of the lists, once.
package struct ContextChanges {
  package var inserted: [NSManagedObject] = []
  package var updated: [NSManagedObject] = []
  package var deleted: [NSManagedObject] = []
  /// Inserted and deleted in one event: the notification names them among the deleted ones, as Apple's
  /// does; nobody else has ever heard of them.
  package var passing: [NSManagedObject] = []
  /// Changed by a merge or a refresh, not by an edit here.
  package var refreshed: [NSManagedObject] = []
  package var invalidated: [NSManagedObject] = []
  /// Rows that another context changed and that are no objects here, or just faults: no
  /// notification names them, but a list of results may want them.
  package var unregistered: [Row] = []
  /// Objects that another context deleted and that are not registered here.
  package var unregisteredDeletions: [NSManagedObjectID] = []

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && passing.isEmpty && invalidated.isEmpty && unregistered.isEmpty
      && unregisteredDeletions.isEmpty
  }

  /// - Parameter sets: Those of these changes.
  func userInfo(_ sets: EventSets) -> [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    if let inserted = sets.inserted { userInfo[NSInsertedObjectsKey] = inserted.objects }
    if let updated = sets.updated { userInfo[NSUpdatedObjectsKey] = updated.objects }
    if let deleted = sets.deleted { userInfo[NSDeletedObjectsKey] = deleted.objects }
    if !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = Set(uncounted: refreshed) }
    if !invalidated.isEmpty { userInfo[NSInvalidatedObjectsKey] = Set(uncounted: invalidated) }
    return userInfo
  }
}

/// What a new object is known by since it has a place in a store.
package struct AssignedIdentity {
  package let temporary: PackedIdentity
  package let permanent: PackedIdentity
  package let space: IdentitySpace

  package var objectID: NSManagedObjectID { space.identity(permanent) }
}

/// Is told of a context's changes at the moment when the notification is posted, without its cost.
package protocol ContextObserver: AnyObject {
  func contextDidProcess(_ changes: ContextChanges)
  /// A save has given new objects their permanent identity.
  func contextDidAssignPermanentIDs(_ assigned: [AssignedIdentity])
  func contextDidReset(_ identities: [NSManagedObjectID])
  /// Objects that somebody counts on having although nobody holds them: a refresh of all is theirs too.
  var objectsOnShow: [NSManagedObject] { get }
  /// The context is being freed, on whatever thread.
  func contextIsGone()
}

extension ContextObserver {
  package func contextIsGone() {}
  package var objectsOnShow: [NSManagedObject] { [] }
}

/// Does not keep the observer alive.
struct WeakObserver {
  weak var observer: (any ContextObserver)?
}

extension NSManagedObjectContext {
  /// Has `observer` told of every change for as long as it lives.
  package final func addObserver(_ observer: any ContextObserver) {
    observers.append(WeakObserver(observer: observer))
  }

  package final func removeObserver(_ observer: any ContextObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
  }

  final func liveObservers() -> [any ContextObserver] {
    observers.removeAll { $0.observer == nil }
    return observers.compactMap(\.observer)
  }
}
