/// Protocol for a store of your own: a file in another format, a service, a database.
///
/// A container opens the store through its ``DataStoreConfiguration``. Contexts fetch snapshots of
/// models from it and pass snapshots to save. Faulting, relationships, undo and everything else
/// work as with any other store. Calls are serialized; each comes on the thread of the context that
/// makes it.
///
/// Errors that the store throws reach the caller unchanged, with two exceptions: after
/// ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` the context
/// repeats the request without the predicate or the sort order, and without limits.
///
/// Source: developer.apple.com/documentation/swiftdata/datastore
public protocol DataStore: AnyObject {
  /// The configuration that opens the store.
  associatedtype Configuration: DataStoreConfiguration where Self == Configuration.Store
  /// The type of the store's snapshots.
  associatedtype Snapshot: DataStoreSnapshot

  /// Identifier of the store within ``PersistentIdentifier``: unique, and equal each time the store
  /// is opened.
  var identifier: String { get }
  /// The models that the store holds.
  var schema: Schema { get }
  /// The configuration that the store was opened with.
  var configuration: Configuration { get }

  /// Opens the store. If the configuration names no schema, it has the container's when this is
  /// called.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Fetches the models of a class and its subclasses, as the descriptor requests.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>

  /// The number of models that ``fetch(_:)`` would return.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int

  /// The identifiers of the models that ``fetch(_:)`` would return.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Saves all changes, or throws and saves none. The result must have an identifier for each
  /// inserted model: ``PersistentIdentifier/identifier(for:entityName:primaryKey:)``.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes all content of the store.
  func erase() throws

  /// Called when a context starts to use the store.
  func initializeState(for editingState: EditingState)

  /// Called when a context stops using the store.
  func invalidateState(for editingState: EditingState)

  /// Returns snapshots that the store has in memory. Called before ``fetch(_:)`` when a context
  /// needs the values of one model.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Default: the number of snapshots that ``fetch(_:)`` returns.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Default: the identifiers of the snapshots that ``fetch(_:)`` returns.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Default: throws ``DataStoreError/unsupportedFeature``.
  public func erase() throws { throw DataStoreError.unsupportedFeature }

  /// Default: does nothing.
  public func initializeState(for editingState: EditingState) {}

  /// Default: does nothing.
  public func invalidateState(for editingState: EditingState) {}

  /// Default: returns no snapshots.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// A store that can delete many models by a predicate. It receives a save as one batch deletion if
/// the save deletes exactly the models found by one `ModelContext.delete(model:where:)` and has no
/// other changes.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorebatching
public protocol DataStoreBatching: DataStore {
  /// Deletes the models of a request.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// Configuration of a custom store: where it is, and which models it holds. A container opens the
/// store with it.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoreconfiguration
public protocol DataStoreConfiguration: Hashable {
  /// The store that the configuration opens.
  associatedtype Store: DataStore where Self == Store.Configuration

  /// The name, unique among the configurations of a container.
  var name: String { get }
  /// The models that the store holds; nil for those of the container.
  var schema: Schema? { get set }

  /// Throws if no store can be opened with the configuration.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Default: accepts every configuration.
  public func validate() throws {}
}

/// An error by which a store declines a request.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoreerror
public enum DataStoreError: Error, Equatable, Hashable {
  /// The store cannot do what the request asks for.
  case unsupportedFeature
  /// The context should filter in memory: it repeats the request without the predicate.
  case preferInMemoryFilter
  /// The context should sort in memory: it repeats the request without the sort order.
  case preferInMemorySort
  /// The store cannot evaluate the predicate.
  case invalidPredicate
}
