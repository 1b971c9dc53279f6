import CoreData
import Foundation

/// The store of a ``ModelConfiguration``: Core Data's SQLite store.
///
/// Containers use Core Data's store directly. Create an instance of this class to send requests to
/// a store by hand, for example as the local copy of another service's data.
///
/// Source: developer.apple.com/documentation/swiftdata/defaultstore
///
/// Sendable: constants only; every request uses a context of its own.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding, @unchecked Sendable
{
  public typealias Configuration = ModelConfiguration
  public typealias Snapshot = DefaultSnapshot
  public typealias HistoryType = DefaultHistoryTransaction
  public typealias TokenType = DefaultHistoryToken

  /// The name of the configuration.
  public let name: String
  /// The models that the store holds.
  public let schema: Schema
  /// The configuration that the store was opened with.
  public let configuration: ModelConfiguration
  /// The store's UUID.
  public let identifier: String
  private let container: ModelContainer

  /// Opens the store and creates it if it does not exist.
  ///
  /// Throws ``SwiftDataError/configurationSchemaNotFoundInContainerSchema`` if the configuration
  /// names no schema, and the errors of ``ModelContainer``.
  public init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema,
        explanation:
          "A DefaultStore that is opened without a container takes its models from the configuration “\(configuration.name)”, "
          + "which names none: pass ModelConfiguration(schema:)")
    }
    container = try ModelContainer(
      for: schema, migrationPlan: migrationPlan, configurations: [configuration])
    self.schema = schema
    self.configuration = configuration
    name = configuration.name
    identifier = container.coordinator.persistentStores.first?.identifier ?? ""
    // Its snapshots are decoded with this schema, like those of a custom store.
    KnownSchemas.note(schema)
    KnownSchemas.note(schema, ofStore: identifier)
  }

  private func context(_ state: EditingState) -> ModelContext {
    let context = ModelContext(container)
    context.editingState = state
    return context
  }

  // MARK: - Reading

  /// Fetches models, with the destinations of the relationships that the descriptor prefetches.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let context = context(request.editingState)
    let models = try context.fetch(request.descriptor)
    var related: [PersistentIdentifier: any BackingData] = [:]
    let fetched = models.map { snapshot(of: $0, &related) }
    let prefetched = Set(
      request.descriptor.relationshipKeyPathsForPrefetching.compactMap {
        ModelType.of(T.self).property(for: $0)?.name
      })
    let wanted = Set(fetched.flatMap { snapshot in prefetched.flatMap(snapshot.related) })
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: fetched,
      relatedSnapshots: related.filter { wanted.contains($0.key) }.mapValues { data in
        var others: [PersistentIdentifier: any BackingData] = [:]
        return DefaultSnapshot(from: data, relatedBackingDatas: &others)
      })
  }

  private func snapshot<T: PersistentModel>(
    of model: T, _ related: inout [PersistentIdentifier: any BackingData]
  ) -> DefaultSnapshot {
    DefaultSnapshot(from: model.persistentBackingData, relatedBackingDatas: &related)
  }

  /// Counts models.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try context(request.editingState).fetchCount(request.descriptor)
  }

  /// Fetches the identifiers of models.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try context(request.editingState).fetchIdentifiers(request.descriptor)
  }

  /// Snapshots of those models that the store has.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    let context = context(editingState)
    var found: [PersistentIdentifier: DefaultSnapshot] = [:]
    for identifier in persistentIdentifiers {
      guard let object = try object(identifier, in: context), let data = object as? any BackingData
      else { continue }
      var related: [PersistentIdentifier: any BackingData] = [:]
      found[identifier] = DefaultSnapshot(from: data, relatedBackingDatas: &related)
    }
    return found
  }

  /// The object of an identifier; nil if the store does not have it.
  private func object(
    _ identifier: PersistentIdentifier, in context: ModelContext
  ) throws -> ManagedModelObject? {
    guard let id = context.objectID(of: identifier) else { return nil }
    do {
      return try context.managed.existingObject(with: id) as? ManagedModelObject
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return nil
    }
  }

  // MARK: - Writing

  /// Saves changes. Throws ``SwiftDataError/modelValidationFailure`` for an update or a deletion of
  /// a model that no longer exists, and the errors of ``ModelContext/save()``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let context = context(request.editingState)
    var objects: [PersistentIdentifier: ManagedModelObject] = [:]
    for snapshot in request.inserted {
      objects[snapshot.persistentIdentifier] = try insert(snapshot, in: context)
    }
    for snapshot in request.updated + request.deleted {
      let identifier = snapshot.persistentIdentifier
      objects[identifier] = try known(identifier, in: context)
    }
    for snapshot in request.inserted + request.updated {
      guard let object = objects[snapshot.persistentIdentifier] else { continue }
      for property in object.modelType.properties where property.isKept {
        if property.isRelationship {
          let related = try snapshot.related(property.name).map { identifier in
            try objects[identifier] ?? known(identifier, in: context)
          }
          object.setRelated(related.map(\.face) as [AnyObject], property: property, of: object.face)
        } else {
          if let value = snapshot.values[property.name] {
            object.write(property.value(ofSnapshotValue: value), property: property)
          } else {
            object.write(Any?.none, property: property)
          }
        }
      }
    }
    for snapshot in request.deleted {
      if let object = objects[snapshot.persistentIdentifier] { context.managed.delete(object) }
    }
    try context.save()
    return DataStoreSaveChangesResult(
      for: identifier,
      remappedIdentifiers: Dictionary(
        request.inserted.compactMap { snapshot in
          objects[snapshot.persistentIdentifier].map {
            (snapshot.persistentIdentifier, $0.identifier)
          }
        }, uniquingKeysWith: { $1 }))
  }

  private func insert(
    _ snapshot: DefaultSnapshot, in context: ModelContext
  ) throws -> ManagedModelObject {
    let name = snapshot.persistentIdentifier.entityName
    guard let type = schema.entitiesByName[name]?.modelType else {
      throw SwiftDataError(
        .modelValidationFailure,
        explanation: "The store “\(self.name)” has no model \(name); its schema has "
          + schema.entities.map(\.name).sorted().joined(separator: ", "))
    }
    let model = ModelContext.empty(type.type)
    context.insert(anyModel: model)
    return model.managed!
  }

  private func known(
    _ identifier: PersistentIdentifier, in context: ModelContext
  ) throws -> ManagedModelObject {
    if let object = try object(identifier, in: context) { return object }
    throw SwiftDataError(
      .modelValidationFailure,
      explanation:
        "The store “\(name)” has no model \(identifier.uri.absoluteString), which the request changes or leads to"
    )
  }

  /// Deletes models by their delete rules and saves.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let context = context(request.editingState)
    try context.delete(
      model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    try context.save()
  }

  /// Deletes the store's file. The store cannot be used afterwards.
  public func erase() throws { try container.erase() }

  /// Does nothing.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing.
  public func invalidateState(for editingState: EditingState) {}

  // MARK: - History

  /// The type of the store's transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Fetches transactions of the store's history.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try ModelContext(container).fetchHistory(descriptor)
  }

  /// Deletes transactions of the store's history.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try ModelContext(container).deleteHistory(descriptor)
  }
}
