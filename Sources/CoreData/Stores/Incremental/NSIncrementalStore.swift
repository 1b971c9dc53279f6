/// The superclass of stores of one's own that are asked for what is needed, when it is needed.
///
/// A subclass overrides ``loadMetadata()``, which sets ``NSPersistentStore/metadata`` with type and
/// UUID, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``.
///
/// Adding such a store calls `loadMetadata()` once. A fetch calls `execute` and no more: the objects come
/// as faults, and `newValuesForObject` is called for the first value of each. A save calls
/// `obtainPermanentIDs` with the new objects, then `execute` with an `NSSaveChangesRequest`, with empty
/// sets when nothing has changed. Calls come on the queue of the context that they are for, or on the
/// queue of nobody; several at once for several contexts.
///
/// Source: developer.apple.com/documentation/coredata/nsincrementalstore
///
/// Sendable: `references` and `rows` have their locks; a subclass guards its own state.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  final let references = ReferenceTable()
  final let rows = NodeRowCache()
  private let objectUsage = ObjectUsage()

  // MARK: - To override

  /// Sets ``NSPersistentStore/metadata`` with type and UUID; throws when the store cannot be used.
  open override func loadMetadata() throws { throw missing("loadMetadata()") }

  /// Answers a request.
  ///
  /// - A fetch request of objects: an array of objects, made with the context's `object(with:)`, or of
  ///   their IDs. Of IDs: an array of IDs. Of a count: an array with one number. Of dictionaries: an
  ///   array of dictionaries. All as the request's predicate, order, limit and offset say.
  /// - An `NSSaveChangesRequest`: an empty array. Throw an error with ``NSMergeConflict``s under
  ///   `NSPersistentStoreSaveConflictsErrorKey` for objects that somebody else has changed: the context's
  ///   merge policy settles them, and the save is tried again.
  /// - A batch request: its result object.
  ///
  /// The request is an `NSFetchRequest<NSFetchRequestResult>` whatever class the client has asked with.
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw missing("execute(_:with:)")
  }

  /// The values of an object.
  ///
  /// Throw an error with the code `NSManagedObjectReferentialIntegrityError` for one that is gone.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    throw missing("newValuesForObject(with:with:)")
  }

  /// The destination of a relationship: an ID or `NSNull` for one to one, an array of IDs for one to many.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw missing("newValue(forRelationship:forObjectWith:with:)")
  }

  /// The permanent IDs of new objects, in their order, made with ``newObjectID(for:referenceObject:)``.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    throw missing("obtainPermanentIDs(for:)")
  }

  /// An identifier for a new store: a new UUID, for use in ``loadMetadata()``.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Called when contexts have begun to use objects, once for each context that does.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called when contexts have stopped to use objects, some time after it.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  private func missing(_ method: String) -> NSError {
    CoreDataError.unsupported(
      "\(method) of \(Swift.type(of: self))",
      instead: "A subclass of NSIncrementalStore overrides it.")
  }

  // MARK: - To call

  /// The permanent ID of the object of this entity that the store knows by a reference, the same each
  /// time. Traps before ``loadMetadata()`` has set the UUID.
  open func newObjectID(
    for entity: NSEntityDescription, referenceObject data: Any
  ) -> NSManagedObjectID {
    identities.identity(entity.layout, key: references.key(of: data, entity.layout))
  }

  /// What ``newObjectID(for:referenceObject:)`` was given, or the text or number of a URI. Traps for an
  /// object of another store.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    reference(of: objectID, in: references)
  }

  package final override var usage: ObjectUsage? { objectUsage }

  final override var referenceTable: ReferenceTable? { references }
}
