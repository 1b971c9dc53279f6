extension NSPersistentStoreCoordinator {
  final func identity(of url: URL) -> NSManagedObjectID? {
    ObjectURI(url).flatMap(managedObjectID(for:))
  }

  /// The object ID for the text of a URI; nil as for ``managedObjectID(forURIRepresentation:)``.
  public final func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
  }

  private func managedObjectID(for uri: ObjectURI) -> NSManagedObjectID? {
    guard let store = persistentStores.first(where: { $0.identifier == uri.storeUUID }),
      let entity = managedObjectModel.entitiesByName[uri.entityName],
      let key = store.key(forReferenceText: uri.reference, entity.layout)
    else { return nil }
    return store.identities.identity(entity.layout, key: key)
  }

  /// The object ID for a packed identity; nil if its store was removed, and for a temporary ID.
  package final func identity(_ packed: PackedIdentity) -> NSManagedObjectID? {
    guard !packed.isTemporary else { return nil }
    let store = state.withLock { $0.storesByOrdinal[packed.storeOrdinal] }
    return store?.identities.identity(packed)
  }

  /// The identity spaces of the stores, by ordinal.
  final var identitySpaces: [Int: IdentitySpace] {
    Dictionary(uniqueKeysWithValues: persistentStores.map { ($0.ordinal, $0.identities) })
  }

  /// True if the store of these identities belongs to this coordinator.
  final func has(_ space: IdentitySpace) -> Bool {
    // A store that is removed clears the reference in its identity space.
    space.isOf(self)
  }

  /// This coordinator's ID for an object whose ID may come from another coordinator of the same
  /// store; nil if no store here has the object's, and for a temporary ID.
  package final func ownIdentity(_ identity: NSManagedObjectID) -> NSManagedObjectID? {
    guard let space = identity.space else { return nil }
    if has(space) { return identity }
    guard let store = persistentStores.first(where: { $0.identifier == space.storeUUID }),
      let name = identity.layout.entity.name,
      let entity = managedObjectModel.entitiesByName[name],
      let key = store.key(
        forReferenceText: space.referenceText(identity.packed.key), entity.layout)
    else { return nil }
    return store.identities.identity(entity.layout, key: key)
  }

  /// Makes permanent IDs for `count` new objects of an entity, in a store that assigns keys.
  package final func reserveIdentities(
    count: Int, layout: EntityLayout, store: any RowStore
  ) throws -> [NSManagedObjectID] {
    guard count > 0 else { return [] }
    let first = try store.reserveKeys(count, for: layout)
    let identities = store.identities
    return (0..<Int64(count)).map { identities.identity(layout, key: first + $0) }
  }
}

/// The parts of an object's URI, `x-coredata://STORE-UUID/Entity/pREFERENCE`.
private struct ObjectURI {
  let storeUUID: String
  let entityName: String
  let reference: String

  init?(_ url: URL) {
    guard url.scheme == "x-coredata", let host = url.host, !host.isEmpty else { return nil }
    let parts = url.path(percentEncoded: true).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[1].hasPrefix("p"),
      let entityName = String(parts[0]).removingPercentEncoding
    else { return nil }
    storeUUID = host
    self.entityName = entityName
    reference = String(parts[1].dropFirst())
  }
}

extension IdentitySpace {
  /// Whether the store exists and belongs to this coordinator.
  func isOf(_ coordinator: NSPersistentStoreCoordinator) -> Bool {
    let reference = coordinator.reference
    return storeReference.holds { $0.coordinatorReference === reference }
  }
}
