import CoreDataSupport
import Foundation

@testable import CoreData

/// An incremental store as a client would write one, over dictionaries: it notes its calls.
///
/// It judges predicates as SQL does, so that the common suite holds for it.
final class ClientIncrementalStore: NSIncrementalStore, @unchecked Sendable {
  struct Record {
    var values: [String: Any] = [:]
    var members: [String: [NSManagedObjectID]] = [:]
    var version: UInt64 = 1
  }

  // Recursive: a predicate that is judged inside of a request reads values.
  private let lock = NSRecursiveLock()
  private var records: [NSManagedObjectID: Record] = [:]
  private var noted: [String] = []
  private var lastReference = 0
  /// What `execute` returns in place of an answer, or throws, once.
  var answer: Any?
  var failure: (any Error)?
  /// What reading an object's values, or its members, throws as long as it is set.
  var valuesFailure: (any Error)?
  var membersFailure: (any Error)?
  /// Whether nodes say what to-one relationships point to.
  var nodesHaveDestinations = true

  var calls: [String] { lock.withLock { noted } }

  func forgetCalls() { lock.withLock { noted = [] } }

  private func note(_ call: String) { lock.withLock { noted.append(call) } }

  /// Somebody else changes the store.
  func change(_ identity: NSManagedObjectID, _ key: String, _ value: Any) {
    lock.withLock {
      records[identity]?.values[key] = value
      records[identity]?.version += 1
    }
  }

  func remove(_ identity: NSManagedObjectID) { lock.withLock { records[identity] = nil } }

  override var type: String { StoreKind.clientIncremental.rawValue }

  override func loadMetadata() throws {
    note("loadMetadata")
    let identifier = Self.identifierForNewStore(at: url ?? URL(fileURLWithPath: "/dev/null"))
    metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: identifier]
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    note("obtainPermanentIDs \(array.count)")
    return lock.withLock {
      array.map { object in
        lastReference += 1
        return newObjectID(for: object.entity, referenceObject: lastReference)
      }
    }
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    if let failure {
      self.failure = nil
      throw failure
    }
    if let answer {
      self.answer = nil
      return answer
    }
    switch request {
    case let request as NSSaveChangesRequest: return try save(request)
    case let request as NSFetchRequest<NSFetchRequestResult>:
      guard let context else { return [] }
      return try fetch(request, context)
    default: throw CocoaError(.persistentStoreUnsupportedRequestType)
    }
  }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    note("didRegister \(objectIDs.count) \(objectIDs.contains(where: \.isTemporaryID))")
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    note("didUnregister \(objectIDs.count)")
  }

  // MARK: - Reading

  private func fetch(
    _ request: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext
  ) throws -> [Any] {
    let entity = request.entity!
    note("fetch \(entity.name ?? "") \(request.resultType.rawValue)")
    let found = lock.withLock { records.keys.sorted { $0.packed.key < $1.packed.key } }
      .filter {
        request.includesSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity == entity
      }
    let identities = try window(judged(found, request), request)
    switch request.resultType {
    case .countResultType: return [NSNumber(value: identities.count)]
    case .managedObjectIDResultType: return identities
    case .managedObjectResultType: return identities.map(context.object(with:))
    default: return identities.map { ["entity": $0.entity.name ?? ""] }
    }
  }

  private func window(
    _ identities: [NSManagedObjectID], _ request: NSFetchRequest<NSFetchRequestResult>
  ) -> [NSManagedObjectID] {
    let rest = Array(identities.dropFirst(request.fetchOffset))
    return request.fetchLimit > 0 ? Array(rest.prefix(request.fetchLimit)) : rest
  }

  /// By what is stored: the objects of a context of its own, not by those of the one that asks.
  private func judged(
    _ identities: [NSManagedObjectID], _ request: NSFetchRequest<NSFetchRequestResult>
  ) throws -> [NSManagedObjectID] {
    let descriptors = request.sortDescriptors ?? []
    if request.predicate == nil, descriptors.isEmpty { return identities }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return try context.performAndWait {
      try ReadingContext.with(context) {
        var objects = try matching(identities.map(context.object(with:)), request, context)
        if !descriptors.isEmpty {
          objects = try CompiledSort(descriptors).sortedIndices(of: objects).map { objects[$0] }
        }
        return objects.map(\.objectID)
      }
    }
  }

  private func matching(
    _ objects: [NSManagedObject], _ request: NSFetchRequest<NSFetchRequestResult>,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    guard let predicate = request.predicate, let entity = request.entity else { return objects }
    let fetching = context.storedFetch(
      of: request.settings.plan(for: entity.layout), keepsResults: false)
    let compiled = CompiledPredicate(
      predicate, nilRule: StoreOptions(options).nilRule, fetching: fetching,
      reader: entity.layout.objectReader)
    return try CoreDataError.explaining { try objects.filter { try compiled.matches($0) } }
  }

  private func record(_ identity: NSManagedObjectID) throws -> Record {
    guard let record = lock.withLock({ records[identity] }) else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    return record
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    note("newValues")
    if let valuesFailure { throw valuesFailure }
    var record = try record(objectID)
    if !nodesHaveDestinations {
      for name in objectID.entity.relationshipsByName.keys { record.values[name] = nil }
    }
    return NSIncrementalStoreNode(
      objectID: objectID, withValues: record.values, version: record.version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    note("newValue \(relationship.name)")
    if let membersFailure { throw membersFailure }
    if !relationship.isToMany { return try record(objectID).values[relationship.name] ?? NSNull() }
    return lock.withLock {
      let known = records[objectID]?.members[relationship.name] ?? []
      guard let inverse = relationship.storedInverse, !inverse.isToMany else { return known }
      let members = records.filter {
        ($0.value.values[inverse.name] as? NSManagedObjectID) == objectID
      }.keys.sorted { $0.packed.key < $1.packed.key }
      return known.filter(members.contains) + members.filter { !known.contains($0) }
    }
  }

  // MARK: - Saving

  private func save(_ request: NSSaveChangesRequest) throws -> [Any] {
    let inserted = request.insertedObjects ?? []
    let updated = request.updatedObjects ?? []
    let deleted = request.deletedObjects ?? []
    note("save \(inserted.count) \(updated.count) \(deleted.count)")
    let states = (Array(inserted) + Array(updated)).map { ($0.objectID, values(of: $0)) }
    lock.withLock {
      let saved = Set(states.map(\.0))
      for (identity, state) in states { write(state, identity, saved) }
      for object in deleted { delete(object.objectID) }
    }
    return []
  }

  private func values(of object: NSManagedObject) -> Record {
    var record = Record()
    for name in object.entity.attributesByName.keys {
      record.values[name] = object.value(forKey: name) ?? NSNull()
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      let identities = object.objectIDs(forRelationshipNamed: name)
      if relationship.isToMany {
        record.members[name] = identities
      } else {
        record.values[name] = identities.first ?? NSNull()
      }
    }
    return record
  }

  /// Other objects' sides of many-to-many relationships follow, unless they are in the same save.
  private func write(
    _ new: Record, _ identity: NSManagedObjectID, _ saved: Set<NSManagedObjectID>
  ) {
    let old = records[identity]
    var record = new
    // Members alone do not change the object's own values.
    let isSame = NSDictionary(dictionary: new.values).isEqual(old?.values)
    record.version = (old?.version ?? 0) + (isSame ? 0 : 1)
    records[identity] = record
    for (name, relationship) in identity.entity.relationshipsByName {
      guard let inverse = relationship.storedInverse, relationship.isToMany, inverse.isToMany
      else { continue }
      for member in old?.members[name] ?? [] where !saved.contains(member) {
        records[member]?.members[inverse.name]?.removeAll { $0 == identity }
      }
      for member in new.members[name] ?? [] where !saved.contains(member) {
        let known = records[member]?.members[inverse.name] ?? []
        if !known.contains(identity) {
          records[member]?.members[inverse.name] = known + [identity]
        }
      }
    }
  }

  private func delete(_ identity: NSManagedObjectID) {
    records[identity] = nil
    for key in records.keys {
      for name in records[key]?.members.keys.map({ $0 }) ?? [] {
        records[key]?.members[name]?.removeAll { $0 == identity }
      }
    }
  }
}
