/// What one event has done to one object: an element of ``NSManagedObject/changes(ofKeys:)`` and of
/// ``NSManagedObjectContext/objectChanges()``.
public struct ManagedObjectChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case inserted
    case updated
    case deleted
    /// The values are read anew, or another context has saved others.
    case refreshed
    /// The context was reset: it knows the object no more.
    case invalidated
  }

  public let kind: Kind
  public let objectID: NSManagedObjectID
  /// The names of the properties that were edited; empty where the event does not say which, as a merge.
  public let keys: Set<String>
}

extension ManagedObjectChange {
  fileprivate init(_ kind: Kind, _ object: NSManagedObject) {
    let isEdit = kind == .updated || kind == .inserted
    self.init(
      kind: kind, objectID: object.objectID, keys: isEdit ? object.keysChangedByEvent : [])
  }
}

extension ContextChanges {
  private var objects: [(kind: ManagedObjectChange.Kind, objects: [NSManagedObject])] {
    [
      (.inserted, inserted), (.updated, updated), (.deleted, deleted), (.refreshed, refreshed),
      (.invalidated, invalidated),
    ]
  }

  /// Every change of an object that the context has.
  var all: [ManagedObjectChange] {
    objects.flatMap { kind, objects in objects.map { ManagedObjectChange(kind, $0) } }
  }

  /// The change of one object, be it registered or not.
  func change(of identity: NSManagedObjectID) -> ManagedObjectChange? {
    for (kind, objects) in objects {
      if let object = objects.first(where: { $0.objectID.resolved === identity }) {
        return ManagedObjectChange(kind, object)
      }
    }
    if unregistered.contains(where: { $0.identity === identity }) {
      return ManagedObjectChange(kind: .refreshed, objectID: identity, keys: [])
    }
    if unregisteredDeletions.contains(where: { $0 === identity }) {
      return ManagedObjectChange(kind: .deleted, objectID: identity, keys: [])
    }
    return nil
  }
}
