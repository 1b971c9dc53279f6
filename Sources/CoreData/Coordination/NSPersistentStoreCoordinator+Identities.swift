extension NSPersistentStoreCoordinator {
  /// The ID that a URI stands for; nil when no store has its UUID, when the model does not have its
  /// entity, and for a temporary one. Whether the object exists is not checked.
  public final func managedObjectID(
    forURIRepresentation url: URL
  ) -> NSManagedObjectID? {
    ObjectURI(url).flatMap(managedObjectID(for:))
  }

  /// The ID that a URI's text stands for.
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

  /// The object ID of a packed identity; nil when its store is gone, and for a temporary one.
  package final func identity(_ packed: PackedIdentity) -> NSManagedObjectID? {
    guard !packed.isTemporary else { return nil }
    let store = state.withLock { $0.storesByOrdinal[packed.storeOrdinal] }
    return store?.identities.identity(packed)
  }

  /// The identities of the stores, by their ordinals.
  final var identitySpaces: [Int: IdentitySpace] {
    Dictionary(uniqueKeysWithValues: persistentStores.map { ($0.ordinal, $0.identities) })
  }

  /// Whether the store of these identities is one of this coordinator's.
  final func has(_ space: IdentitySpace) -> Bool {
    // A store that is removed takes itself out of its space.
    space.isOf(self)
  }

  /// This coordinator's ID of an object whose ID may come from another coordinator on the same store;
  /// nil when no store here has it, and for a temporary one.
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

  /// Permanent IDs for new objects of an entity of a store that gives keys.
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
