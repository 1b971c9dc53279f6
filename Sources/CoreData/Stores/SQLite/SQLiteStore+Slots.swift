extension SQLiteStore: SlotReading {
  package func withSlotReader<Result>(
    _ slots: [Int], of layout: EntityLayout, _ body: (any SlotReader) throws -> Result
  ) throws -> Result {
    let contents = try contents
    let selection = contents.selection(
      of: try contents.entity(layout), includesSubentities: true, slots: slots)
    let decoder = decoder(contents, selection)
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.readTransaction {
          try connection.withStatement(selection.sqlByKey) { statement in
            try body(SQLiteSlotReader(statement: statement, decoder: decoder, slots: slots))
          }
        }
      }
    }
  }
}

/// One look-up by key after the other, with one statement in one transaction.
private struct SQLiteSlotReader: SlotReader {
  let statement: SQLiteStatement
  let decoder: RowDecoder
  let slots: [Int]

  func values(key: Int64) throws -> [Value]? {
    statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let decoders = try decoder.kind(statement).decoders
    return slots.map { decoders[$0].value(statement, decoder) }
  }

  func value(key: Int64) throws -> Value? {
    statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return try decoder.kind(statement).decoders[slots[0]].value(statement, decoder)
  }
}
