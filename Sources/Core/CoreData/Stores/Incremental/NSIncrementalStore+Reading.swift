// Reads of the coordinator, turned into the requests and calls that a client's incremental store
// answers.
extension NSIncrementalStore: RowStore {
  package final var readsByIdentity: Bool { true }

  package final func rows(_ plan: FetchPlan) throws -> [Row] {
    try fetchedIdentities(plan).compactMap(row)
  }

  package final func identities(
    _ plan: FetchPlan
  ) throws -> ContiguousArray<PackedIdentity> {
    ContiguousArray(try fetchedIdentities(plan).map(\.packed))
  }

  package final func count(_ plan: FetchPlan) throws -> Int {
    let result = try results(plan, type: .countResultType)
    if result.count == 1, let number = (result.first as? NSNumber)?.intValue { return number }
    throw misuse("execute(_:with:) must answer a fetch of a count with one number", given: result)
  }

  package final func table(_ plan: TablePlan) throws -> [[Any?]] {
    let reader = TableReader(reader: RowReader(source: CoordinatorRows(store: self)), plan: plan)
    var everything = plan.rows
    everything.limit = 0
    everything.offset = 0
    return try reader.table(rows(everything))
  }

  package final func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    try identities.compactMap(row)
  }

  // MARK: - Fetch requests

  private func fetchedIdentities(_ plan: FetchPlan) throws -> [NSManagedObjectID] {
    let type =
      plan.request?.settings.resultType == .managedObjectResultType
      ? NSFetchRequestResultType.managedObjectResultType : .managedObjectIDResultType
    return try results(plan, type: type).map { result in
      let object = result as? NSManagedObject
      if let object { ReadingContext.current?.answers.append(object) }
      let identity = object?.objectID ?? result as? NSManagedObjectID
      guard let identity else {
        throw misuse(
          "execute(_:with:) must answer a fetch with objects or their IDs", given: result)
      }
      return try checked(identity, entity: plan.layout.entity)
    }
  }

  /// An identity that the class has returned. Throws `persistentStoreOperation` unless it is a
  /// permanent ID of this store and, with an `entity`, of an object of that entity.
  final func checked(
    _ identity: NSManagedObjectID, entity: NSEntityDescription?
  ) throws -> NSManagedObjectID {
    guard identity.space === identities else {
      throw misuse(
        "\(identity) is no permanent ID of this store; make IDs with newObjectID", given: nil)
    }
    if let entity, !identity.layout.entity.isKindOf(entity: entity) {
      throw misuse(
        "\(identity) is not of the entity “\(entity.name ?? "")”, which was asked for", given: nil)
    }
    return identity
  }

  private func results(_ plan: FetchPlan, type: NSFetchRequestResultType) throws -> [Any] {
    let request = NSFetchRequest<NSFetchRequestResult>()
    if let settings = plan.request?.settings { request.settings = settings }
    request.entity = plan.layout.entity
    request.predicate = plan.predicate
    if !plan.sortDescriptors.isEmpty { request.sortDescriptors = plan.sortDescriptors }
    request.fetchLimit = plan.limit
    request.fetchOffset = plan.offset
    request.includesSubentities = plan.includesSubentities
    request.resultType = type
    request.affectedStores = plan.request?.affectedStores
    return try asking { try array(execute(request, with: $0)) }
  }

  private func array(_ result: Any) throws -> [Any] {
    switch result {
    case let array as NSArray: return array.map { $0 }
    case let array as [Any]: return array
    default:
      throw misuse("execute(_:with:) must answer a fetch request with an array", given: result)
    }
  }

  /// The dictionaries that the class returns for a request.
  final func dictionaries(
    _ settings: FetchSettings, entity: NSEntityDescription, stores: [NSPersistentStore]?
  ) throws -> [NSDictionary] {
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.settings = settings
    request.entity = entity
    request.affectedStores = stores
    return try asking { context in
      try array(execute(request, with: context)).map { row in
        if let dictionary = row as? NSDictionary { return dictionary }
        guard let dictionary = row as? [String: Any] else {
          throw misuse(
            "execute(_:with:) must answer with dictionaries where they are asked for", given: row)
        }
        return dictionary as NSDictionary
      }
    }
  }

  // MARK: - Objects

  package final func row(of identity: NSManagedObjectID) throws -> Row? {
    do {
      return try asking {
        try row(of: newValuesForObject(with: identity, with: $0), identity, in: $0)
      }
    } catch let error as NSError where error.isOfMissingObject {
      return nil
    }
  }

  private func row(
    of node: NSIncrementalStoreNode, _ identity: NSManagedObjectID,
    in context: NSManagedObjectContext
  ) throws -> Row {
    guard node.objectID.isEqual(identity) else {
      throw misuse(
        "newValuesForObject(with:with:) returned the node of \(node.objectID) for \(identity)",
        given: nil)
    }
    let version = rows.version(of: identity, nodeVersion: node.version)
    let row = Row.make(identity.layout, packed: identity.packed, in: identities, version: version)
    do {
      try row.setAttributes(node.value)
    } catch let unacceptable as UnacceptableValue {
      throw misuse("the node of \(identity) has a wrong value: \(unacceptable.text)", given: nil)
    }
    for (index, slot) in identity.layout.slots.enumerated() where slot.isStored {
      guard let relationship = slot.property as? NSRelationshipDescription else { continue }
      row[index] = try destination(of: relationship, node, in: context)
    }
    // Values are compared too: the store may have changed them without changing the node's version.
    if let cached = identity.cachedRow, cached.version == version,
      cached.differences(from: row).isEmpty
    {
      return cached
    }
    row.seal()
    row.share(.saved)
    return row
  }

  private func destination(
    of relationship: NSRelationshipDescription, _ node: NSIncrementalStoreNode,
    in context: NSManagedObjectContext
  ) throws -> Value {
    let given =
      try node.value(for: relationship)
      ?? newValue(forRelationship: relationship, forObjectWith: node.objectID, with: context)
    return try destination(given, relationship: relationship).map(Value.identity) ?? .null
  }

  private func destination(
    _ given: Any, relationship: NSRelationshipDescription
  ) throws -> NSManagedObjectID? {
    switch given {
    case is NSNull: return nil
    case let node as NSIncrementalStoreNode:
      return try checked(node.objectID, entity: relationship.destinationEntity)
    case let identity as NSManagedObjectID:
      return try checked(identity, entity: relationship.destinationEntity)
    default:
      throw misuse("“\(relationship.name)” must be an object ID or NSNull", given: given)
    }
  }

  package final func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    let given = try asking {
      try newValue(forRelationship: relationship, forObjectWith: owner, with: $0)
    }
    let members: [Any]? =
      switch given {
      case is NSNull: []
      case let array as NSArray: array.map { $0 }
      case let set as NSSet: set.allObjects
      case let set as NSOrderedSet: set.array
      case let array as [Any]: array
      case let set as Set<NSManagedObjectID>: Array(set)
      default: nil
      }
    guard let members = members as? [NSManagedObjectID] else {
      throw misuse("“\(relationship.name)” must be an array of object IDs", given: given)
    }
    return try members.map { try checked($0, entity: relationship.destinationEntity) }
  }

  // MARK: - Errors

  final func misuse(_ text: String, given: Any?) -> NSError {
    let found = given.map { "; it returned a \(Swift.type(of: $0))" } ?? ""
    return CoreDataError.make(
      .persistentStoreOperation, reason: "\(Swift.type(of: self)): \(text)\(found).",
      userInfo: [NSAffectedStoresErrorKey: [self]])
  }
}

/// The rows of one store, for predicates and columns that are evaluated in memory.
private final class CoordinatorRows: RowSource {
  private let store: NSIncrementalStore

  init(store: NSIncrementalStore) { self.store = store }

  func rows(_ plan: FetchPlan) throws -> [Row] { try store.rows(plan) }

  func row(of identity: NSManagedObjectID) throws -> Row? { try store.row(of: identity) }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    try store.members(of: relationship, owner: owner)
  }
}
