/// The fetch indexes that the model declares and the store's file lacks.
///
/// Indexes are not part of version hashes. A model with a further index therefore fits its former
/// stores, and no migration creates the index. Opening a store for writing does:
///
///     in the file                                action
///     an index on these columns, any name        none: migrations by Apple's framework keep names
///     none                                       it is created
///     an index of its name on other columns      it is replaced
///     an index that the model does not declare   it stays until the next migration
///
/// Without an index fetches have the same results, only slower. So if the store is locked or the
/// disk is full, the indexes are left to the next opening.
struct MissingIndexes {
  let schema: StoreCatalog.Schema

  /// Creates the missing indexes in one transaction; writes nothing if none is missing. Returns
  /// whether tables may have been created.
  func make(in connection: SQLiteConnection) throws -> Bool {
    if schema.hasAllIndexes.load(ordering: .relaxed) { return false }
    let missing = try find(in: connection)
    guard !missing.isEmpty else {
      schema.hasAllIndexes.store(true, ordering: .relaxed)
      return false
    }
    do {
      try connection.withoutWaiting {
        try connection.writeTransaction {
          // Searched again: another process may have created some.
          for index in try find(in: connection) { try make(index, in: connection) }
        }
      }
    } catch let error as SQLiteError where error.isBusy || error.isFull || error.isReadOnly {
      return false
    }
    return missing.contains { $0.tree != nil }
  }

  func find(in connection: SQLiteConnection) throws -> [FetchIndex] {
    let wanted = try schema.builder.fetchIndexes()
    if wanted.isEmpty { return [] }
    let present = try connection.withStatement(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND (type = 'index' OR name LIKE 'Z\\_RT\\_%' ESCAPE '\\')"
    ) { statement in
      var found: [String] = []
      while try statement.step() { found.append(statement.text(0) ?? "") }
      return found
    }
    let texts = Set(present)
    let missing = wanted.filter { !texts.contains($0.creation) }
    if missing.isEmpty { return [] }
    let contents = Set(present.map(Self.content))
    return missing.filter { !contents.contains(Self.content($0.creation)) }
  }

  private func make(_ index: FetchIndex, in connection: SQLiteConnection) throws {
    if let tree = index.tree {
      for trigger in ["INSERT", "UPDATE", "DELETE"] {
        try connection.execute(
          "DROP TRIGGER IF EXISTS \(SQLIdentifier.quoted("\(index.name)_\(trigger)"))")
      }
      try connection.execute("DROP TABLE IF EXISTS \(SQLIdentifier.quoted(index.name))")
      try connection.execute(index.creation)
      try connection.execute(tree.filling)
      for trigger in tree.triggers { try connection.execute(trigger) }
    } else {
      try connection.execute("DROP INDEX IF EXISTS \(SQLIdentifier.quoted(index.name))")
      try connection.execute(index.creation)
    }
  }

  /// The columns of an index, without its name, quotes and default clauses, for comparison. An
  /// R-tree's text includes its name. The condition of a partial index has several spellings, so
  /// its name is compared instead.
  private static func content(_ creation: String) -> String {
    let plain = creation.replacingOccurrences(of: "\"", with: "").uppercased()
      .replacingOccurrences(of: " COLLATE BINARY", with: "")
      .replacingOccurrences(of: " ASC", with: "")
    guard let on = plain.range(of: " ON ") else { return plain }
    if let condition = plain.range(of: " WHERE ") {
      return String(plain[..<condition.lowerBound])
    }
    return String(plain[on.upperBound...])
  }
}
