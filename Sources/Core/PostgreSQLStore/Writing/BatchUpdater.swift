import CoreData

/// Updates locked rows, in a transaction.
///
/// Constant values take one statement per entity. Expressions are evaluated in memory, as for
/// dictionary results, and written row by row in one pipeline.
struct BatchUpdater {
  let contents: StoreContents
  let connection: PostgreSQLConnection

  func run(_ batch: BatchUpdate, rows: [Row]) throws -> [RowGroup] {
    try checkColumns(batch)
    let computed = batch.values.compactMap {
      slot, value -> (slot: Int, expression: NSExpression)? in
      if case .expression(let expression) = value { (slot, expression) } else { nil }
    }
    var groups: [RowGroup] = []
    for row in rows { groups.add(row.packed.key, layout: row.layout) }
    let values = try computed.isEmpty ? [] : self.values(computed, plan: batch.rows, rows: rows)
    let changed = batch.values.map(\.slot)
    var change = ChangedRows()
    for row in rows { change.add(row.packed.key, layout: row.layout, slots: changed) }
    let derived = contents.schema.derived
    _ = try connection.results(of: derived.before(change))
    for group in groups {
      let properties = HistoryNotes.properties(group.layout, slots: changed)
      let notes = contents.notes?.changes(
        .update, objects: group.keys.map { (group.layout, $0) }, properties: properties)
      for statement in notes ?? [] { try connection.query(statement) }
    }
    let constants = Row.empty(NSManagedObjectID.temporary(batch.rows.layout))
    var slots: [Int] = []
    for (slot, value) in batch.values {
      guard case .constant(let value) = value else { continue }
      constants[slot] = value
      slots.append(slot)
    }
    if computed.isEmpty {
      for group in groups {
        try connection.query(statement(constants, slots: slots, keys: group.keys))
      }
      try derived.after(change, connection: connection)
      return groups
    }
    var statements: [PostgreSQLConnection.Statement] = []
    for (row, line) in zip(rows, values) {
      let new = constants.copy()
      for ((slot, _), value) in zip(computed, line) { new[slot] = value }
      statements.append(
        try statement(new, slots: slots + computed.map(\.slot), keys: [row.packed.key]))
    }
    if !statements.isEmpty { _ = try connection.results(of: statements) }
    try derived.after(change, connection: connection)
    return groups
  }

  private func checkColumns(_ batch: BatchUpdate) throws {
    let entity = try contents.schema.entity(batch.rows.layout)
    for (slot, _) in batch.values where entity.columns[slot]?.isDerived ?? true {
      throw CoreDataError.make(
        .coreData, reason: "A derived attribute cannot be set by a batch update.")
    }
  }

  private func statement(
    _ row: Row, slots: [Int], keys: [Int64]
  ) throws -> PostgreSQLConnection.Statement {
    let entity = try contents.schema.entity(row.layout)
    let encoder = ValueEncoder(entity: entity, schema: contents.schema)
    let quoted = SchemaNames.quoted
    let version = quoted(SchemaNames.version)
    var parameters: [PostgreSQLParameter] = [.integers(keys)]
    var sets = ["\(version) = \(version) + 1"]
    for slot in slots {
      for (column, value) in zip(encoder.columns(slot), try encoder.parameters(slot, of: row)) {
        parameters.append(value)
        sets.append("\(quoted(column)) = $\(parameters.count)")
      }
    }
    return .init(
      sql: "UPDATE \(quoted(entity.table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(quoted(SchemaNames.key)) = ANY($1)", parameters: parameters)
  }

  /// The computed values, one array per row, in the order of the rows.
  private func values(
    _ computed: [(slot: Int, expression: NSExpression)], plan: FetchPlan, rows: [Row]
  ) throws -> [[Value]] {
    let slots = plan.layout.slots
    let types = computed.map { slot, _ -> NSAttributeType in
      if case .attribute(let type) = slots[slot].kind { type } else { .objectIDAttributeType }
    }
    let columns = computed.enumerated().map { index, part in
      TablePlan.Column(
        name: slots[part.slot].name, source: .expression(part.expression, types[index]))
    }
    let reader = RowReader(
      source: ReadSession(contents, connection: connection), nilRule: contents.nilRule)
    let table = TableReader(reader: reader, plan: TablePlan(rows: plan, columns: columns))
    return try table.table(rows).map { line in
      try line.enumerated().map { index, value in
        try Value(value, type: types[index], name: slots[computed[index].slot].name)
      }
    }
  }
}
