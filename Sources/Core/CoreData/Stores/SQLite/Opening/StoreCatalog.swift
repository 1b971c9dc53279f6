/// The tables that a store's file has. They may differ from those of a new store with the same
/// model: a migrated store has its columns in another order, old entity numbers, and join tables
/// with the names of an earlier model.
struct StoreCatalog {
  let connection: SQLiteConnection
  /// The names of tables by their upper-case form.
  private let tables: [String: String]
  /// The SQL of everything that the file's schema declares.
  let texts: [String]

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    var tables: [String: String] = [:]
    var texts: [String] = []
    try connection.withStatement(
      "SELECT CASE type WHEN 'table' THEN name END, sql FROM sqlite_master"
    ) {
      while try $0.step() {
        if let text = $0.text(1) { texts.append(text) }
        if let name = $0.text(0) { tables[name.uppercased()] = name }
      }
    }
    self.tables = tables
    self.texts = texts
  }

  func has(_ table: String) -> Bool { tables[table.uppercased()] != nil }

  /// Whether the file has no tables: a process that ended before its first transaction leaves
  /// SQLite's header alone.
  var isEmpty: Bool { tables.isEmpty }
  /// Whether the file has `Z_METADATA`, as every store of Core Data.
  var hasMetadata: Bool { has("Z_METADATA") }
  var hasPrimaryKeys: Bool { has("Z_PRIMARYKEY") }
  var hasModelCache: Bool { has("Z_MODELCACHE") }
  /// Whether the store has history tables.
  var hasHistory: Bool { has("ATRANSACTION") && has("ACHANGE") }

  /// Whether some fetch index is an R-tree.
  var hasSearchTrees: Bool { tables.keys.contains { $0.hasPrefix("Z_RT_") } }

  /// The columns of a table in upper case; empty if the table does not exist.
  func columns(of table: String) throws -> Set<String> {
    try connection.withStatement("SELECT name FROM pragma_table_info(?)") { statement in
      statement.bind(table, at: 1)
      var names: Set<String> = []
      while try statement.step() { names.insert((statement.text(0) ?? "").uppercased()) }
      return names
    }
  }

  /// `Z_ENT` by entity name.
  func entityNumbers() throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    try connection.withStatement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      while try $0.step() { numbers[$0.text(0) ?? ""] = Int($0.integer(1)) }
    }
    return numbers
  }

  /// The columns, in upper case, of each table that may be a join table.
  func joinTables() throws -> [String: Set<String>] {
    let names = tables.values.filter { $0.uppercased().hasPrefix("Z_") }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try columns(of: $0)) })
  }
}
