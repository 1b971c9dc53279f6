import Predicates

/// The execution of a history request: makes a plan for each store and combines their results.
struct HistoryFetch {
  private let request: NSPersistentHistoryChangeRequest
  private let settings: FetchSettings?
  /// The entity of the fetch request; nil without one.
  private let entity: NSEntityDescription?

  /// Throws error 134060 for a fetch request of another entity, and for a deletion by changes.
  init(_ request: NSPersistentHistoryChangeRequest) throws {
    self.request = request
    settings = request.fetchRequest?.settings
    entity = try settings.map(Self.entity)
    if case .delete = request.action, entity === HistoryEntities.change {
      throw CoreDataError.make(
        .coreData,
        reason:
          "History is deleted by transactions: give NSPersistentHistoryTransaction.fetchRequest.")
    }
  }

  private static func entity(of settings: FetchSettings) throws -> NSEntityDescription {
    let name = settings.entity?.name ?? settings.entityName
    let known = [HistoryEntities.transaction, HistoryEntities.change]
    if let entity = known.first(where: { $0.name == name }) { return entity }
    throw CoreDataError.make(
      .coreData,
      reason: "A history request takes the fetch requests of NSPersistentHistoryTransaction and "
        + "NSPersistentHistoryChange, not one for “\(name ?? "")”.")
  }

  // MARK: - One store

  func plan(for store: any HistoryStore) throws -> HistoryPlan {
    let uuid = store.identities.storeUUID
    var plan = HistoryPlan()
    plan.part = try part(uuid)
    plan.wantsChanges = request.resultType.needsChanges || entity === HistoryEntities.change
    guard let settings, let entity else { return plan }
    guard let predicate = settings.predicate else {
      // In the order of the store the first are those that are read first.
      let isInOrder = settings.sortDescriptors?.isEmpty ?? true
      if isInOrder, settings.fetchLimit > 0, entity === HistoryEntities.transaction {
        let (limit, isTooMuch) = settings.fetchOffset.addingReportingOverflow(settings.fetchLimit)
        plan.limit = isTooMuch ? nil : limit
      }
      return plan
    }
    if entity === HistoryEntities.change {
      plan.matchesChange = try HistoryPredicate.test(predicate, entity: entity, storeUUID: uuid)
    } else {
      plan.matchesTransaction = try HistoryPredicate.test(
        predicate, entity: entity, storeUUID: uuid)
    }
    return plan
  }

  private func part(_ uuid: String) throws -> HistoryPlan.Part {
    func number(_ token: NSPersistentHistoryToken) throws -> Int64 {
      guard let number = token.numbers[uuid] else {
        throw HistoryError.notInToken(uuid, token: token)
      }
      return number
    }
    return switch request.action {
    case .fetch(after: .start): .all
    case .fetch(after: .date(let date)): .afterDate(date)
    case .fetch(after: .token(let token)): .after(try number(token))
    case .delete(before: .start): .none
    case .delete(before: .date(let date)): .beforeDate(date)
    case .delete(before: .token(let token)): .before(try number(token))
    }
  }

  // MARK: - All stores

  func result(from stores: [any HistoryStore]) throws -> NSPersistentHistoryResult {
    var transactions = try stores.flatMap { store in
      var plan = try plan(for: store)
      if stores.count > 1 { plan.limit = nil }
      return try store.history(plan)
    }
    if stores.count > 1 { transactions.sort { $0.timestamp < $1.timestamp } }
    let type = request.resultType
    guard entity === HistoryEntities.change else {
      let found = try window(transactions)
      return Self.result(found, changes: found.flatMap { $0.changes ?? [] }, type: type)
    }
    let changes = try window(transactions.flatMap { $0.changes ?? [] })
    return Self.result(Self.transactions(of: changes), changes: changes, type: type)
  }

  private static func result(
    _ transactions: [NSPersistentHistoryTransaction], changes: [NSPersistentHistoryChange],
    type: NSPersistentHistoryResultType
  ) -> NSPersistentHistoryResult {
    let value: Any =
      switch type {
      case .statusOnly: true
      case .count: transactions.count
      case .transactionsOnly: transactions.map { NSPersistentHistoryTransaction($0.record) }
      case .transactionsAndChanges: transactions
      case .changesOnly: changes
      case .objectIDs: distinct(changes.map(\.changedObjectID))
      }
    return NSPersistentHistoryResult(value, type: type)
  }

  private static func distinct(_ identities: [NSManagedObjectID]) -> [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return identities.filter { seen.insert($0).inserted }
  }

  /// The transactions of these changes, each with its changes among them, in the order of first
  /// occurrence.
  private static func transactions(
    of changes: [NSPersistentHistoryChange]
  ) -> [NSPersistentHistoryTransaction] {
    var order: [NSPersistentHistoryTransaction] = []
    let groups = Dictionary(grouping: changes) {
      NSPersistentHistoryTransaction($0.transactionRecord)
    }
    var seen: Set<NSPersistentHistoryTransaction> = []
    for change in changes {
      let transaction = NSPersistentHistoryTransaction(change.transactionRecord)
      if seen.insert(transaction).inserted { order.append(transaction) }
    }
    return order.map { NSPersistentHistoryTransaction($0.record, changes: groups[$0]) }
  }

  /// The results sorted by the fetch request's sort descriptors and cut by its offset and limit.
  private func window<Subject: NSObject>(_ all: [Subject]) throws -> [Subject] {
    guard let settings else { return all }
    var sorted = all
    if let descriptors = settings.sortDescriptors, !descriptors.isEmpty {
      let sort = CompiledSort(try descriptors.map(RowReader.keyed))
      let order = try CoreDataError.explaining { try sort.sortedIndices(of: all) }
      sorted = order.map { all[$0] }
    }
    let rest = sorted.dropFirst(settings.fetchOffset)
    return Array(settings.fetchLimit > 0 ? rest.prefix(settings.fetchLimit) : rest)
  }
}
