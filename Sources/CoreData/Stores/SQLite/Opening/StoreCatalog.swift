/// The tables that a store's file really has, which may differ from what its model would give in a new
/// one: a migrated store has its columns in another order, old entity numbers, and join tables under the
/// names of an earlier model.
struct StoreCatalog {
  private let connection: SQLiteConnection
  /// Names of tables as they are, by their upper-case form.
  private let tables: [String: String]

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    var tables: [String: String] = [:]
    try connection.withStatement("SELECT name FROM sqlite_master WHERE type = 'table'") {
      while try $0.step() {
        guard let name = $0.text(0) else { continue }
        tables[name.uppercased()] = name
      }
    }
    self.tables = tables
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

  /// The join table of a many-to-many relationship under another number than the expected one: what has
  /// columns that end in both names.
  func joinTable(like expected: JoinMapping) throws -> JoinMapping? {
    for table in tables.values.sorted() where table.uppercased().hasPrefix("Z_") {
      let columns = try columns(of: table)
      guard let owner = columns.first(where: { Self.matches($0, expected.ownerColumn) }),
        let member = columns.first(where: { Self.matches($0, expected.memberColumn) })
      else { continue }
      let order = expected.orderColumn.flatMap { expected in
        columns.first { Self.matches($0, expected) }
      }
      return JoinMapping(
        table: table, ownerColumn: owner, memberColumn: member, orderColumn: order)
    }
    return nil
  }

  /// Whether both are `Z_<number><NAME>` (or `Z_FOK_<number><NAME>`) with one name.
  private static func matches(_ column: String, _ expected: String) -> Bool {
    column == expected.uppercased() || unnumbered(column) == unnumbered(expected.uppercased())
  }

  private static func unnumbered(_ column: String) -> String? {
    let prefix = column.hasPrefix("Z_FOK_") ? "Z_FOK_" : "Z_"
    guard column.hasPrefix(prefix) else { return nil }
    let digits = column.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : prefix + column.dropFirst(prefix.count + digits.count)
  }
}
