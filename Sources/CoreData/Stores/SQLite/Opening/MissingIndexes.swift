/// Fetch indexes that the model names and the store's file does not have.
///
/// They do not count in version hashes, so a model that has got another index fits its stores as before, and no
/// migration makes it. A store that is opened for writing gets it then:
///
///     in the file                                 what happens
///     the same columns, under whatever name       nothing: migrations by Apple's framework leave old names
///     nothing like it                             it is made
///     its name with other columns                 it is made anew
///     an index that the model does not name       it stays, until the next migration
///
/// Without them every fetch gives the same, only slower. So a store that others keep locked, or a disk that is full,
/// leaves them for the next time.
struct MissingIndexes {
  let schema: StoreCatalog.Schema

  /// Makes them in one transaction, unless nothing is missing: then nothing is written. Returns whether tables may
  /// have been made.
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
          // Another process may have been faster.
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

  /// What an index is of, without its name, quotes and what is the default; an R-tree has a name of its own. The
  /// condition of a partial one may be spelled in several ways, so there its name counts in its place.
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

/// A fetch index of the model, as a store has it.
struct FetchIndex {
  let name: String
  let creation: String
  /// Nil unless it is an R-tree.
  let tree: SearchTree?
}
