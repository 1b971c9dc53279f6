import CoreData
import Foundation

/// The store of a ``ModelConfiguration``: Core Data's, in SQLite.
///
/// A container works with Core Data's store itself. An instance of this class is for those who speak to the store by
/// requests, such as a custom store that keeps a copy of what another service has.
///
/// Source: developer.apple.com/documentation/swiftdata/defaultstore
///
/// Sendable: every request works in a context of its own.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding, @unchecked Sendable
{
  public typealias Configuration = ModelConfiguration
  public typealias Snapshot = DefaultSnapshot
  public typealias HistoryType = DefaultHistoryTransaction
  public typealias TokenType = DefaultHistoryToken

  public let name: String
  public let schema: Schema
  public let configuration: ModelConfiguration
  /// The store's UUID.
  public let identifier: String
  private let container: ModelContainer

  /// Opens the store, which is made where there is none. The configuration must name its schema.
  public init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema,
        "A DefaultStore that is opened without a container takes its models from the configuration “\(configuration.name)”, "
          + "which names none: pass ModelConfiguration(schema:)")
    }
    container = try ModelContainer(
      for: schema, migrationPlan: migrationPlan, configurations: [configuration])
    self.schema = schema
    self.configuration = configuration
    name = configuration.name
    identifier = container.coordinator.persistentStores.first?.identifier ?? ""
    // Its snapshots are decoded by it, as those of a custom store are.
    KnownSchemas.note(schema)
    KnownSchemas.note(schema, ofStore: identifier)
  }

  private func context(_ state: EditingState) -> ModelContext {
    let context = ModelContext(container)
    context.editingState = state
    return context
  }

  // MARK: - Reading

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

  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try context(request.editingState).fetchCount(request.descriptor)
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try context(request.editingState).fetchIdentifiers(request.descriptor)
  }

  /// Of those that the store has.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    let context = context(editingState)
    var found: [PersistentIdentifier: DefaultSnapshot] = [:]
    for identifier in persistentIdentifiers {
      guard let object = try object(identifier, context), let data = object as? any BackingData
      else { continue }
      var related: [PersistentIdentifier: any BackingData] = [:]
      found[identifier] = DefaultSnapshot(from: data, relatedBackingDatas: &related)
    }
    return found
  }

  /// nil for one that the store does not have.
  private func object(
    _ identifier: PersistentIdentifier, _ context: ModelContext
  ) throws -> ManagedModelObject? {
    guard let id = context.objectID(of: identifier) else { return nil }
    do {
      return try context.managed.existingObject(with: id) as? ManagedModelObject
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return nil
    }
  }

  // MARK: - Writing

  /// Throws ``SwiftDataError/modelValidationFailure`` for an update or a deletion of a model that is gone, and what the
  /// save of a context throws.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let context = context(request.editingState)
    var objects: [PersistentIdentifier: ManagedModelObject] = [:]
    for snapshot in request.inserted {
      objects[snapshot.persistentIdentifier] = try insert(snapshot, context)
    }
    for snapshot in request.updated + request.deleted {
      let identifier = snapshot.persistentIdentifier
      objects[identifier] = try known(identifier, context)
    }
    for snapshot in request.inserted + request.updated {
      guard let object = objects[snapshot.persistentIdentifier] else { continue }
      for property in object.modelType.properties where property.isKept {
        if property.isRelationship {
          let related = try snapshot.related(property.name).map { identifier in
            try objects[identifier] ?? known(identifier, context)
          }
          object.setRelated(related.map(\.face) as [AnyObject], property, of: object.face)
        } else {
          if let value = snapshot.values[property.name] {
            object.write(property.value(ofSnapshotValue: value), property)
          } else {
            object.write(Any?.none, property)
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
    _ snapshot: DefaultSnapshot, _ context: ModelContext
  ) throws -> ManagedModelObject {
    let name = snapshot.persistentIdentifier.entityName
    guard let type = schema.entitiesByName[name]?.modelType else {
      throw SwiftDataError(
        .modelValidationFailure,
        "The store “\(self.name)” has no model \(name); its schema has "
          + schema.entities.map(\.name).sorted().joined(separator: ", "))
    }
    let model = ModelContext.empty(type.type)
    context.insert(anyModel: model)
    return model.managed!
  }

  private func known(
    _ identifier: PersistentIdentifier, _ context: ModelContext
  ) throws -> ManagedModelObject {
    if let object = try object(identifier, context) { return object }
    throw SwiftDataError(
      .modelValidationFailure,
      "The store “\(name)” has no model \(identifier.uri.absoluteString), which the request changes or leads to"
    )
  }

  /// Deletes by the models' delete rules, and saves.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let context = context(request.editingState)
    try context.delete(
      model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    try context.save()
  }

  /// Deletes the file; the store is of no further use.
  public func erase() throws { try container.erase() }

  public func initializeState(for editingState: EditingState) {}

  public func invalidateState(for editingState: EditingState) {}

  // MARK: - History

  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try ModelContext(container).fetchHistory(descriptor)
  }

  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try ModelContext(container).deleteHistory(descriptor)
  }
}
