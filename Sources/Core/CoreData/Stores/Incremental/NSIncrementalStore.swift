/// The superclass of custom stores that read objects one by one, when they are needed.
///
/// A subclass overrides ``loadMetadata()``, which sets ``NSPersistentStore/metadata`` with type and
/// UUID, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``.
///
/// Adding such a store calls `loadMetadata()` once. A fetch calls only `execute`: the objects are
/// faults, and `newValuesForObject` is called when the first value of one is read. A save calls
/// `obtainPermanentIDs` with the new objects, then `execute` with an `NSSaveChangesRequest`, whose
/// sets are empty if nothing has changed. Calls come on the queue of the context that they serve,
/// or on any thread if there is none; calls for several contexts may overlap.
///
/// Source: developer.apple.com/documentation/coredata/nsincrementalstore
///
/// Used by several threads at once: `references` and `rows` have their locks, a subclass guards its
/// own state.
open class NSIncrementalStore: NSPersistentStore {
  final let references = ReferenceTable()
  final let rows = NodeRowCache()
  private let objectUsage = ObjectUsage()

  // MARK: - To override

  /// Sets ``NSPersistentStore/metadata`` with type and UUID. Override it to throw if the store
  /// cannot be used; it throws 134060 unless overridden.
  open override func loadMetadata() throws { throw missing("loadMetadata()") }

  /// Executes a request and returns its result, which depends on the request. Throws 134060 unless
  /// overridden.
  ///
  /// - A fetch request of objects: an array of objects, made with the context's `object(with:)`, or
  ///   of their IDs. Of IDs: an array of IDs. Of a count: an array with one number. Of
  ///   dictionaries: an array of dictionaries. Predicate, order, limit and offset of the request
  ///   apply to all of them.
  /// - An `NSSaveChangesRequest`: an empty array. For objects that another writer has changed,
  ///   throw an error with ``NSMergeConflict``s under `NSPersistentStoreSaveConflictsErrorKey`: the
  ///   context's merge policy resolves them, and the save is tried again.
  /// - A batch request: its result object.
  ///
  /// A fetch request is always an `NSFetchRequest<NSFetchRequestResult>`. A result of another type
  /// makes the caller throw 134070.
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw missing("execute(_:with:)")
  }

  /// The values of an object, as a node. Throws 134060 unless overridden.
  ///
  /// Throw an error with the code `NSManagedObjectReferentialIntegrityError` if the object is gone.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    throw missing("newValuesForObject(with:with:)")
  }

  /// The destination of a relationship: an ID or `NSNull` for a to-one relationship, an array of
  /// IDs for a to-many one. Throws 134060 unless overridden.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw missing("newValue(forRelationship:forObjectWith:with:)")
  }

  /// Permanent IDs for new objects, in their order, made with
  /// ``newObjectID(for:referenceObject:)``. Throws 134060 unless overridden.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    throw missing("obtainPermanentIDs(for:)")
  }

  /// A new UUID that identifies a new store, for use in ``loadMetadata()``.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Called when contexts have begun to use objects; an object appears once for each context.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called some time after contexts have ceased to use objects.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  private func missing(_ method: String) -> NSError {
    CoreDataError.unsupported(
      "\(method) of \(Swift.type(of: self))",
      instead: "A subclass of NSIncrementalStore overrides it.")
  }

  // MARK: - To call

  /// The permanent ID of an entity's object by the store's reference for it; equal references give
  /// equal IDs. Traps before ``loadMetadata()`` has set the UUID.
  open func newObjectID(
    for entity: NSEntityDescription, referenceObject data: Any
  ) -> NSManagedObjectID {
    identities.identity(entity.layout, key: references.key(of: data, entity.layout))
  }

  /// The reference that ``newObjectID(for:referenceObject:)`` made the ID of; for an ID that came
  /// from a URI, the URI's text or number. Traps for an object of another store.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    reference(of: objectID, in: references)
  }

  package final override var usage: ObjectUsage? { objectUsage }

  final override var servesContexts: Bool { true }

  final override func announceUsage() { announceUses() }

  final override var referenceTable: ReferenceTable? { references }
}
