extension SQLPredicateBuilder {
  /// `FETCH(request, context, countOnly)`: the keys of the objects that a request finds in this
  /// store, or their number. Unsaved changes of the context are ignored.
  func fetch(_ request: NSExpression, countOnly: NSExpression) throws -> SQLOperand {
    guard case .constant(let value) = request.content, let request = value as? any AnyFetchRequest,
      let entity = fetchedEntity(request.settings)
    else {
      throw StoredFetch.withoutRequest
    }
    let plan = request.settings.plan(for: entity.layout)
    if case .constant(let value) = countOnly.content, TypedValue(value) == .integer(1) {
      let rows = try keys(plan, entity: entity)
      return .expression("(SELECT COUNT(*) FROM \(rows) AS found)", .number)
    }
    return .rows(try keys(plan, entity: entity), .object(rootNumber: entity.layout.rootNumber))
  }

  private func fetchedEntity(_ settings: FetchSettings) -> EntityMapping? {
    let name = settings.entityName ?? settings.entity?.name
    return context.mapping.allEntities.first { $0.layout.entity.name == name }
  }

  private func keys(_ plan: FetchPlan, entity: EntityMapping) throws -> SQLFragment {
    let row = row(makeAlias(), layout: plan.layout)
    let tail = try undoubted {
      try self.tail(
        plan, entity: entity, scope: SQLScope(row, includesSubentities: plan.includesSubentities))
    }
    let table = context.dialect.quoted(entity.table)
    return "(SELECT \(raw: row.key) FROM \(raw: table) \(raw: row.alias)\(tail))"
  }
}
