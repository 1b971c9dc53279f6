/// The tables that a store's file really has, which may differ from what its model would give in a new
/// one: a migrated store has its columns in another order, old entity numbers, and join tables under the
/// names of an earlier model.
struct StoreCatalog {
  let connection: SQLiteConnection
  /// Names of tables as they are, by their upper-case form.
  private let tables: [String: String]
  /// How everything in the file was declared.
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

  /// As a process leaves a file that ended before the first transaction: SQLite's header and nothing else.
  var isEmpty: Bool { tables.isEmpty }
  /// A store of Core Data has this table.
  var hasMetadata: Bool { has("Z_METADATA") }
  var hasPrimaryKeys: Bool { has("Z_PRIMARYKEY") }
  var hasModelCache: Bool { has("Z_MODELCACHE") }
  /// Written by a store that notes its history.
  var hasHistory: Bool { has("ATRANSACTION") && has("ACHANGE") }

  /// Whether some fetch index is an R-tree.
  var hasSearchTrees: Bool { tables.keys.contains { $0.hasPrefix("Z_RT_") } }

  /// The columns of a table in upper case; empty when there is no such table.
  func columns(of table: String) throws -> Set<String> {
    try connection.withStatement("SELECT name FROM pragma_table_info(?)") { statement in
      statement.bind(table, at: 1)
      var names: Set<String> = []
      while try statement.step() { names.insert((statement.text(0) ?? "").uppercased()) }
      return names
    }
  }

  /// `Z_ENT` by the entities' names.
  func entityNumbers() throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    try connection.withStatement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      while try $0.step() { numbers[$0.text(0) ?? ""] = Int($0.integer(1)) }
    }
    return numbers
  }

  /// The columns in upper case of every table that may be a join table.
  func joinTables() throws -> [String: Set<String>] {
    let names = tables.values.filter { $0.uppercased().hasPrefix("Z_") }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try columns(of: $0)) })
  }
}
