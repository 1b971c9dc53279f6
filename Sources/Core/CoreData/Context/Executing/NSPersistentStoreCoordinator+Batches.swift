// The execution of batch requests by the stores.
extension NSPersistentStoreCoordinator {
  final func executeBatch(
    _ request: NSBatchInsertRequest, with context: NSManagedObjectContext
  ) throws -> NSBatchInsertResult {
    let layout = try request.layout(in: managedObjectModel)
    let rows = BatchRows(request, layout: layout)
    let batch = BatchInsertion(
      layout: layout, collision: Self.collision(context.mergePolicy),
      wantsIdentities: request.resultType == .objectIDs, next: rows.next)
    let store = try batchStore(
      try store(for: layout, among: request.affectedStores), request: request, in: context)
    let outcome = try store { try $0.insert(batch) }
    return switch request.resultType {
    case .statusOnly: NSBatchInsertResult(true, type: .statusOnly)
    case .objectIDs: NSBatchInsertResult(outcome.identities, type: .objectIDs)
    case .count: NSBatchInsertResult(outcome.count, type: .count)
    }
  }

  final func executeBatch(
    _ request: NSBatchUpdateRequest, with context: NSManagedObjectContext
  ) throws -> NSBatchUpdateResult {
    let layout = try request.layout(in: managedObjectModel)
    var plan = FetchPlan(layout: layout)
    plan.predicate = request.predicate
    plan.includesSubentities = request.includesSubentities
    let batch = BatchUpdate(
      rows: plan, values: try Self.values(request, layout: layout),
      wantsIdentities: request.resultType == .updatedObjectIDsResultType)
    let outcome = try each(request, plan: plan, in: context) { try $0.update(batch) }
    return switch request.resultType {
    case .statusOnlyResultType: NSBatchUpdateResult(true, type: request.resultType)
    case .updatedObjectIDsResultType:
      NSBatchUpdateResult(outcome.identities, type: request.resultType)
    case .updatedObjectsCountResultType:
      NSBatchUpdateResult(outcome.count, type: request.resultType)
    }
  }

  final func executeBatch(
    _ request: NSBatchDeleteRequest, with context: NSManagedObjectContext
  ) throws -> NSBatchDeleteResult {
    if request.objectIDs?.isEmpty == true {
      return Self.result(BatchOutcome(), type: request.resultType)
    }
    try Self.checkSameEntity(request.objectIDs ?? [])
    let fetch = request.plainRequest
    let entity = try fetch.entity(in: managedObjectModel)
    let plan = fetch.settings.plan(for: entity.layout)
    let batch = BatchDeletion(
      rows: plan, wantsIdentities: request.resultType == .resultTypeObjectIDs)
    let outcome = try each(request, plan: plan, in: context) { try $0.delete(batch) }
    return Self.result(outcome, type: request.resultType)
  }

  private static func result(
    _ outcome: BatchOutcome, type: NSBatchDeleteRequestResultType
  ) -> NSBatchDeleteResult {
    switch type {
    case .resultTypeStatusOnly: NSBatchDeleteResult(true, type: type)
    case .resultTypeObjectIDs: NSBatchDeleteResult(outcome.identities, type: type)
    case .resultTypeCount: NSBatchDeleteResult(outcome.count, type: type)
    }
  }

  // MARK: - Stores

  /// Has every store that may have rows of the plan execute the batch. All stores are checked
  /// before the first one changes anything.
  private func each(
    _ request: NSPersistentStoreRequest, plan: FetchPlan, in context: NSManagedObjectContext,
    body: @escaping (any BatchStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    let stores = try self.stores(for: plan, among: request.affectedStores)
      .map { try batchStore($0, request: request, in: context) }
    var outcome = BatchOutcome()
    for store in stores {
      let part = try store(body)
      outcome.count += part.count
      outcome.identities += part.identities
    }
    return outcome
  }

  /// Executes a batch on a store: the store itself does, or a custom store's class from the
  /// request.
  private typealias BatchExecution = (
    (any BatchStore) throws -> BatchOutcome
  ) throws -> BatchOutcome

  private func batchStore(
    _ store: NSPersistentStore, request: NSPersistentStoreRequest,
    in context: NSManagedObjectContext
  ) throws -> BatchExecution {
    if let client = store as? any RequestStore {
      if store.isReadOnly { throw Self.readOnlyError(store) }
      return { _ in try client.outcome(of: request, context) }
    }
    guard let batch = store as? any BatchStore else {
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason: "Unknown command type \(type(of: request)): a store of the type \(store.type) has "
          + "no batch requests, a SQLite store has.",
        userInfo: [NSAffectedStoresErrorKey: [store]])
    }
    if store.isReadOnly { throw Self.readOnlyError(store) }
    return { try $0(batch) }
  }

  private func store(
    for layout: EntityLayout, among asked: [NSPersistentStore]?
  ) throws -> any RowStore {
    guard let asked else { return try store(for: layout, assigned: nil) }
    let fitting = asked.first { holds(layout.entity, in: $0) }
    return try store(for: layout, assigned: fitting ?? asked.first)
  }

  // MARK: - Settings of requests

  private static func collision(_ policy: Any) -> BatchInsertion.Collision {
    switch (policy as? NSMergePolicy)?.mergeType {
    case .mergeByPropertyObjectTrumpMergePolicyType: .replacesGiven
    case .overwriteMergePolicyType: .replacesAll
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keepsStored
    default: .fails
    }
  }

  private static func values(
    _ request: NSBatchUpdateRequest, layout: EntityLayout
  ) throws -> [(slot: Int, value: BatchUpdate.NewValue)] {
    guard let properties = request.propertiesToUpdate, !properties.isEmpty else {
      throw CoreDataError.make(
        .coreData, reason: "Invalid properties to update specified: there are none.")
    }
    return try properties.flatMap { key, value -> [(slot: Int, value: BatchUpdate.NewValue)] in
      let name = (key.base as? NSPropertyDescription)?.name ?? "\(key.base)"
      switch layout.place(of: name) {
      case .slot(let slot) where layout.slots[slot].isStored:
        return [(slot, try newValue(value, slot: layout.slots[slot]))]
      case .composite(let index): return try newValues(value, layout: layout, composite: index)
      default:
        throw CoreDataError.make(
          .coreData,
          reason: "Invalid property (\(name)) passed to propertiesToUpdate: it is no stored "
            + "attribute or to-one relationship of “\(layout.entity.name ?? "")”.")
      }
    }.sorted { $0.slot < $1.slot }
  }

  /// The new values of a composite attribute's elements, from one dictionary for all of them.
  private static func newValues(
    _ value: Any, layout: EntityLayout, composite index: Int
  ) throws -> [(slot: Int, value: BatchUpdate.NewValue)] {
    var value: Any? = value
    if let expression = value as? NSExpression {
      guard case .constant(let constant) = expression.content else {
        throw CoreDataError.make(
          .coreData,
          reason:
            "A batch update sets “\(layout.composites[index].path)” to a dictionary or to nil, "
            + "and its elements to expressions.")
      }
      value = constant
    }
    do {
      return try layout.slotValues(of: value, composite: index)
        .filter { layout.slots[$0.slot].isStored }.map { ($0.slot, .constant($0.value)) }
    } catch let error as UnacceptableValue {
      throw CoreDataError.make(.coreData, reason: error.text)
    }
  }

  private static func newValue(
    _ value: Any, slot: EntityLayout.Slot
  ) throws -> BatchUpdate.NewValue {
    var value: Any? = value
    if let expression = value as? NSExpression {
      guard case .constant(let constant) = expression.content else {
        return .expression(expression)
      }
      value = constant
    }
    if slot.kind == .toOne, let object = value as? NSManagedObject { value = object.objectID }
    let type: NSAttributeType =
      if case .attribute(let type) = slot.kind { type } else { .objectIDAttributeType }
    do { return .constant(try Value(value, type: type, name: slot.name)) } catch {
      throw CoreDataError.make(
        .coreData,
        reason: (error as? UnacceptableValue)?.text ?? "“\(slot.name)” cannot hold that value.")
    }
  }

  private static func checkSameEntity(_ identities: [NSManagedObjectID]) throws {
    guard let first = identities.first,
      let other = identities.first(where: { $0.layout !== first.layout })
    else { return }
    throw CoreDataError.make(
      .coreData,
      reason: "mismatched objectIDs in batch delete initializer: \(first.entity.name ?? "") and "
        + "\(other.entity.name ?? "")")
  }
}
