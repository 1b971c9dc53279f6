/// The change of one object by one event: an element of ``NSManagedObject/changes(ofKeys:)`` and of
/// ``NSManagedObjectContext/objectChanges()``.
public struct ManagedObjectChange: Hashable, Sendable {
  /// The kinds of changes.
  public enum Kind: Hashable, Sendable {
    case inserted
    case updated
    case deleted
    /// The values were read again, or another context has saved other values.
    case refreshed
    /// The context was reset and no longer has the object.
    case invalidated
  }

  /// The kind of the change.
  public let kind: Kind
  /// The ID of the object.
  public let objectID: NSManagedObjectID
  /// The names of the edited properties; empty if the event does not name them, as after a merge.
  public let keys: Set<String>
}

extension ManagedObjectChange {
  fileprivate init(_ kind: Kind, object: NSManagedObject) {
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

  /// The changes of all objects in the context.
  var all: [ManagedObjectChange] {
    objects.flatMap { kind, objects in objects.map { ManagedObjectChange(kind, object: $0) } }
  }

  /// The change of one object, registered or not; nil if the event has not changed it.
  func change(of identity: NSManagedObjectID) -> ManagedObjectChange? {
    for (kind, objects) in objects {
      if let object = objects.first(where: { $0.objectID.resolved === identity }) {
        return ManagedObjectChange(kind, object: object)
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
