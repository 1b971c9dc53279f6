extension NSManagedObjectContext {
  final func typed<T: NSFetchRequestResult>(
    _ results: [AnyObject], request: NSFetchRequest<T>
  ) -> [T] {
    // Both bit casts are sound: the elements are known to be of type T, and every result type is a
    // class, so both arrays have the same layout.
    if T.self == NSManagedObject.self, request.resultType == .managedObjectResultType {
      return unsafeBitCast(results, to: [T].self)
    }
    // Most often every element is of exactly the class that the request names.
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
    // A conversion would visit each object. Sound: both element types are classes, so both arrays
    // have the same layout.
    case .managedObjectResultType:
      return unsafeBitCast(try objects(request, settings: settings), to: [AnyObject].self)
    case .managedObjectIDResultType:
      return LazyObjectIDs(try fetchIdentities(request), in: self).all
    case .countResultType: return [NSNumber(value: try count(request))]
    default: return try dictionaries(request)
    }
  }

  // MARK: - Objects

  private func objects(
    _ request: any AnyFetchRequest, settings: FetchSettings
  ) throws -> [NSManagedObject] {
    let (plan, stores) = try prepare(request, settings: settings)
    let objects = try objects(plan, stores: stores, settings: settings)
    return try finish(objects, settings: settings)
  }

  private func objects(
    _ plan: FetchPlan, stores: [NSPersistentStore]?, settings: FetchSettings
  ) throws -> [NSManagedObject] {
    guard settings.includesPropertyValues else {
      return try identities(plan, stores: stores, settings: settings).compactMap { object(for: $0) }
    }
    let refreshes = settings.shouldRefreshRefetchedObjects
    let readsByIdentity = try refreshes && source?.readsByIdentity(plan, stores: stores) == true
    if refreshes, !readsByIdentity {
      for row in try source?.rows(plan, stores: stores) ?? [] { refreshRefetched(row) }
    }
    let objects =
      settings.includesPendingChanges
      ? try self.objects(plan, stores: stores) : try storedObjects(plan, stores: stores)
    if readsByIdentity { try refreshRefetched(objects) }
    return objects
  }

  /// Refreshes objects one by one, for a store that is asked for identities and reads values per
  /// object: no second fetch.
  private func refreshRefetched(_ objects: [NSManagedObject]) throws {
    for object in objects where object.current != nil && !object.objectID.isTemporaryID {
      if let row = try source?.row(of: object.objectID) { refreshRefetched(row) }
    }
  }

  /// The objects for rows that were read for a plan.
  final func objects(
    of rows: [Row], _ plan: FetchPlan, settings: FetchSettings
  ) throws -> [NSManagedObject] {
    assertConfined()
    takeOverPermanentIDs()
    processPendingChanges()
    if settings.shouldRefreshRefetchedObjects {
      telling(rows.compactMap { registry.object($0.packed) }) { rows.forEach(refreshRefetched) }
    }
    guard settings.includesPendingChanges, let widened = widenedByPendingChanges(plan) else {
      return try finish(self.objects(for: rows), settings: settings)
    }
    // The rows end at the window of the saved objects; pending changes may need more of them.
    let stored =
      plan.hasWindow
      ? try storedObjects(widened, stores: plan.request?.affectedStores) : self.objects(for: rows)
    return try finish(
      PendingOverlay(context: self, plan: plan).apply(to: stored), settings: settings)
  }

  /// Applies the request's settings to the objects that were found: prefetching, and firing of
  /// faults.
  final func finish(
    _ objects: [NSManagedObject], settings: FetchSettings
  ) throws -> [NSManagedObject] {
    if let keyPaths = settings.relationshipKeyPathsForPrefetching, !keyPaths.isEmpty {
      var prefetcher = Prefetcher(context: self)
      try prefetcher.prefetch(keyPaths, of: objects)
    }
    if !settings.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
    return objects
  }

  /// Gives an object that is already in the context the store's values, below its edits.
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
    try prepare(request, settings: request.settings)
  }

  private func prepare(
    _ request: any AnyFetchRequest, settings: FetchSettings
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

  /// The coordinator to fetch from. Throws error 134060 if there is none.
  final var fetchingCoordinator: NSPersistentStoreCoordinator {
    get throws {
      if let rootCoordinator { return rootCoordinator }
      throw CoreDataError.make(
        .coreData,
        reason: "A context without a persistent store coordinator has nothing to fetch from.")
    }
  }

  private func storedObjects(
    _ plan: FetchPlan, stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    guard let source else { return [] }
    if try source.readsByIdentity(plan, stores: stores) {
      return try ReadingContext.with(self) {
        try source.identities(plan, stores: stores).compactMap { object(for: $0) }
      }
    }
    return objects(for: try source.rows(plan, stores: stores))
  }

  /// The stored objects of a plan, merged with the pending changes.
  final func objects(
    _ plan: FetchPlan, stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    guard let widened = widenedByPendingChanges(plan) else {
      return try storedObjects(plan, stores: stores)
    }
    let stored = try storedObjects(widened, stores: stores)
    return try PendingOverlay(context: self, plan: plan).apply(to: stored)
  }

  final func count(_ request: any AnyFetchRequest) throws -> Int {
    let (plan, stores) = try prepare(request)
    return request.settings.includesPendingChanges
      ? try count(plan, stores: stores) : try source?.count(plan, stores: stores) ?? 0
  }

  final func count(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Int {
    if widenedByPendingChanges(plan) == nil { return try source?.count(plan, stores: stores) ?? 0 }
    return try fetchIdentities(plan, stores: stores).count
  }

  /// The meaning of a comparison with nil for the store that has the entity.
  final func nilRule(for plan: FetchPlan) -> NilRule {
    rootCoordinator?.nilRule(for: plan.layout.entity) ?? .sql
  }

  // MARK: - Identities

  /// The identities of the objects that a request matches, in its order, with pending changes.
  package final func fetchIdentities(
    _ request: any AnyFetchRequest
  ) throws -> ContiguousArray<PackedIdentity> {
    let (plan, stores) = try prepare(request)
    return try identities(plan, stores: stores, settings: request.settings)
  }

  private func identities(
    _ plan: FetchPlan, stores: [NSPersistentStore]?, settings: FetchSettings
  ) throws -> ContiguousArray<PackedIdentity> {
    settings.includesPendingChanges
      ? try fetchIdentities(plan, stores: stores)
      : try source?.identities(plan, stores: stores) ?? []
  }

  final func fetchIdentities(
    _ plan: FetchPlan, stores: [NSPersistentStore]?
  ) throws -> ContiguousArray<PackedIdentity> {
    guard let widened = widenedByPendingChanges(plan) else {
      return try source?.identities(plan, stores: stores) ?? []
    }
    let stored = try source?.identities(widened, stores: stores) ?? []
    return try PendingOverlay(context: self, plan: plan).apply(to: stored)
  }
}
