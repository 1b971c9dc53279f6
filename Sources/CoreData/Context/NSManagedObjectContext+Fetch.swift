extension NSManagedObjectContext {
  final func typed<T: NSFetchRequestResult>(
    _ results: [AnyObject], _ request: NSFetchRequest<T>
  ) -> [T] {
    // Whatever they are, they are that. Every result type is a class, so that arrays of them have one form.
    if T.self == NSManagedObject.self, request.resultType == .managedObjectResultType {
      return unsafeBitCast(results, to: [T].self)
    }
    // Most often all are of the very class that the request names.
    if results.allSatisfy({ ObjectIdentifier(type(of: $0)) == ObjectIdentifier(T.self) }) {
      return unsafeBitCast(results, to: [T].self)
    }
    guard let typed = results as? [T] else {
      fatalError(
        "The fetch request promises \(T.self) and its results are "
          + "\(results.first.map { "\(type(of: $0))" } ?? "of another type"). Ask for the class of the "
          + "entity “\(request.entityName ?? "")”, or set resultType.")
    }
    return typed
  }

  final func results(of request: any AnyFetchRequest) throws -> [AnyObject] {
    defer { rootCoordinator?.announceUsage() }
    let settings = request.settings
    switch settings.resultType {
    // The same array: a conversion would look at each object.
    case .managedObjectResultType:
      return unsafeBitCast(try objects(request, settings), to: [AnyObject].self)
    case .managedObjectIDResultType:
      return LazyObjectIDs(try fetchIdentities(request), in: self).all
    case .countResultType: return [NSNumber(value: try count(request))]
    default: return try dictionaries(request)
    }
  }

  // MARK: - Objects

  private func objects(
    _ request: any AnyFetchRequest, _ settings: FetchSettings
  ) throws -> [NSManagedObject] {
    let (plan, stores) = try prepare(request, settings)
    let objects = try objects(plan, stores, settings)
    return try finish(objects, settings)
  }

  private func objects(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?, _ settings: FetchSettings
  ) throws -> [NSManagedObject] {
    guard settings.includesPropertyValues else {
      return try identities(plan, stores, settings).compactMap { object(for: $0) }
    }
    let refreshes = settings.shouldRefreshRefetchedObjects
    let readsByIdentity = try refreshes && source?.readsByIdentity(plan, stores) == true
    if refreshes, !readsByIdentity {
      for row in try source?.rows(plan, stores) ?? [] { refreshRefetched(row) }
    }
    let objects =
      settings.includesPendingChanges
      ? try self.objects(plan, stores) : try storedObjects(plan, stores)
    if readsByIdentity { try refreshRefetched(objects) }
    return objects
  }

  /// For a store that is asked for identities, and for values one by one: it is not asked for all again.
  private func refreshRefetched(_ objects: [NSManagedObject]) throws {
    for object in objects where object.current != nil && !object.objectID.isTemporaryID {
      if let row = try source?.row(of: object.objectID) { refreshRefetched(row) }
    }
  }

  /// The objects of rows that were read for a plan.
  final func objects(
    of rows: [Row], _ plan: FetchPlan, _ settings: FetchSettings
  ) throws -> [NSManagedObject] {
    assertConfined()
    takeOverPermanentIDs()
    processPendingChanges()
    if settings.shouldRefreshRefetchedObjects {
      telling(rows.compactMap { registry.object($0.packed) }) { rows.forEach(refreshRefetched) }
    }
    guard settings.includesPendingChanges, let widened = widenedByPendingChanges(plan) else {
      return try finish(self.objects(for: rows), settings)
    }
    // What was read ends where the window of what is saved does.
    let stored =
      plan.hasWindow
      ? try storedObjects(widened, plan.request?.affectedStores) : self.objects(for: rows)
    return try finish(PendingOverlay(context: self, plan: plan).apply(to: stored), settings)
  }

  /// What the request wants done with the objects that were found.
  final func finish(
    _ objects: [NSManagedObject], _ settings: FetchSettings
  ) throws -> [NSManagedObject] {
    if let keyPaths = settings.relationshipKeyPathsForPrefetching, !keyPaths.isEmpty {
      var prefetcher = Prefetcher(context: self)
      try prefetcher.prefetch(keyPaths, of: objects)
    }
    if !settings.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
    return objects
  }

  /// An object that the context has already gets the store's values, under its edits.
  private func refreshRefetched(_ row: Row) {
    guard let object = registry.object(row.packed), object.lifecycle == .live,
      object.current != nil, object.snapshot !== row
    else { return }
    keepingInverses(of: object.flags.contains(.updated) ? [object] : []) {
      object.rebase(onto: row)
    }
    refreshedObjects.insert(object)
  }

  final func prepare(
    _ request: any AnyFetchRequest
  ) throws -> (FetchPlan, [NSPersistentStore]?) {
    try prepare(request, request.settings)
  }

  private func prepare(
    _ request: any AnyFetchRequest, _ settings: FetchSettings
  ) throws -> (FetchPlan, [NSPersistentStore]?) {
    try checkConfined()
    takeOverPermanentIDs()
    processPendingChanges()
    let entity = try request.entity(in: fetchingCoordinator.managedObjectModel)
    try settings.check()
    var plan = settings.plan(for: entity.layout)
    if settings.includesPendingChanges {
      try settleRowAggregates(of: &plan, request.affectedStores)
    }
    plan.request = request
    return (plan, request.affectedStores)
  }

  /// The coordinator to fetch from. Throws when there is none.
  final var fetchingCoordinator: NSPersistentStoreCoordinator {
    get throws {
      if let rootCoordinator { return rootCoordinator }
      throw CoreDataError.make(
        .coreData,
        reason: "A context without a persistent store coordinator has nothing to fetch from.")
    }
  }

  private func storedObjects(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    guard let source else { return [] }
    if try source.readsByIdentity(plan, stores) {
      return try ReadingContext.with(self) {
        try source.identities(plan, stores).compactMap { object(for: $0) }
      }
    }
    return objects(for: try source.rows(plan, stores))
  }

  /// Stored objects with the pending changes laid over them.
  final func objects(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    guard let widened = widenedByPendingChanges(plan) else {
      return try storedObjects(plan, stores)
    }
    let stored = try storedObjects(widened, stores)
    return try PendingOverlay(context: self, plan: plan).apply(to: stored)
  }

  final func count(_ request: any AnyFetchRequest) throws -> Int {
    let (plan, stores) = try prepare(request)
    return request.settings.includesPendingChanges
      ? try count(plan, stores) : try source?.count(plan, stores) ?? 0
  }

  final func count(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Int {
    if widenedByPendingChanges(plan) == nil { return try source?.count(plan, stores) ?? 0 }
    return try fetchIdentities(plan, stores).count
  }

  /// What a comparison with nil means to the store that has the entity, or would have it.
  final func nilRule(for plan: FetchPlan) -> NilRule {
    rootCoordinator?.nilRule(for: plan.layout.entity) ?? .sql
  }

  // MARK: - Identities

  /// The identities that a request describes, in its order, pending changes included.
  package final func fetchIdentities(
    _ request: any AnyFetchRequest
  ) throws -> ContiguousArray<PackedIdentity> {
    let (plan, stores) = try prepare(request)
    return try identities(plan, stores, request.settings)
  }

  private func identities(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?, _ settings: FetchSettings
  ) throws -> ContiguousArray<PackedIdentity> {
    settings.includesPendingChanges
      ? try fetchIdentities(plan, stores) : try source?.identities(plan, stores) ?? []
  }

  final func fetchIdentities(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> ContiguousArray<PackedIdentity> {
    guard let widened = widenedByPendingChanges(plan) else {
      return try source?.identities(plan, stores) ?? []
    }
    let stored = try source?.identities(widened, stores) ?? []
    return try PendingOverlay(context: self, plan: plan).apply(to: stored)
  }
}
