/// Removes files of external data that no row names: what a process has left that died between writing
/// files and its commit, or between a commit and removing files.
///
/// Run when a store is opened for writing. Nothing is done while another process (or thread) writes
/// external data, since its files are not named yet. Every column that may hold bytes is looked at, not
/// just those of the model at hand: a store may have more entities than the configuration that opens it.
struct OrphanRemoval {
  let files: ExternalFiles
  let connection: SQLiteConnection

  func run() throws {
    guard !files.names().isEmpty, let lock = FolderLock(files.folder, .aloneAtOnce) else { return }
    try withExtendedLifetime(lock) {
      // Listed again: now nobody adds any.
      let names = files.names()
      let named = try connection.readTransaction { try referencedNames() }
      files.remove(names.filter { !named.contains($0) })
    }
  }

  private func referencedNames() throws -> Set<UUID> {
    var names: Set<UUID> = []
    for column in try columns() {
      let (table, name) = (SQLIdentifier.quoted(column.table), SQLIdentifier.quoted(column.column))
      let sql = "SELECT \(name) FROM \(table) WHERE \(column.isReference(""))"
      try connection.withStatement(sql) { statement in
        while try statement.step() {
          if let name = statement.data(0).flatMap(ExternalReference.name) { names.insert(name) }
        }
      }
    }
    return names
  }

  private func columns() throws -> [ExternalColumn] {
    let sql =
      "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c "
      + "WHERE t.type = 'table' AND t.name LIKE 'Z%' AND upper(c.type) LIKE '%BLOB%'"
    return try connection.withStatement(sql) { statement in
      var columns: [ExternalColumn] = []
      while try statement.step() {
        columns.append(
          ExternalColumn(table: statement.text(0) ?? "", column: statement.text(1) ?? ""))
      }
      return columns
    }
  }
}
