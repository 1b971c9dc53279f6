// The choice of the store for an object or a fetch.
extension NSPersistentStoreCoordinator {
  /// The store for a new object of an entity: the assigned store, or else the first writable store
  /// whose configuration has the entity.
  ///
  /// - Throws: an error if there is no such store, or if the assigned store cannot hold the object.
  package final func store(
    for layout: EntityLayout, assigned: NSPersistentStore?
  ) throws -> any RowStore {
    if let assigned { return try checked(assigned, for: layout) }
    let stores = persistentStores
    guard !stores.isEmpty else { throw Self.noStores }
    let holding = stores.filter { holds(layout.entity, in: $0) }
    guard !holding.isEmpty else { throw Self.noStore(for: layout.entity) }
    guard let store = holding.first(where: { !$0.isReadOnly }) else {
      throw Self.readOnly(holding)
    }
    return try rowStore(store)
  }

  private func checked(
    _ store: NSPersistentStore, for layout: EntityLayout
  ) throws -> any RowStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.make(
        .coreData,
        reason: "Object's persistent store is not reachable from this NSManagedObjectContext's "
          + "coordinator",
        userInfo: [NSAffectedStoresErrorKey: [store]])
    }
    guard holds(layout.entity, in: store) else {
      throw CoreDataError.make(
        .coreData,
        reason: "Can't assign an object to a store that does not contain the object's entity "
          + "(\(layout.entity.name ?? "")).",
        userInfo: [NSAffectedStoresErrorKey: [store]])
    }
    guard !store.isReadOnly else { throw Self.readOnly([store]) }
    return try rowStore(store)
  }

  /// True if the store's configuration has the entity.
  package final func holds(_ entity: NSEntityDescription, in store: NSPersistentStore) -> Bool {
    if store.configurationName == NSManagedObjectModel.defaultConfigurationName { return true }
    let entities = managedObjectModel.entities(forConfigurationName: store.configurationName)
    return entities?.contains { $0 === entity } ?? false
  }

  /// The stores that may have rows of a plan: stores of this coordinator that are among `asked`,
  /// with the plan's entity or one of its subentities.
  final func stores(for plan: FetchPlan, among asked: [NSPersistentStore]?) throws -> [any RowStore]
  {
    var answering: [any RowStore] = []
    for store in persistentStores {
      if let asked, !asked.contains(where: { $0 === store }) { continue }
      if holdsAny(of: plan.layout.entity, plan.includesSubentities, in: store) {
        answering.append(try rowStore(store))
      }
    }
    return answering
  }

  private func holdsAny(
    of entity: NSEntityDescription, _ includesSubentities: Bool, in store: NSPersistentStore
  ) -> Bool {
    if holds(entity, in: store) { return true }
    return includesSubentities
      && entity.subentities.contains { holdsAny(of: $0, true, in: store) }
  }

  /// The meaning of a comparison with nil in a fetch of unsaved objects: that of the first store
  /// that has the entity.
  final func nilRule(for entity: NSEntityDescription) -> NilRule {
    let store = persistentStores.first { holds(entity, in: $0) }
    return StoreOptions(store?.options).nilRule
  }

  /// True if a store of this fetch of objects is to be asked for identities only.
  final func readsByIdentity(_ plan: FetchPlan, among asked: [NSPersistentStore]?) throws -> Bool {
    guard servesContexts.load(ordering: .acquiring) else { return false }
    return try stores(for: plan, among: asked).contains(where: \.readsByIdentity)
  }

  /// Notifies custom stores of the objects that contexts have begun or stopped to use.
  final func announceUsage() {
    guard servesContexts.load(ordering: .acquiring) else { return }
    for store in persistentStores { store.announceUsage() }
  }

  final func rowStore(_ store: NSPersistentStore) throws -> any RowStore {
    guard let store = store.rowStore else {
      throw CoreDataError.unsupported("A store of class \(type(of: store))")
    }
    return store
  }

  /// The store of an identity of this coordinator. Throws if the store has been removed.
  final func rowStore(of identity: NSManagedObjectID) throws -> any RowStore {
    guard let store = identity.space?.store, isOwn(store) else {
      throw CoreDataError.missingObject(identity)
    }
    return try rowStore(store)
  }

  final func isOwn(_ store: NSPersistentStore) -> Bool { store.coordinatorReference === reference }
}

extension NSPersistentStoreCoordinator {
  private static var noStores: NSError {
    CoreDataError.make(
      .coreData,
      reason: "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a "
        + "save operation.")
  }

  private static func noStore(for entity: NSEntityDescription) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "No store of this coordinator has a configuration with the entity "
        + "“\(entity.name ?? "")”; add one, or the entity to a configuration.")
  }

  private static func readOnly(_ stores: [NSPersistentStore]) -> NSError {
    CoreDataError.make(
      .persistentStoreSave,
      reason: "Attempt to save to a store that was opened with NSReadOnlyPersistentStoreOption.",
      userInfo: [NSAffectedStoresErrorKey: stores])
  }

  /// The error for a write to a read-only store, code 134030.
  static func readOnlyError(_ store: NSPersistentStore) -> NSError { readOnly([store]) }
}
