/// Removes orphans, external files that no row references. A process leaves them if it dies between
/// writing files and its commit, or between a commit and removing files.
///
/// Run when a store is opened for writing. Does nothing while another process or thread writes
/// external files, since their references are not committed yet. All columns that may hold bytes
/// are searched, also those outside of the current model: a store may have more entities than the
/// configuration that opens it.
struct OrphanRemoval {
  let files: ExternalFiles
  let connection: SQLiteConnection

  func run() throws {
    guard !files.names().isEmpty, let lock = FolderLock(files.folder, kind: .aloneAtOnce) else {
      return
    }
    try withExtendedLifetime(lock) {
      // Listed again under the lock: no file is added now.
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
