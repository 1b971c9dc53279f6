/// Runs a batch update as one statement:
///
///     UPDATE ZITEM AS t0 SET Z_OPT = …, ZTITLE = ?, ZCOUNT = (t0.ZCOUNT + ?)
///     WHERE Z_PK IN (SELECT t0.Z_PK FROM ZITEM t0 WHERE …)
struct BatchUpdateWriter {
  private let store: SQLiteStore
  private let contents: StoreContents
  private let connection: SQLiteConnection

  init(_ store: SQLiteStore, contents: StoreContents, connection: SQLiteConnection) {
    self.store = store
    self.contents = contents
    self.connection = connection
  }

  func run(_ batch: BatchUpdate) throws -> BatchOutcome {
    var outcome = BatchOutcome()
    if batch.wantsIdentities {
      outcome.identities = try store.rowKeys(batch.rows, contents: contents, connection: connection)
        .map { store.identities.identity($0.layout, key: $0.key) }
    }
    let entity = try contents.entity(batch.rows.layout)
    let query = try SQLQuery(batch.rows, entity: entity, store: store.queryContext(contents))
    let constants = try Constants(batch, encoder: contents.encoder(of: entity))
    let computed = try self.computed(batch, entity: entity)
    let sets = ["Z_OPT = IFNULL(t0.Z_OPT, 0) + 1"] + constants.sets + computed.sets
    let table = SQLIdentifier.quoted(entity.table)
    let condition = "Z_PK IN (SELECT t0.Z_PK FROM \(table) t0\(query.tail))"
    let history = contents.historyWriter(connection)
    try history?.noteUpdates(batch.rows.layout, slots: batch.values.map(\.slot), where: condition) {
      $0.bind(query.values, from: $1)
    }
    try history?.finish()
    let sql =
      "UPDATE \(table) AS t0 SET \(sets.joined(separator: ", ")) WHERE \(condition)"
    outcome.count = try connection.withStatement(sql) { statement in
      let next = try constants.bind(to: statement)
      statement.bind(computed.values + query.values, from: next)
      try statement.run()
      return statement.changes
    }
    return outcome
  }

  private func computed(
    _ batch: BatchUpdate, entity: EntityMapping
  ) throws -> (sets: [String], values: [SQLValue]) {
    var sets: [String] = []
    var values: [SQLValue] = []
    for (slot, value) in batch.values {
      guard case .expression(let expression) = value else { continue }
      let context = store.queryContext(contents)
      let scope = SQLScope(SQLRow(alias: "t0", layout: batch.rows.layout))
      let operand = try SQLPredicateBuilder(context: context).operand(expression, scope: scope)
      guard case .expression(let sql, let kind) = operand, scope.evaluated.select.joinText.isEmpty,
        !kind.isOpaque,
        let column = entity.columns[slot], column.entityColumn == nil, !column.isDerived
      else {
        throw SQLGeneration.unsupported(
          "the expression for “\(batch.rows.layout.slots[slot].name)” in a batch update")
      }
      let (text, parameters) = sql.rendered(context.dialect)
      sets.append("\(SQLIdentifier.quoted(column.name)) = \(text)")
      values += parameters
    }
    return (sets, values)
  }

  /// The values that are equal for all rows.
  private struct Constants {
    private let encoder: RowEncoder
    private let targets: [RowEncoder.Target]
    private let row: Row

    init(_ batch: BatchUpdate, encoder: RowEncoder) throws {
      self.encoder = encoder
      row = Row.empty(NSManagedObjectID.temporary(batch.rows.layout))
      var slots: [Int] = []
      for (slot, value) in batch.values {
        guard case .constant(let value) = value else { continue }
        row[slot] = value
        slots.append(slot)
      }
      targets = encoder.targets(of: slots)
      guard targets.count == slots.count else {
        throw CoreDataError.make(
          .coreData, reason: "A derived attribute cannot be set by a batch update.")
      }
    }

    var sets: [String] { targets.flatMap(\.columns).map { "\($0) = ?" } }

    /// Binds the values; returns the number of the next parameter.
    func bind(to statement: SQLiteStatement) throws -> Int32 {
      try encoder.bind(row, targets: targets, to: statement, from: 1)
    }
  }
}
