import CoreData

/// The tables of a model: their names and columns, and the statements that create them.
///
/// Depends only on the model and the numbers of its entities, so every process derives the same
/// schema. Immutable and shared.
final class StoreSchema: @unchecked Sendable {
  // Sendable: constants only; layouts are immutable.
  struct Table {
    let name: String
    let sequence: String
    let root: EntityLayout
    let columns: [Column]
    let indexes: [String]
  }

  struct Column {
    let name: String
    /// The column's SQL type.
    let declaration: String
    /// The SQL default for rows that are inserted without the column; nil for null.
    var defaultValue: String?
  }

  struct JoinTable {
    let name: String
    let firstColumn: String
    let secondColumn: String
    let positionColumns: [String]
  }

  let mapping: SQLMapping
  let tables: [Table]
  let joinTables: [JoinTable]
  /// A type per slot, by the layout's number; nil for slots that are not stored.
  private let types: [Int: [ColumnType?]]
  let derived: DerivedValues

  init(
    mapping: SQLMapping, tables: [Table], joinTables: [JoinTable], types: [Int: [ColumnType?]],
    derived: [DerivedColumn]
  ) {
    self.mapping = mapping
    self.tables = tables
    self.joinTables = joinTables
    self.types = types
    self.derived = DerivedValues(columns: derived)
  }

  func types(of layout: EntityLayout) -> [ColumnType?] { types[layout.number] ?? [] }

  func entity(_ layout: EntityLayout) throws -> EntityMapping {
    if let entity = mapping[layout] { return entity }
    throw CoreDataError.make(
      .coreData,
      reason: "The store has no entity “\(layout.entity.name ?? "")”; it was made with a "
        + "configuration of the model without it.")
  }

  /// The table of a tree of entities.
  func table(rootNumber: Int) -> Table? { tables.first { $0.root.number == rootNumber } }
}

extension StoreSchema.Table {
  /// The statements that create the table, without its indexes.
  var creation: [String] {
    let quoted = SchemaNames.quoted
    let columns = columns.map { ", \($0.definition)" }.joined()
    return [
      "CREATE SEQUENCE \(quoted(sequence)) INCREMENT BY \(KeyBlocks.length)",
      "CREATE TABLE \(quoted(name)) (\(quoted(SchemaNames.key)) bigint PRIMARY KEY, "
        + "\(quoted(SchemaNames.version)) bigint NOT NULL, "
        + "\(quoted(SchemaNames.entity)) integer NOT NULL\(columns))",
    ]
  }
}

extension StoreSchema.Column {
  /// The definition for CREATE TABLE and ADD COLUMN. Adding a column with a default takes constant
  /// time.
  var definition: String {
    "\(SchemaNames.quoted(name)) \(declaration)" + (defaultValue.map { " DEFAULT \($0)" } ?? "")
  }
}

extension StoreSchema.JoinTable {
  var creation: [String] {
    let quoted = SchemaNames.quoted
    let keys = [firstColumn, secondColumn].map(quoted)
    let positions = positionColumns.map { ", \(quoted($0)) bigint" }.joined()
    return [
      "CREATE TABLE \(quoted(name)) (\(keys[0]) bigint NOT NULL, \(keys[1]) bigint NOT "
        + "NULL\(positions), PRIMARY KEY (\(keys[0]), \(keys[1])))",
      "CREATE INDEX ON \(quoted(name)) (\(keys[1]), \(keys[0]))",
    ]
  }
}

extension StoreSchema {
  /// The statements that create the schema, in order.
  var statements: [String] {
    tables.flatMap { $0.creation + $0.indexes } + joinTables.flatMap(\.creation)
  }

  /// The relations to drop with the store: kinds and names.
  var objects: [(kind: String, name: String)] {
    tables.flatMap { [("TABLE", $0.name), ("SEQUENCE", $0.sequence)] }
      + joinTables.map { ("TABLE", $0.name) }
  }
}
