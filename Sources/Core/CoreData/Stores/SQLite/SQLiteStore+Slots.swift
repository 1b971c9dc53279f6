extension SQLiteStore: SlotReading {
  package func withSlotReader<Result>(
    _ slots: [Int], of layout: EntityLayout, body: (any SlotReader) throws -> Result
  ) throws -> Result {
    let contents = try contents
    let selection = contents.selection(
      of: try contents.entity(layout), includesSubentities: true, slots: slots)
    let decoder = decoder(contents, selection: selection)
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.readTransaction {
          try connection.withStatement(selection.sqlFromKey) { statement in
            try body(SQLiteSlotReader(statement: statement, decoder: decoder, slots: slots))
          }
        }
      }
    }
  }

  package func eachNumber(
    inSlot slot: Int, of layout: EntityLayout, _ body: (_ key: Int64, _ number: PlainNumber) -> Bool
  ) throws {
    let contents = try contents
    let entity = try contents.entity(layout)
    guard contents.settings.readerLimit > 1, let column = entity.columns[slot],
      column.kind == .integer || column.kind == .real
    else { return }
    let isReal = column.kind == .real
    let (table, name) = (SQLIdentifier.quoted(entity.table), SQLIdentifier.quoted(column.name))
    // Reads an index on the column if there is one; rows come in no particular order.
    let sql = "SELECT Z_PK, \(name) FROM \(table) WHERE \(name) IS NOT NULL"
    try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(sql) { statement in
          while try statement.step() {
            let number =
              isReal
              ? PlainNumber.real(statement.real(1)) : .integer(statement.integer(1))
            if !body(statement.integer(0), number) { return }
          }
        }
      }
    }
  }
}

/// Looks up one key after the other, with one statement in one transaction. If a key follows soon
/// after the last one, the statement steps on to it, in a tenth of the time of a search from the
/// table's root.
private final class SQLiteSlotReader: SlotReader {
  private let statement: SQLiteStatement
  private let decoder: RowDecoder
  private let slots: [Int]
  /// The key of the row at which the statement stands; zero if there is none.
  @exclusivity(unchecked)
  private var position: Int64 = 0
  /// The last key that the statement reaches.
  @exclusivity(unchecked)
  private var end: Int64 = 0

  init(statement: SQLiteStatement, decoder: RowDecoder, slots: [Int]) {
    self.statement = statement
    self.decoder = decoder
    self.slots = slots
  }

  func values(key: Int64) throws -> [Value]? {
    guard try isFound(key) else { return nil }
    let decoders = try decoder.kind(statement).decoders
    return slots.map { decoders[$0].value(statement, reader: decoder) }
  }

  func value(key: Int64) throws -> Value? {
    guard try isFound(key) else { return nil }
    return try decoder.kind(statement).decoders[slots[0]].value(statement, reader: decoder)
  }

  private func isFound(_ key: Int64) throws -> Bool {
    if position == 0 || key < position || key > end {
      statement.reset()
      statement.bind(key, at: 1)
      (position, end) = (0, key + RowSelection.keyReach)
    }
    while position < key {
      guard try statement.step() else {
        (position, end) = (0, 0)
        return false
      }
      position = statement.integer(RowSelection.keyColumn)
    }
    return position == key
  }
}
