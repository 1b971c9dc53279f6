/// A fetch of a context from a store.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorefetchrequest
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The state of the context that fetches.
  public let editingState: EditingState
  /// The models to fetch.
  public let descriptor: FetchDescriptor<T>

  /// Creates a request, for direct use of a store.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// The result of a fetch from a store.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorefetchresult
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// The descriptor of the request.
  public let descriptor: FetchDescriptor<ModelType>
  /// The fetched models in the descriptor's order.
  public let fetchedSnapshots: [SnapshotType]
  /// Related models that the store has read along with them, which saves later requests.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Creates a result.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// The changes of a context's save that belong to one store. Updated models include those whose
/// relationship was changed only from the other end.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresavechangesrequest
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The state of the context that saves.
  public let editingState: EditingState
  /// The new models, with temporary identifiers that are valid for this save only.
  public let inserted: [SnapshotType]
  /// The updated models.
  public let updated: [SnapshotType]
  /// The deleted models.
  public let deleted: [SnapshotType]

  /// Creates a request, for direct use of a store.
  public init(
    inserted: [SnapshotType] = [], updated: [SnapshotType] = [], deleted: [SnapshotType] = [],
    editingState: EditingState
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.editingState = editingState
  }
}

/// The result of a save.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresavechangesresult
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The identifier of the store.
  public let storeIdentifier: String
  /// The permanent identifier of each inserted model, by its temporary one.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// The models whose values in the store differ from those of the request; the context adopts
  /// them.
  public let snapshotsToReregister: [PersistentIdentifier: T]

  /// Creates a result.
  public init(
    for storeIdentifier: String,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:]
  ) {
    self.storeIdentifier = storeIdentifier
    self.remappedIdentifiers = remappedIdentifiers
    self.snapshotsToReregister = snapshotsToReregister
  }
}

/// A batch deletion.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorebatchdeleterequest
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// The state of the context that deletes.
  public let editingState: EditingState
  /// The condition on the models; nil selects all models of the class.
  public let predicate: Predicate<T>?
  /// Whether models of subclasses are deleted too.
  public let includeSubclasses: Bool

  /// Creates a request, for direct use of a store.
  public init(
    predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}
