import Synchronization

/// The superclass of custom stores that are read and written whole.
///
/// A subclass overrides ``load()``, which makes nodes and passes them to ``addCacheNodes(_:)``,
/// ``newReferenceObject(for:)``, ``updateCacheNode(_:from:)`` and ``save()``. It sets
/// ``NSPersistentStore/metadata`` with type and UUID in its initialiser or in
/// ``NSPersistentStore/loadMetadata()``. Its class methods for metadata serve stores that are not
/// open.
///
/// Adding such a store calls the initialiser, `loadMetadata()`, and `load()` once the metadata fit
/// the model. A save calls, on the queue of the saving context, `newReferenceObject(for:)` for each
/// new object, `newCacheNode(for:)` for each of them, `updateCacheNode(_:from:)` for each changed
/// object, `willRemoveCacheNodes(_:)` with the nodes of deleted objects, and `save()`. If `save()`
/// throws, the nodes are restored.
///
/// Source: developer.apple.com/documentation/coredata/nsatomicstore
///
/// Used by several threads at once: `core`, `nodes` and `references` have their locks, a subclass
/// guards its own state.
open class NSAtomicStore: NSPersistentStore {
  package final let core = MemoryCore()
  final let nodes = CacheNodeTable()
  final let references = ReferenceTable()

  /// Reads the metadata of the file at ``NSPersistentStore/url``, by the class's
  /// ``NSPersistentStore/metadataForPersistentStore(with:)``, unless the initialiser has set them.
  open override func loadMetadata() throws {
    guard identifier == nil, let url else { return }
    metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
  }

  // MARK: - To override

  /// Makes the nodes of all stored objects and adds them. Called once, when the store is added.
  /// Throws 134060 unless overridden.
  open func load() throws { throw missing("load()") }

  /// Writes the nodes and the metadata. Called at the end of each save that changes something.
  /// Throws 134060 unless overridden.
  open func save() throws { throw missing("save()") }

  private func missing(_ method: String) -> NSError {
    CoreDataError.unsupported(
      "\(method) of \(Swift.type(of: self))", instead: "A subclass of NSAtomicStore overrides it.")
  }

  /// The reference by which the store identifies a new object: unique within its entity, and never
  /// changed. Traps unless overridden.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:)")
  }

  /// A node for a new object, with the values that ``updateCacheNode(_:from:)`` sets.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    updateCacheNode(node, from: managedObject)
    return node
  }

  /// Copies the values of a changed object to its node. By default all stored values: relationships
  /// as nodes, or as object IDs where there is no node yet.
  open func updateCacheNode(
    _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
  ) {
    fill(node, from: managedObject)
  }

  /// Called before ``save()`` with the nodes of deleted objects.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  // MARK: - To call

  /// All nodes of the store.
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.all }

  /// Adds nodes to the store. Call it in ``load()``, and when another writer has added objects.
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { nodes.add(cacheNodes) }

  /// The node of an object; nil if the store has none.
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodes.node(of: objectID)
  }

  /// The ID of an entity's object by its reference; equal references give equal IDs.
  ///
  /// Traps before the store has its UUID.
  open func objectID(
    for entity: NSEntityDescription, withReferenceObject data: Any
  ) -> NSManagedObjectID {
    identities.identity(entity.layout, key: references.key(of: data, entity.layout))
  }

  /// The reference that ``objectID(for:withReferenceObject:)`` made the ID of. Traps for an object
  /// of another store.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    reference(of: objectID, in: references)
  }

  package final override func loadContents() throws {
    try load()
    try readNodes()
  }

  final override var referenceTable: ReferenceTable? { references }
}

extension NSPersistentStore {
  /// The reference of an object. Traps for an ID that this store did not make.
  final func reference(of identity: NSManagedObjectID, in references: ReferenceTable) -> Any {
    guard identity.space?.store === self,
      let reference = references.reference(of: identity.packed.key)
    else { fatalError("\(identity) is not of this store: it has no reference object here") }
    return reference
  }
}
