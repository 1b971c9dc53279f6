/// What a context asks a store for.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorefetchrequest
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  public let editingState: EditingState
  public let descriptor: FetchDescriptor<T>

  /// For a store that is asked by hand.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// What a store has found.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorefetchresult
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  public let descriptor: FetchDescriptor<ModelType>
  /// In the descriptor's order.
  public let fetchedSnapshots: [SnapshotType]
  /// Others that the store has read on the way, so that nobody has to ask for them.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// What a save of a context writes into one store. A model whose relationship has changed on the other side alone is
/// among the updated ones.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresavechangesrequest
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  public let editingState: EditingState
  /// With identifiers that hold for this save alone.
  public let inserted: [SnapshotType]
  public let updated: [SnapshotType]
  public let deleted: [SnapshotType]

  /// For a store that is asked by hand.
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

/// What a store has made of a save.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresavechangesresult
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  public let storeIdentifier: String
  /// The store's identifier of each inserted model, by the one that it came with.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// Models that have other values in the store than they came with; the context takes them over.
  public let snapshotsToReregister: [PersistentIdentifier: T]

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

/// Which models to delete at once.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorebatchdeleterequest
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  public let editingState: EditingState
  /// nil: all models of the class.
  public let predicate: Predicate<T>?
  public let includeSubclasses: Bool

  /// For a store that is asked by hand.
  public init(
    predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}
