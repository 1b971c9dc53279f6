extension NSManagedObjectContext {
  /// The objects that a request describes, changes that are not saved yet included.
  ///
  /// - Throws: a predicate or sort descriptor that the store cannot express, named; store errors.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    let results = try results(of: request)
    // Every result type is a class, so that the array's elements are of type T or they are not.
    guard let typed = results as? [T] else {
      fatalError(
        "The fetch request promises \(T.self) and its results are "
          + "\(results.first.map { "\(type(of: $0))" } ?? "of another type"). Ask for the class of the "
          + "entity “\(request.entityName ?? "")”, or set resultType.")
    }
    return typed
  }

  private func results(of request: any AnyFetchRequest) throws -> [AnyObject] {
    switch request.settings.resultType {
    case .managedObjectResultType: return try objects(request)
    case .managedObjectIDResultType:
      return try fetchIdentities(request).map(fetchedIdentity)
    case .countResultType: return [NSNumber(value: try count(request))]
    default: return try dictionaries(request)
    }
  }

  /// How many objects the request describes.
  public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    try count(request)
  }

  /// Executes a request of any kind.
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    throw CoreDataError.unsupported(
      "Executing a \(type(of: request))", instead: "Use fetch(_:) for a fetch request.")
  }

  // MARK: - Objects

  private func objects(_ request: any AnyFetchRequest) throws -> [NSManagedObject] {
    let (plan, stores) = try prepare(request)
    let objects =
      request.settings.includesPendingChanges
      ? try objects(plan, stores) : try storedObjects(plan, stores)
    if !request.settings.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
    return objects
  }

  private func prepare(
    _ request: any AnyFetchRequest
  ) throws -> (FetchPlan, [NSPersistentStore]?) {
    assertConfined()
    takeOverPermanentIDs()
    processPendingChanges()
    guard let model = rootCoordinator?.managedObjectModel else {
      throw CoreDataError.make(
        .coreData,
        reason: "A context without a persistent store coordinator has nothing to fetch from.")
    }
    let entity = try request.entity(in: model)
    return (request.settings.plan(for: entity.layout), request.affectedStores)
  }

  private func storedObjects(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    let rows = try source?.rows(plan, stores) ?? []
    return rows.map { object(for: $0) }
  }

  /// Stored objects with the pending changes laid over them.
  final func objects(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    let stored = try storedObjects(plan, stores)
    let overlay = try PendingOverlay(context: self, plan: plan)
    return overlay.isEmpty ? stored : overlay.apply(to: stored)
  }

  final func count(_ request: any AnyFetchRequest) throws -> Int {
    let (plan, stores) = try prepare(request)
    return request.settings.includesPendingChanges
      ? try count(plan, stores) : try source?.count(plan, stores) ?? 0
  }

  final func count(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Int {
    let overlay = try PendingOverlay(context: self, plan: plan)
    if overlay.isEmpty { return try source?.count(plan, stores) ?? 0 }
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
    guard request.settings.includesPendingChanges else {
      return try source?.identities(plan, stores) ?? []
    }
    return try fetchIdentities(plan, stores)
  }

  final func fetchIdentities(
    _ plan: FetchPlan, _ stores: [NSPersistentStore]?
  ) throws -> ContiguousArray<PackedIdentity> {
    let stored = try source?.identities(plan, stores) ?? []
    let overlay = try PendingOverlay(context: self, plan: plan)
    return overlay.isEmpty ? stored : overlay.apply(to: stored)
  }

  private func fetchedIdentity(_ packed: PackedIdentity) -> NSManagedObjectID {
    guard let identity = identity(of: packed) else {
      fatalError("The fetched identity \(packed) belongs to no store of the coordinator")
    }
    return identity
  }
}
