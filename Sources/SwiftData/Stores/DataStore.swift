/// A store of one's own: a file of another form, a service, a database.
///
/// A container opens it by its ``DataStoreConfiguration``. Contexts ask it for snapshots of models and give it snapshots
/// to save; what they do with them, from faults to relationships and undo, is what they do with any store's. One call
/// comes at a time, on the thread of the context that it is for.
///
/// What a store throws reaches the caller as it is. ``DataStoreError/preferInMemoryFilter`` and
/// ``DataStoreError/preferInMemorySort`` do not: the store is asked again without predicate or order, and for all.
///
/// Source: developer.apple.com/documentation/swiftdata/datastore
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Self == Configuration.Store
  associatedtype Snapshot: DataStoreSnapshot

  /// What identifiers name the store by: the same each time that it is opened, and no other store's.
  var identifier: String { get }
  var schema: Schema { get }
  var configuration: Configuration { get }

  /// Opens the store. The configuration has a schema: that of the container, where it named none.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// The models of a class, and of those that inherit from it, as the descriptor says.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>

  /// How many models ``fetch(_:)`` would give.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int

  /// The identifiers of the models that ``fetch(_:)`` would give.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes everything, or throws and writes nothing. Each inserted model gets an identifier:
  /// ``PersistentIdentifier/identifier(for:entityName:primaryKey:)``.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes all that the store has.
  func erase() throws

  /// A context begins to use the store.
  func initializeState(for editingState: EditingState)

  /// A context uses the store no more.
  func invalidateState(for editingState: EditingState)

  /// Models that the store has at hand: asked before ``fetch(_:)`` when a context needs the values of one.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Throws ``DataStoreError/unsupportedFeature``.
  public func erase() throws { throw DataStoreError.unsupportedFeature }

  public func initializeState(for editingState: EditingState) {}

  public func invalidateState(for editingState: EditingState) {}

  /// None.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// A store that deletes many models without being told each. A save that deletes what one
/// `ModelContext.delete(model:where:)` has found, and does nothing else, is given to it whole.
///
/// Source: developer.apple.com/documentation/swiftdata/datastorebatching
public protocol DataStoreBatching: DataStore {
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// Where a store is, and which models it holds: what a container opens a store by.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoreconfiguration
public protocol DataStoreConfiguration: Hashable {
  associatedtype Store: DataStore where Self == Store.Configuration

  /// No two configurations of a container have the same.
  var name: String { get }
  /// The models that the store holds; nil: those of the container.
  var schema: Schema? { get set }

  /// Throws for a configuration that no store can be opened by.
  func validate() throws
}

extension DataStoreConfiguration {
  public func validate() throws {}
}

/// What a store says of a request.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoreerror
public enum DataStoreError: Error, Equatable, Hashable {
  case unsupportedFeature
  /// The context shall filter: the store is asked again without the predicate.
  case preferInMemoryFilter
  /// The context shall sort: the store is asked again without an order.
  case preferInMemorySort
  case invalidPredicate
}
