import CoreData
import Foundation

/// Adapter from Core Data to a custom store: an incremental store over any ``DataStore`` and its
/// snapshots.
///
/// There is only one object graph, Core Data's: faults, relationships, pending changes, undo and
/// merging between contexts work as for any store. Each fetch request carries the descriptor as its
/// ``StoreQuestion``; filtering and sorting that the store declines is done here, on rows.
///
/// Sendable: constants only; the identifier table and the cache lock on their own.
final class SnapshotStore: NSIncrementalStore, @unchecked Sendable {
  static let type = NSPersistentStore.StoreType(rawValue: "SwiftData.DataStore")
  private static let accessKey = "SwiftData.DataStoreAccess"
  private static let isRegistered: Void = NSPersistentStoreCoordinator.registerStoreClass(
    SnapshotStore.self, type: type)

  let access: any DataStoreAccess
  let identifiers = IdentifierTable()
  let snapshots = SnapshotCache()

  static func add(
    _ access: any DataStoreAccess, named name: String, configuration: String?,
    to coordinator: NSPersistentStoreCoordinator
  ) throws -> SnapshotStore {
    _ = isRegistered
    var address = URLComponents()
    address.scheme = "datastore"
    address.path = "/" + name
    let store = try coordinator.addPersistentStore(
      type: type, configuration: configuration,
      at: address.url ?? URL(fileURLWithPath: "/dev/null"), options: [accessKey: access])
    return store as! SnapshotStore
  }

  required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
  ) {
    guard let access = options?[Self.accessKey] as? any DataStoreAccess else {
      fatalError("A \(Self.type.rawValue) is opened by a ModelContainer")
    }
    self.access = access
    super.init(
      persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  override func loadMetadata() throws {
    metadata = [NSStoreTypeKey: Self.type.rawValue, NSStoreUUIDKey: access.identifier]
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    switch request {
    case let save as NSSaveChangesRequest:
      try self.save(save, in: context)
      return []
    case let fetch as NSFetchRequest<NSFetchRequestResult>: return try results(of: fetch, context)
    default: throw DataStoreError.unsupportedFeature
    }
  }

  func editingState(of context: NSManagedObjectContext?) -> EditingState {
    (context as? ModelObjectContext)?.editingState ?? EditingState()
  }

  func modelType(of entity: NSEntityDescription) -> ModelType? {
    entity.name.flatMap { access.schema.entitiesByName[$0]?.modelType }
  }

  // MARK: - Identifiers

  func id(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    guard let entity = entity(named: identifier.entityName) else { return nil }
    return identifiers.id(of: identifier) {
      newObjectID(for: entity, referenceObject: NSNumber(value: $0))
    }
  }

  private func entity(named name: String) -> NSEntityDescription? {
    persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
  }

  /// The object IDs of the identifiers in an answer. Throws if an identifier is of another store or
  /// entity.
  func ids(
    of answered: [PersistentIdentifier], for entity: NSEntityDescription?
  ) throws -> [NSManagedObjectID] {
    try answered.map { identifier in
      guard identifier.storeIdentifier == access.identifier, let id = id(of: identifier),
        entity.map(id.entity.isKindOf(entity:)) ?? true
      else {
        throw DataStoreMisuse.error(
          "\(Swift.type(of: access.store)) “\(access.identifier)” was asked for \(entity?.name ?? "models of the schema") and "
            + "answered with \(identifier.uri.absoluteString), which is of another model or store")
      }
      return id
    }
  }

  /// Object IDs for new objects, mapped to their temporary identifiers until the store returns
  /// permanent ones.
  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    array.map { object in
      let temporary = PersistentIdentifier(object.objectID)
      return identifiers.id(of: temporary) {
        newObjectID(for: object.entity, referenceObject: NSNumber(value: $0))
      }
    }
  }

  // MARK: - Values

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    // Constant version: contexts count their saves themselves and compare rows.
    NSIncrementalStoreNode(
      objectID: objectID, withValues: try values(of: objectID, context), version: 1)
  }

  /// The values of an object in Core Data's form, by property name, without to-many relationships.
  func values(
    of objectID: NSManagedObjectID, _ context: NSManagedObjectContext?
  ) throws -> [String: Any] {
    let snapshot = try self.snapshot(of: objectID, context)
    var values: [String: Any] = [:]
    for property in modelType(of: objectID.entity)?.properties ?? []
    where property.isKept && property.kind != .toMany {
      if property.kind == .toOne {
        let target = snapshot.related(property.name).first.flatMap(id)
        values[property.name] = target ?? NSNull()
      } else {
        let value = snapshot.values[property.name]
        values[property.name] = value.flatMap { property.boxed(snapshotValue: $0) } ?? NSNull()
      }
    }
    return values
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    let related = try snapshot(of: objectID, context).related(relationship.name).compactMap(id)
    return relationship.isToMany ? related : related.first ?? NSNull()
  }

  // MARK: - Registered objects

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    snapshots.begin(objectIDs)
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    snapshots.end(objectIDs)
  }
}
