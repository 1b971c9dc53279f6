import CoreData

extension SnapshotStore {
  func results(
    of request: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext?
  ) throws -> [Any] {
    guard let type = request.entity.flatMap(modelType) else {
      throw DataStoreError.unsupportedFeature
    }
    let fetch = Fetch(request, type, editingState(of: context))
    switch request.resultType {
    case .countResultType: return [NSNumber(value: try count(fetch))]
    case .managedObjectIDResultType: return try ids(fetch)
    case .managedObjectResultType: return try objects(fetch)
    default: throw DataStoreError.unsupportedFeature
    }
  }

  /// A fetch request, and what the store is asked for it.
  private struct Fetch {
    let request: NSFetchRequest<NSFetchRequestResult>
    let entity: NSEntityDescription
    let question: StoreQuestion
    let state: EditingState
    /// What is Core Data's own of the request, and not the descriptor's.
    let filters: Bool
    let sorts: Bool

    init(
      _ request: NSFetchRequest<NSFetchRequestResult>, _ type: ModelType, _ state: EditingState
    ) {
      self.request = request
      self.state = state
      entity = request.entity!
      let asked = request.settings.question as? StoreQuestion
      if let asked, asked.predicate === request.predicate {
        question = asked
        filters = !request.includesSubentities
      } else {
        question = .everything(of: type.type)
        filters = request.predicate != nil || !request.includesSubentities
      }
      sorts = question.sortCount != (request.sortDescriptors ?? []).count
    }

    /// None where memory has something to do first.
    var limits: StoreQuestion.Limits {
      if filters || sorts { return StoreQuestion.Limits(limit: 0, offset: 0) }
      return StoreQuestion.Limits(limit: request.fetchLimit, offset: request.fetchOffset)
    }
  }

  private func count(_ fetch: Fetch) throws -> Int {
    if fetch.filters { return try objects(fetch).count }
    let answer = try fetch.question.count(fetch.limits, access, fetch.state)
    guard answer.isWhole, !fetch.sorts else { return try objects(fetch).count }
    return answer.result
  }

  private func ids(_ fetch: Fetch) throws -> [NSManagedObjectID] {
    if fetch.filters || fetch.sorts { return try objects(fetch) }
    let answer = try fetch.question.identifiers(fetch.limits, access, fetch.state)
    guard answer.isWhole else { return try objects(fetch) }
    return try ids(of: answer.result, for: fetch.entity)
  }

  private func objects(_ fetch: Fetch) throws -> [NSManagedObjectID] {
    let (answer, found) = try access.exclusively {
      let answer = try fetch.question.fetch(fetch.limits, access, fetch.state)
      return (answer, try note(answer.result, fetch.entity))
    }
    let filters = fetch.filters || answer.leavesFilter
    let sorts = fetch.sorts || answer.leavesSort
    if !filters && !sorts { return found }
    return try finish(found, fetch, filters: filters, sorts: sorts)
  }

  /// Keeps what the store has answered with; returns the IDs of what was asked for.
  @discardableResult
  func note(
    _ answer: FetchedSnapshots, _ entity: NSEntityDescription, isFetch: Bool = true
  ) throws -> [NSManagedObjectID] {
    let found = try ids(of: answer.fetched.map(\.persistentIdentifier), for: entity)
    let related = try ids(of: answer.related.map(\.persistentIdentifier), for: nil)
    snapshots.putRelated(
      zip(related, answer.related).map { ($0, $1) }, replacing: isFetch)
    snapshots.put(zip(found, answer.fetched).map { ($0, $1) })
    return found
  }

  /// Filters and sorts in memory, and cuts out what was asked for.
  private func finish(
    _ found: [NSManagedObjectID], _ fetch: Fetch, filters: Bool, sorts: Bool
  ) throws -> [NSManagedObjectID] {
    guard let coordinator = persistentStoreCoordinator else { return [] }
    var plan = FetchPlan(layout: fetch.entity.layout)
    plan.predicate = fetch.request.predicate
    plan.limit = fetch.request.fetchLimit
    plan.offset = fetch.request.fetchOffset
    let wanted =
      fetch.request.includesSubentities ? found : found.filter { $0.entity === fetch.entity }
    var rows = try wanted.compactMap { try coordinator.row(of: $0) }
    let reader = RowReader(source: coordinator)
    if filters { rows = try reader.filtered(rows, by: plan) }
    // A store's own order is one that memory need not make again.
    if sorts { rows = try reader.sorted(rows, by: fetch.request.sortDescriptors ?? []) }
    return plan.window(rows).map(\.identity)
  }

  // MARK: - Values

  /// What the store says of an object: asked for it alone where it was not asked before, and for all models of its class
  /// where it cannot be asked for one.
  func snapshot(
    of id: NSManagedObjectID, _ context: NSManagedObjectContext?
  ) throws -> DefaultSnapshot {
    if let known = snapshots.snapshot(of: id) { return known }
    return try access.exclusively { try readSnapshot(of: id, context) }
  }

  private func readSnapshot(
    of id: NSManagedObjectID, _ context: NSManagedObjectContext?
  ) throws -> DefaultSnapshot {
    let state = editingState(of: context)
    guard let identifier = identifiers.identifier(of: id),
      let type = modelType(of: id.entity)
    else { throw Self.missing(id) }
    if let cached = try access.cached(identifier, state) {
      snapshots.put([(id, cached)])
      return cached
    }
    let question = StoreQuestion.one(identifier, type.type)
    let answer = try question.fetch(StoreQuestion.Limits(limit: 0, offset: 0), access, state)
    if answer.leavesFilter {
      // All models of the class: the next one that is asked for is likely to be among them.
      let all = answer.result
      try note(
        FetchedSnapshots(fetched: [], related: all.related + all.fetched), id.entity, isFetch: false
      )
    } else {
      try note(answer.result, id.entity, isFetch: false)
    }
    guard let found = snapshots.snapshot(of: id) else { throw Self.missing(id) }
    return found
  }

  private static func missing(_ id: NSManagedObjectID) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
      userInfo: [NSLocalizedDescriptionKey: "The store has no model \(id)"])
  }
}
