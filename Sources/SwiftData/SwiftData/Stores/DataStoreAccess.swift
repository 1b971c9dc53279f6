import Foundation

/// Type-erased custom store with serialized calls.
protocol DataStoreAccess: AnyObject, Sendable {
  var store: any DataStore { get }
  var identifier: String { get }
  /// The container's schema.
  var schema: Schema { get }
  var deletesInBatches: Bool { get }

  /// Runs `body` without calls from other threads in between. Use it to keep a request and the
  /// recording of its result together: a fetch by another thread in between could return
  /// identifiers that are not recorded yet, or record old values after new ones.
  func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result

  func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> FetchedSnapshots
  func count<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> Int
  func identifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> [PersistentIdentifier]
  func cached(
    _ identifier: PersistentIdentifier, state: EditingState
  ) throws -> DefaultSnapshot?
  func save(_ changes: ChangedModels, state: EditingState) throws -> SavedSnapshots
  func delete<T: PersistentModel>(
    _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, state: EditingState
  ) throws
  func erase() throws
  func begin(_ state: EditingState)
  func end(_ state: EditingState)
}

struct FetchedSnapshots {
  let fetched: [DefaultSnapshot]
  let related: [DefaultSnapshot]
}

/// The changes of one save that belong to one store.
struct ChangedModels {
  let inserted: [ManagedModelObject]
  let updated: [ManagedModelObject]
  let deleted: [ManagedModelObject]

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

struct SavedSnapshots {
  /// Permanent identifiers by temporary ones.
  let remapped: [PersistentIdentifier: PersistentIdentifier]
  /// The inserted and updated models with their permanent identifiers.
  let saved: [DefaultSnapshot]
  /// The models whose values in the store differ from those in the context.
  let reregistered: [DefaultSnapshot]
}

/// Custom store behind a lock.
///
/// Sendable: the lock allows one thread at a time into the store; the other properties are
/// constants.
final class LockedDataStore<Store: DataStore>: DataStoreAccess, @unchecked Sendable {
  private let typed: Store
  let schema: Schema
  /// Recursive, because a store may use a context of its own.
  private let lock = NSRecursiveLock()
  let identifier: String

  init(_ store: Store, schema: Schema) {
    typed = store
    self.schema = schema
    identifier = store.identifier
  }

  var store: any DataStore { typed }
  var deletesInBatches: Bool { typed is any DataStoreBatching }

  func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock(body)
  }

  // MARK: - Reading

  func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> FetchedSnapshots {
    let result = try lock.withLock { try typed.fetch(request(descriptor, state: state)) }
    return FetchedSnapshots(
      fetched: try result.fetchedSnapshots.map(plain),
      related: try result.relatedSnapshots.values.map(plain))
  }

  func count<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> Int {
    try lock.withLock { try typed.fetchCount(request(descriptor, state: state)) }
  }

  func identifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) throws -> [PersistentIdentifier] {
    try lock.withLock { try typed.fetchIdentifiers(request(descriptor, state: state)) }
  }

  func cached(
    _ identifier: PersistentIdentifier, state: EditingState
  ) throws -> DefaultSnapshot? {
    try lock.withLock { try typed.cachedSnapshots(for: [identifier], editingState: state) }[
      identifier
    ].map(plain)
  }

  private func request<T>(
    _ descriptor: FetchDescriptor<T>, state: EditingState
  ) -> DataStoreFetchRequest<T> {
    DataStoreFetchRequest(descriptor: descriptor, editingState: state)
  }

  // MARK: - Writing

  func save(_ changes: ChangedModels, state: EditingState) throws -> SavedSnapshots {
    let request = DataStoreSaveChangesRequest(
      inserted: changes.inserted.compactMap(snapshot),
      updated: changes.updated.compactMap(snapshot),
      deleted: changes.deleted.compactMap(snapshot), editingState: state)
    let result = try lock.withLock { try typed.save(request) }
    let remapped = result.remappedIdentifiers
    for snapshot in request.inserted {
      try check(snapshot.persistentIdentifier, remapped: remapped)
    }
    let saved = (request.inserted + request.updated).map { snapshot in
      let identifier = snapshot.persistentIdentifier
      return snapshot.copy(
        persistentIdentifier: remapped[identifier] ?? identifier, remappedIdentifiers: remapped)
    }
    return SavedSnapshots(
      remapped: remapped, saved: try saved.map(plain),
      reregistered: try result.snapshotsToReregister.values.map(plain))
  }

  private func check(
    _ temporary: PersistentIdentifier, remapped: [PersistentIdentifier: PersistentIdentifier]
  ) throws {
    guard let permanent = remapped[temporary] else {
      throw DataStoreMisuse.error(
        "\(Store.self) has saved a new \(temporary.entityName) and says no identifier of it: "
          + "remappedIdentifiers of the result must have one for each inserted snapshot")
    }
    guard permanent.storeIdentifier == identifier, permanent.entityName == temporary.entityName
    else {
      throw DataStoreMisuse.error(
        "\(Store.self) “\(identifier)” gave a new \(temporary.entityName) the identifier \(permanent.uri.absoluteString), "
          + "which is of another store or model: make it with PersistentIdentifier.identifier(for:entityName:primaryKey:)"
      )
    }
  }

  func delete<T: PersistentModel>(
    _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, state: EditingState
  ) throws {
    guard let batching = typed as? any DataStoreBatching else { return }
    try lock.withLock {
      try batching.delete(
        DataStoreBatchDeleteRequest(
          predicate: predicate, includeSubclasses: includeSubclasses, editingState: state))
    }
  }

  func erase() throws { try lock.withLock { try typed.erase() } }

  func begin(_ state: EditingState) { lock.withLock { typed.initializeState(for: state) } }

  func end(_ state: EditingState) { lock.withLock { typed.invalidateState(for: state) } }

  // MARK: - Snapshots

  private func snapshot(_ object: ManagedModelObject) -> Store.Snapshot? {
    guard let data = object as? any BackingData else { return nil }
    var related: [PersistentIdentifier: any BackingData] = [:]
    return Store.Snapshot(from: data, relatedBackingDatas: &related)
  }

  /// Converts a snapshot of the store's own type by encoding and decoding it.
  private func plain(_ snapshot: Store.Snapshot) throws -> DefaultSnapshot {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot }
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.userInfo[.snapshotSchema] = schema
    return try decoder.decode(DefaultSnapshot.self, from: encoder.encode(snapshot))
  }
}

/// Errors for invalid answers of a store.
enum DataStoreMisuse {
  static func error(_ explanation: String) -> SwiftDataError {
    SwiftDataError(.modelValidationFailure, explanation: explanation)
  }
}
