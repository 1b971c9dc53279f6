// Reads and saves of the coordinator, in terms of the nodes of a client's atomic store.
extension NSAtomicStore: MemoryRowStore, IdentifyingStore {
  final func readNodes() throws {
    _ = try contents()
    addVersions()
    nodes.savedMetadata = NSDictionary(dictionary: metadata ?? [:])
  }

  /// The contents, with the nodes that were added since the last call.
  package final func contents() throws -> MemoryContents {
    let unread = nodes.takeUnread()
    if unread.isEmpty { return core.current }
    var builder = ContentsBuilder(adding: core.current)
    for node in unread { try add(node, to: &builder) }
    let contents = builder.finished()
    core.replace(with: contents)
    return contents
  }

  private func add(_ node: NSAtomicStoreCacheNode, to builder: inout ContentsBuilder) throws {
    let identity = node.objectID
    guard identity.space === identities else {
      throw misuse(
        "addCacheNodes(_:) was given the node of \(identity), which is not of this store")
    }
    let row = Row.empty(identity)
    try setAttributes(of: row, from: node)
    for (index, slot) in row.layout.slots.enumerated() where slot.kind == .toOne && slot.isStored {
      if let target = try identities(node, name: slot.name).first { row[index] = .identity(target) }
    }
    guard builder.add(row) else {
      throw misuse("addCacheNodes(_:) was given two nodes of \(identity)")
    }
    for relationship in row.layout.toMany where !relationship.isTransient {
      builder.add(
        try identities(node, name: relationship.name), of: relationship, owner: identity)
    }
  }

  private func setAttributes(of row: Row, from node: NSAtomicStoreCacheNode) throws {
    do {
      try row.setAttributes { node.value(forKey: $0.name) }
    } catch let unacceptable as UnacceptableValue {
      throw misuse("the node of \(node.objectID) has a wrong value: \(unacceptable.text)")
    }
  }

  private func misuse(_ text: String) -> NSError {
    CoreDataError.make(
      .persistentStoreOperation, reason: "\(Swift.type(of: self)): \(text).",
      userInfo: [NSAffectedStoresErrorKey: [self]])
  }

  /// The objects that a node's relationship names: nodes or IDs, in a collection or alone.
  private func identities(
    _ node: NSAtomicStoreCacheNode, name: String
  ) throws -> [NSManagedObjectID] {
    let members: [Any] =
      switch node.value(forKey: name) {
      case nil, is NSNull: []
      case let ordered as NSOrderedSet: ordered.array
      case let set as NSSet: set.allObjects
      case let array as [Any]: array
      case let set as Set<AnyHashable>: set.map(\.base)
      case let one?: [one]
      }
    return try members.map { member in
      let identity = (member as? NSAtomicStoreCacheNode)?.objectID ?? member as? NSManagedObjectID
      guard let identity, identity.space === identities else {
        throw misuse("“\(name)” of the node of \(node.objectID) names no object of this store")
      }
      return identity
    }
  }

  // MARK: - Saving

  final func ownIdentities(
    for objects: [NSManagedObject]
  ) throws -> [PackedIdentity] {
    var given: Set<NSManagedObjectID> = []
    return try objects.map { object in
      let identity = objectID(
        for: object.entity, withReferenceObject: newReferenceObject(for: object))
      guard given.insert(identity).inserted, nodes.node(of: identity) == nil else {
        throw misuse(
          "newReferenceObject(for:) returned the reference of another object, \(identity)")
      }
      return identity.packed
    }
  }

  package final func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    throw misuse("keys come from newReferenceObject(for:), which needs an object")
  }

  package final func save(_ changes: StoreChanges) throws {
    if changes.isEmpty, changes.watched.isEmpty {
      let metadata = NSDictionary(dictionary: metadata ?? [:])
      if nodes.savedMetadata.isEqual(metadata) { return }
    }
    _ = try contents()
    try core.apply(changes) { contents in try save(changes, contents: &contents) }
    nodes.savedMetadata = NSDictionary(dictionary: metadata ?? [:])
  }

  private func save(_ changes: StoreChanges, contents: inout MemoryContents) throws {
    let update = try NodeUpdate(changes, of: self)
    do {
      try update.apply(to: self)
      for node in update.changed { try take(node, into: &contents) }
      try save()
    } catch {
      update.undo(in: self)
      throw error
    }
  }

  /// Updates the row of a saved node: the class may have given the node other values than the
  /// object's.
  private func take(_ node: NSAtomicStoreCacheNode, into contents: inout MemoryContents) throws {
    guard let stored = contents.row(of: node.objectID) else { return }
    let row = stored.copy()
    try setAttributes(of: row, from: node)
    row.seal(identity: stored.identity, version: stored.version)
    contents.put(row)
  }

  // MARK: - Nodes of objects

  final func fill(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
    let layout = object.layout
    for attribute in layout.storedAttributes {
      node.setValue(object.value(forKey: attribute.name), forKey: attribute.name)
    }
    for slot in layout.slots where slot.isStored && slot.kind == .toOne {
      let target = object.value(forKey: slot.name) as? NSManagedObject
      node.setValue(target.map { member($0.objectID) }, forKey: slot.name)
    }
    for relationship in layout.toMany where !relationship.isTransient {
      let members = object.objectIDs(forRelationshipNamed: relationship.name).map(member)
      node.setValue(
        relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
        forKey: relationship.name)
    }
  }

  private func member(_ identity: NSManagedObjectID) -> NSObject {
    nodes.node(of: identity) ?? identity
  }
}
