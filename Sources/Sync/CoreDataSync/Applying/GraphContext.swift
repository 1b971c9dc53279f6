import CoreData

/// The application's store as sync reads and writes it: one context, used between two resets.
///
/// Everything is called on the context's queue.
final class GraphContext: GraphReading {
  /// The author of sync's own transactions.
  static let author = "sync"

  let context: NSManagedObjectContext
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let map: ModelMap
  /// When a transaction was saved, by this device's clock, in milliseconds since 1970.
  var time: (NSPersistentHistoryTransaction) -> Int64 = {
    Int64($0.timestamp.timeIntervalSince1970 * 1000)
  }
  /// Whether records have the names of the transactions that made them; they are random otherwise,
  /// so that a test's seed decides everything.
  var namesByOrigin = true
  /// The point of the history that was asked about last, with its bytes.
  var lastToken: (bytes: [UInt8], token: NSPersistentHistoryToken)?
  private var objects: [String: NSManagedObject?] = [:]

  init(coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore, map: ModelMap) {
    self.coordinator = coordinator
    self.store = store
    self.map = map
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    context.transactionAuthor = Self.author
    context.mergePolicy = NSMergePolicy.error
    context.stalenessInterval = 0
  }

  /// Forgets all objects, so that they are read anew.
  func reset() {
    context.reset()
    objects = [:]
  }

  /// Forgets edits, and keeps what was read.
  func rollback() { context.rollback() }

  // MARK: - Objects

  static func uri(of object: NSManagedObject) -> String { uri(of: object.objectID) }

  static func uri(of id: NSManagedObjectID) -> String { id.uriRepresentation().absoluteString }

  /// A request for the store's objects of an entity.
  private func request(for entity: String?) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity ?? "")
    request.affectedStores = [store]
    return request
  }

  /// The object with a URI; nil if the store does not have it.
  func object(_ uri: String) -> NSManagedObject? {
    if let known = objects[uri] { return known }
    read([uri])
    return objects[uri] ?? nil
  }

  /// Reads many objects at once.
  func read(_ uris: some Sequence<String>) {
    var missing: [NSEntityDescription: [NSManagedObjectID]] = [:]
    for uri in uris where objects[uri] == nil {
      objects.updateValue(nil, forKey: uri)
      guard let url = URL(string: uri),
        let id = coordinator.managedObjectID(forURIRepresentation: url)
      else { continue }
      missing[id.entity, default: []].append(id)
    }
    for (entity, ids) in missing {
      for start in stride(from: 0, to: ids.count, by: 500) {
        let request = self.request(for: entity.name)
        let part = Array(ids[start..<min(start + 500, ids.count)])
        request.predicate = NSPredicate(format: "self IN %@", argumentArray: [part])
        request.returnsObjectsAsFaults = false
        request.includesPendingChanges = false
        // A store that cannot be read has no objects; the next save or fetch says why.
        for object in (try? context.fetch(request)) ?? [] {
          objects.updateValue(object, forKey: Self.uri(of: object))
        }
      }
    }
  }

  private var entities: [NSEntityDescription] {
    map.entities.values.map(\.description).sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// All objects that sync looks at.
  func listOfObjects() throws -> ObjectList {
    var list = ObjectList()
    for entity in entities {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name ?? "")
      request.affectedStores = [store]
      request.includesSubentities = false
      request.resultType = .managedObjectIDResultType
      for id in try context.fetch(request) { list.append(Self.uri(of: id)) }
    }
    return list
  }

  /// The URIs of all objects that sync looks at, which are read.
  func allObjects() throws -> [String] {
    try entities
      .flatMap { entity in
        let request = self.request(for: entity.name)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        return try context.fetch(request).map { object in
          let uri = Self.uri(of: object)
          objects.updateValue(object, forKey: uri)
          return uri
        }
      }
  }

  func entity(of object: NSManagedObject) -> ModelMap.Entity? {
    map.entity(named: object.entity.name)
  }

  // MARK: - Values

  func value(of attribute: String, ofObject uri: String) -> SyncValue? {
    guard let object = object(uri), let entity = entity(of: object),
      let description = entity.attributes[attribute] ?? entity.counters[attribute]
    else { return nil }
    return AttributeCoding.value(primitive(attribute, of: object), of: description)
  }

  /// The record that an object is on every device: by an attribute, or by the application's word.
  func identity(ofObject uri: String, _ entity: ModelMap.Entity) -> RecordID? {
    if let name = entity.identity, case .uuid(let uuid)? = value(of: name, ofObject: uri) {
      return RecordID(uuid)
    }
    guard let identify = map.identify, let object = object(uri) else { return nil }
    return identify(object).map { RecordID(named: $0, entity: entity.name) }
  }

  /// The URI of the object at the other end of a relationship to one.
  func target(of relationship: String, of object: NSManagedObject) -> String? {
    (primitive(relationship, of: object) as? NSManagedObject).map { Self.uri(of: $0) }
  }

  /// The URIs of the objects of a relationship to many, in order if it has one.
  func members(of relationship: String, of object: NSManagedObject) -> [String] {
    objects(of: relationship, of: object).map { Self.uri(of: $0) }
  }

  func objects(of relationship: String, of object: NSManagedObject) -> [NSManagedObject] {
    switch object.value(forKey: relationship) {
    case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: Array(set)
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  /// The stored value, past accessors of the object's class.
  private func primitive(_ key: String, of object: NSManagedObject) -> Any? {
    object.willAccessValue(forKey: key)
    defer { object.didAccessValue(forKey: key) }
    return object.primitiveValue(forKey: key)
  }

  /// The objects of an entity that have these values, by the paths of attributes; none has a value
  /// that its attribute cannot hold.
  func objects(of entity: String, where values: [String: SyncValue]) -> [String] {
    guard let description = coordinator.managedObjectModel.entitiesByName[entity] else { return [] }
    var wanted: [(path: String, value: Any)] = []
    for (path, value) in values.sorted(by: { $0.key < $1.key }) {
      let attribute = description.attribute(at: PropertyPath(path))
      let any = attribute.flatMap { AttributeCoding.any(value, for: $0) }
      guard any != nil || value == .null else { return [] }
      wanted.append((path, any ?? NSNull()))
    }
    let request = self.request(for: entity)
    request.includesPendingChanges = false
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: wanted.map { path, value in
        NSPredicate(format: "%K == %@", argumentArray: [path, value])
      })
    return ((try? context.fetch(request)) ?? []).map { Self.uri(of: $0) }.sorted()
  }
}
