/// The changes of one event in a context. Each object is in one of the lists, once.
package struct ContextChanges {
  package var inserted: [NSManagedObject] = []
  package var updated: [NSManagedObject] = []
  package var deleted: [NSManagedObject] = []
  /// Inserted and deleted in one event: listed among the deleted objects in the notification, as by
  /// Apple's framework, and otherwise unknown to other contexts.
  package var passing: [NSManagedObject] = []
  /// Changed by a merge or a refresh, not by an edit in this context.
  package var refreshed: [NSManagedObject] = []
  package var invalidated: [NSManagedObject] = []
  /// Rows that another context changed and whose objects are unregistered or faults here: no
  /// notification names them, but a list of results may need them.
  package var unregistered: [Row] = []
  /// Objects that another context deleted and that are unregistered here.
  package var unregisteredDeletions: [NSManagedObjectID] = []

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && passing.isEmpty && invalidated.isEmpty && unregistered.isEmpty
      && unregisteredDeletions.isEmpty
  }

  /// The user info of the notification.
  ///
  /// - Parameter sets: the sets of these changes.
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

/// The permanent identity that an object was assigned, and its temporary one.
package struct AssignedIdentity {
  package let temporary: PackedIdentity
  package let permanent: PackedIdentity
  package let space: IdentitySpace

  package var objectID: NSManagedObjectID { space.identity(permanent) }
}

/// An observer of a context's changes, called when the notification is posted, without its cost.
package protocol ContextObserver: AnyObject {
  func contextDidProcess(_ changes: ContextChanges)
  /// Called when new objects have been assigned permanent identities.
  func contextDidAssignPermanentIDs(_ assigned: [AssignedIdentity])
  func contextDidReset(_ identities: [NSManagedObjectID])
  /// Objects that the observer relies on without retaining them: a refresh of all objects includes
  /// them.
  var objectsOnShow: [NSManagedObject] { get }
  /// Called while the context is being freed, on any thread.
  func contextIsGone()
}

extension ContextObserver {
  package func contextIsGone() {}
  package var objectsOnShow: [NSManagedObject] { [] }
}

/// A weak reference to an observer.
struct WeakObserver {
  weak var observer: (any ContextObserver)?
}

extension NSManagedObjectContext {
  /// Adds an observer, which is called for every change for as long as it lives.
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
