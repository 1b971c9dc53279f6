/// Writes the rows of a batch insertion, inside of its transaction.
///
/// A single row of values is filled again for each row of the table, so that only the values
/// themselves allocate. Keys follow the tree's last one, which is written at the end.
final class BatchInsertWriter {
  private let batch: BatchInsertion
  private let entity: EntityMapping
  private let encoder: RowEncoder
  private let connection: SQLiteConnection
  private let identities: IdentitySpace
  private let files: ExternalTransaction
  private let row: Row
  private let history: HistoryWriter?
  @exclusivity(unchecked)
  private var key: Int64 = 0
  @exclusivity(unchecked)
  private var outcome = BatchOutcome()
  /// The statement of the last row, and the slots that it sets if it depends on them.
  @exclusivity(unchecked)
  private var statement: SQLiteStatement?
  private var statementSlots: [Int] = []
  private let hasMarkedTargets: Bool
  /// Whether an existing row keeps the values that were not given.
  private let dependsOnSlots: Bool

  init(
    _ batch: BatchInsertion, entity: EntityMapping, contents: StoreContents,
    connection: SQLiteConnection, identities: IdentitySpace, files: ExternalTransaction
  ) {
    self.batch = batch
    self.entity = entity
    self.connection = connection
    self.identities = identities
    self.files = files
    encoder = contents.encoder(of: entity)
    hasMarkedTargets = !encoder.markedTargets.isEmpty
    dependsOnSlots = batch.collision == .replacesGiven
    row = Row.empty(NSManagedObjectID.temporary(batch.layout))
    history = contents.historyWriter(connection)
  }

  func run() throws -> BatchOutcome {
    defer { putBackStatement() }
    let first = try lastKey()
    key = first
    let defaults = batch.layout.defaults.enumerated().filter { !$0.element.isNull }
    let targets = encoder.targets
    while true {
      row.clear()
      for (slot, value) in defaults { row[slot] = value }
      guard let slots = try batch.next(row) else { break }
      try statement(for: slots)._withUnsafeGuaranteedRef {
        try insert(slots, targets: targets, statement: $0)
      }
    }
    if key > first { try noteLastKey() }
    try history?.finish()
    return outcome
  }

  private func insert(
    _ slots: BatchSlots, targets: [RowEncoder.Target], statement: SQLiteStatement
  ) throws {
    if hasMarkedTargets { try files.place(row, targets: encoder.markedTargets) }
    statement.bind(key + 1, at: 1)
    _ = try encoder.bind(row, targets: targets, to: statement, from: 4)
    switch batch.collision {
    case .fails:
      try statement.run()
      try note(key + 1, slots: slots)
    case .keepsStored:
      try statement.run()
      if statement.changes > 0 { try note(key + 1, slots: slots) }
    case .replacesGiven, .replacesAll:
      guard try statement.step() else { return }
      let written = statement.integer(0)
      statement.reset()
      try note(written, slots: slots)
    }
  }

  /// Records a row that was inserted with the next key, or an existing one that was updated.
  private func note(_ written: Int64, slots: BatchSlots) throws {
    if written == key + 1 {
      key = written
      try history?.noteInsertion(batch.layout, key: written)
    } else {
      try history?.noteUpdate(batch.layout, key: written, slots: replacedSlots(slots))
    }
    outcome.count += 1
    guard batch.wantsIdentities else { return }
    outcome.identities.append(identities.identity(batch.layout, key: written))
  }

  private func replacedSlots(_ slots: BatchSlots) -> [Int] {
    if batch.collision == .replacesGiven, case .some(let given) = slots { return given }
    return encoder.targets.filter { $0.mapping.kind != .toOne }.map(\.slot)
  }

  // MARK: - Statements

  /// The prepared statement for these slots. `Unmanaged` is sound: `statement` retains it until
  /// another one is needed.
  private func statement(for slots: BatchSlots) throws -> Unmanaged<SQLiteStatement> {
    if !dependsOnSlots, let statement { return .passUnretained(statement) }
    return try otherStatement(for: slots)
  }

  private func otherStatement(for slots: BatchSlots) throws -> Unmanaged<SQLiteStatement> {
    var given: [Int] = []
    if dependsOnSlots, case .some(let some) = slots { given = some.sorted() }
    if let statement, statementSlots == given { return .passUnretained(statement) }
    putBackStatement()
    let sql = SQLText(encoder.insertion + collisionClause(given, slots: slots))
    let prepared = try connection.takeStatement(sql)
    // Constant for all rows.
    prepared.bind(Int64(entity.entityNumber), at: 2)
    prepared.bind(1 as Int64, at: 3)
    (statement, statementSlots) = (prepared, given)
    return .passUnretained(prepared)
  }

  private func collisionClause(_ given: [Int], slots: BatchSlots) -> String {
    switch batch.collision {
    case .fails: return ""
    case .keepsStored: return " ON CONFLICT DO NOTHING"
    case .replacesGiven, .replacesAll:
      var targets = encoder.targets
      if batch.collision == .replacesGiven, case .some = slots {
        targets = encoder.targets(of: given)
      }
      let sets = targets.filter { $0.mapping.kind != .toOne }.flatMap(\.columns)
        .map { "\($0) = excluded.\($0)" }
      return " ON CONFLICT DO UPDATE SET "
        + (["Z_OPT = IFNULL(Z_OPT, 0) + 1"] + sets).joined(separator: ", ") + " RETURNING Z_PK"
    }
  }

  private func putBackStatement() {
    statement?.giveBack()
    statement = nil
  }

  // MARK: - Keys

  private func lastKey() throws -> Int64 {
    try connection.withStatement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?") { statement in
      statement.bind(Int64(entity.rootEntityNumber), at: 1)
      guard try statement.step() else {
        throw StoreDamage.entity(Int64(entity.rootEntityNumber), "Z_PRIMARYKEY")
      }
      let last = statement.integer(0)
      guard last >= 0, last < 1 << 39 else { throw StoreDamage.key(last, "Z_PRIMARYKEY") }
      return last
    }
  }

  private func noteLastKey() throws {
    try connection.withStatement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?") {
      $0.bind(key, at: 1)
      $0.bind(Int64(entity.rootEntityNumber), at: 2)
      try $0.run()
    }
  }
}
