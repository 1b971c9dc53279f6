/// One result of a streamed fetch of dictionaries; valid until the next one.
package struct TableRow {
  fileprivate enum Source {
    case statement([TableColumnDecoder], SQLiteStatement)
    case values([Any?], [Bool])
  }

  fileprivate let source: Source

  package func cell(_ column: Int) -> TableCell {
    switch source {
    case .statement(let columns, let statement): return columns[column].cell(statement)
    case .values(let values, let areBooleans):
      guard let value = values[column] else { return .null }
      if areBooleans[column], let number = value as? NSNumber { return .boolean(number.boolValue) }
      return .object(value)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Calls `body` with the results of a fetch of dictionaries one by one, until it returns false;
  /// in constant memory for a SQLite store.
  ///
  /// The columns are those of ``NSFetchRequest/propertiesToFetch``, each read by
  /// ``TableRow/cell(_:)``. Throws the errors of the fetch; ``NSFetchRequest/havingPredicate`` is
  /// ignored.
  package final func stream(
    _ request: NSFetchRequest<NSDictionary>, body: (TableRow) throws -> Bool
  ) throws {
    let plan = try plan(of: request)
    let answering = try stores(for: plan.rows, among: request.affectedStores)
    if answering.count == 1, let store = answering[0] as? SQLiteStore {
      return try store.step(plan) { columns, statement in
        try body(TableRow(source: .statement(columns, statement)))
      }
    }
    let areBooleans = plan.columns.map(\.isBoolean)
    for values in try table(plan, in: request.affectedStores) {
      guard try body(TableRow(source: .values(values, areBooleans))) else { return }
    }
  }

  /// The SQL statement that a store runs for such a fetch, and its query plan; nil for stores
  /// without SQL.
  package final func explanation(
    of request: NSFetchRequest<NSDictionary>
  ) throws -> StatementExplanation? {
    let plan = try plan(of: request)
    let store = try stores(for: plan.rows, among: request.affectedStores).first
    if let server = store as? any ServerStore { return try server.explanation(of: plan) }
    return try (store as? SQLiteStore)?.explanation(of: plan)
  }

  private func plan(of request: NSFetchRequest<NSDictionary>) throws -> TablePlan {
    let layout = try request.entity(in: managedObjectModel).layout
    return try DictionaryFetch(request.settings, layout: layout).plan
  }
}

extension TablePlan.Column {
  fileprivate var isBoolean: Bool {
    if case .path(let steps) = source { steps.last?.type == .booleanAttributeType } else { false }
  }
}

extension SQLiteStore {
  fileprivate func explanation(of plan: TablePlan) throws -> StatementExplanation {
    let contents = try contents
    let entity = try contents.entity(plan.rows.layout)
    let query = try SQLTableQuery(plan, entity: entity, store: queryContext(contents))
    let steps = try contents.reporting(.read) {
      try contents.database.read { try $0.queryPlan(query.sql, values: query.values) }
    }
    return StatementExplanation(sql: query.sql, values: query.values, plan: steps)
  }
}

extension SQLiteConnection {
  fileprivate func queryPlan(_ sql: String, values: [SQLValue]) throws -> [String] {
    try withStatement("EXPLAIN QUERY PLAN " + sql) { statement in
      statement.bind(values)
      var depths: [Int64: Int] = [0: 0]
      var lines: [String] = []
      while try statement.step() {
        let depth = depths[statement.integer(1)] ?? 0
        depths[statement.integer(0)] = depth + 1
        lines.append(String(repeating: "  ", count: depth) + (statement.text(3) ?? ""))
      }
      return lines
    }
  }
}
