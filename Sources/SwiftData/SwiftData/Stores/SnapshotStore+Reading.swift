import CoreData

extension SnapshotStore {
  func results(
    of request: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext?
  ) throws -> [Any] {
    guard let type = request.entity.flatMap(modelType) else {
      throw DataStoreError.unsupportedFeature
    }
    let fetch = Fetch(request, type: type, state: editingState(of: context))
    switch request.resultType {
    case .countResultType: return [NSNumber(value: try count(fetch))]
    case .managedObjectIDResultType: return try ids(fetch)
    case .managedObjectResultType: return try objects(fetch)
    default: throw DataStoreError.unsupportedFeature
    }
  }

  /// A fetch request with its translation for the store.
  private struct Fetch {
    let request: NSFetchRequest<NSFetchRequestResult>
    let entity: NSEntityDescription
    let question: StoreQuestion
    let state: EditingState
    /// Whether memory must filter or sort, because predicate or sort descriptors are Core Data's
    /// own and not the descriptor's.
    let filters: Bool
    let sorts: Bool

    init(
      _ request: NSFetchRequest<NSFetchRequestResult>, type: ModelType, state: EditingState
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

    /// The limits for the store; none if memory filters or sorts first.
    var limits: StoreQuestion.Limits {
      if filters || sorts { return StoreQuestion.Limits(limit: 0, offset: 0) }
      return StoreQuestion.Limits(limit: request.fetchLimit, offset: request.fetchOffset)
    }
  }

  private func count(_ fetch: Fetch) throws -> Int {
    if fetch.filters { return try objects(fetch).count }
    let answer = try fetch.question.count(fetch.limits, store: access, state: fetch.state)
    guard answer.isWhole, !fetch.sorts else { return try objects(fetch).count }
    return answer.result
  }

  private func ids(_ fetch: Fetch) throws -> [NSManagedObjectID] {
    if fetch.filters || fetch.sorts { return try objects(fetch) }
    let answer = try fetch.question.identifiers(fetch.limits, store: access, state: fetch.state)
    guard answer.isWhole else { return try objects(fetch) }
    return try ids(of: answer.result, for: fetch.entity)
  }

  private func objects(_ fetch: Fetch) throws -> [NSManagedObjectID] {
    let (answer, found) = try access.exclusively {
      let answer = try fetch.question.fetch(fetch.limits, store: access, state: fetch.state)
      return (answer, try note(answer.result, entity: fetch.entity))
    }
    let filters = fetch.filters || answer.leavesFilter
    let sorts = fetch.sorts || answer.leavesSort
    if !filters && !sorts { return found }
    return try finish(found, fetch: fetch, filters: filters, sorts: sorts)
  }

  /// Caches the snapshots of an answer and returns the IDs of the fetched models.
  @discardableResult
  func note(
    _ answer: FetchedSnapshots, entity: NSEntityDescription, isFetch: Bool = true
  ) throws -> [NSManagedObjectID] {
    let found = try ids(of: answer.fetched.map(\.persistentIdentifier), for: entity)
    let related = try ids(of: answer.related.map(\.persistentIdentifier), for: nil)
    snapshots.putRelated(
      zip(related, answer.related).map { ($0, $1) }, replacing: isFetch)
    snapshots.put(zip(found, answer.fetched).map { ($0, $1) })
    return found
  }

  /// Filters and sorts in memory, then applies offset and limit.
  private func finish(
    _ found: [NSManagedObjectID], fetch: Fetch, filters: Bool, sorts: Bool
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
    // Rows keep the store's own order unless memory has to sort.
    if sorts { rows = try reader.sorted(rows, by: fetch.request.sortDescriptors ?? []) }
    return plan.window(rows).map(\.identity)
  }

  // MARK: - Values

  /// The snapshot of an object: cached, else requested for this object alone, else, if the store
  /// cannot filter, requested for all models of its class.
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
    if let cached = try access.cached(identifier, state: state) {
      snapshots.put([(id, cached)])
      return cached
    }
    let question = StoreQuestion.one(identifier, type: type.type)
    let answer = try question.fetch(
      StoreQuestion.Limits(limit: 0, offset: 0), store: access, state: state)
    if answer.leavesFilter {
      // The answer has all models of the class. The others are cached too, as they are likely to be
      // needed next.
      let all = answer.result
      try note(
        FetchedSnapshots(fetched: [], related: all.related + all.fetched), entity: id.entity,
        isFetch: false
      )
    } else {
      try note(answer.result, entity: id.entity, isFetch: false)
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
