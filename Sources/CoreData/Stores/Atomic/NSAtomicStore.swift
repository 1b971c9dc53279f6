import Synchronization

/// The superclass of stores of one's own that are read and written whole.
///
/// A subclass overrides ``load()``, which makes nodes and hands them to ``addCacheNodes(_:)``,
/// ``newReferenceObject(for:)``, ``updateCacheNode(_:from:)`` and ``save()``; it sets
/// ``NSPersistentStore/metadata`` with type and UUID in its initialiser or in
/// ``NSPersistentStore/loadMetadata()``. Its class methods for metadata serve stores that are not open.
///
/// Adding such a store calls the initialiser, `loadMetadata()`, and `load()` once the metadata fit the
/// model. A save calls `newReferenceObject(for:)` for each new object, then `newCacheNode(for:)` for
/// each of them, `updateCacheNode(_:from:)` for each changed one, `willRemoveCacheNodes(_:)` with those
/// of deleted ones, and `save()`, all on the queue of the context that saves. When `save()` throws, the nodes are as
/// they were.
///
/// Source: developer.apple.com/documentation/coredata/nsatomicstore
///
/// Sendable: `core` and `nodes` have their locks; a subclass guards its own state.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  package final let core = MemoryCore()
  final let nodes = CacheNodeTable()
  final let references = ReferenceTable()

  /// Unless the initialiser has set the metadata: reads those of a file that is there, by the class's
  /// ``NSPersistentStore/metadataForPersistentStore(with:)``.
  open override func loadMetadata() throws {
    guard identifier == nil, let url else { return }
    metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
  }

  // MARK: - To override

  /// Makes the nodes of what is stored and adds them. Called once, when the store is added.
  open func load() throws { throw missing("load()") }

  /// Writes the nodes and the metadata. Called at the end of a save that changes something.
  open func save() throws { throw missing("save()") }

  private func missing(_ method: String) -> NSError {
    CoreDataError.unsupported(
      "\(method) of \(Swift.type(of: self))", instead: "A subclass of NSAtomicStore overrides it.")
  }

  /// What the store will know a new object by: unique within its entity, and the same for ever.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:)")
  }

  /// A node for a new object: one with its values, by ``updateCacheNode(_:from:)``.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    updateCacheNode(node, from: managedObject)
    return node
  }

  /// Takes the values of a changed object over. Here all of its stored ones, relationships as nodes or,
  /// where there is no node yet, object IDs.
  open func updateCacheNode(
    _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
  ) {
    fill(node, from: managedObject)
  }

  /// Called before ``save()`` with the nodes of deleted objects.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  // MARK: - To call

  /// The nodes of the store.
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.all }

  /// Makes nodes part of the store; to be called in ``load()``, and when somebody else has added objects.
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { nodes.add(cacheNodes) }

  /// The node of an object.
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodes.node(of: objectID)
  }

  /// The ID of the object of this entity that is known by a reference, the same each time.
  ///
  /// Traps before the store has its UUID.
  open func objectID(
    for entity: NSEntityDescription, withReferenceObject data: Any
  ) -> NSManagedObjectID {
    identities.identity(entity.layout, key: references.key(of: data, entity.layout))
  }

  /// What ``objectID(for:withReferenceObject:)`` was given. Traps for an object of another store.
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
  /// Traps for an ID that this store did not make.
  final func reference(of identity: NSManagedObjectID, in references: ReferenceTable) -> Any {
    guard identity.space?.store === self,
      let reference = references.reference(of: identity.packed.key)
    else { fatalError("\(identity) is not of this store: it has no reference object here") }
    return reference
  }
}
