/// The SQL of a schema, in Apple's format.
///
///     CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, … )
///     CREATE TABLE Z_1A ( Z_1B INTEGER, Z_2A INTEGER, PRIMARY KEY (Z_1B, Z_2A) )
///     CREATE INDEX ZX_ZREL_INDEX ON ZX (ZREL)
///     CREATE INDEX ZX_Z_ENT_INDEX ON ZX (Z_ENT)
///     CREATE INDEX Z_1A_Z_2A_INDEX ON Z_1A (Z_2A, Z_1B)
///     CREATE INDEX Z_X_name ON ZX (ZATTR COLLATE BINARY ASC)
///     CREATE UNIQUE INDEX Z_X_UNIQUE_attr ON ZX (ZATTR COLLATE BINARY ASC)
///
/// Tables are in the order of entity numbers, each join table after the table of its lower entity.
/// Then follow the indexes of each table, the triggers, and the three bookkeeping tables, which
/// have no spaces inside of their parentheses.
struct SQLSchema {
  struct Column {
    let name: String
    let type: String
  }

  struct Table {
    let name: String
    let columns: [Column]
    var indexes: [String] = []
    var triggers: [String] = []
    var joins: [JoinTable] = []
  }

  struct JoinTable {
    let name: String
    let firstColumn: String
    let secondColumn: String
    let orderColumns: [String]
  }

  static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
      + "Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  let tables: [Table]

  /// The statements that create the schema, in order.
  var statements: [String] {
    tables.flatMap { [$0.creation] + $0.joins.map(\.creation) } + tables.flatMap(\.indexes)
      + tables.flatMap(\.triggers) + Self.bookkeeping
  }
}

extension SQLSchema.Table {
  var creation: String {
    let columns = columns.map { ", \(SQLIdentifier.quoted($0.name)) \($0.type)" }.joined()
    return "CREATE TABLE \(SQLIdentifier.quoted(name)) "
      + "( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )"
  }
}

extension SQLSchema.JoinTable {
  var creation: String {
    let names = [firstColumn, secondColumn].map(SQLIdentifier.quoted)
    let columns = (names + orderColumns.map(SQLIdentifier.quoted)).map { "\($0) INTEGER" }
    return "CREATE TABLE \(SQLIdentifier.quoted(name)) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(names.joined(separator: ", "))) )"
  }

  var index: String {
    let name = SQLIdentifier.quoted("\(name)_\(secondColumn)_INDEX")
    let columns = [secondColumn, firstColumn].map(SQLIdentifier.quoted).joined(separator: ", ")
    return "CREATE INDEX \(name) ON \(SQLIdentifier.quoted(self.name)) (\(columns))"
  }
}
