/// A migration inside a database by SQL alone: the two schemas, and the functions that execute
/// statements.
///
///     SchemaMigration    for a SQLite file
///     others             for the stores on a server, in their modules
///
/// Rows keep their keys, so that object IDs stay valid. The migration of columns, join tables and
/// references is the same for all databases and is implemented in extensions of this protocol.
package protocol MigrationInSQL {
  var match: ModelMatch { get }
  /// The old schema.
  var old: SQLMapping { get }
  /// The new schema.
  var new: SQLMapping { get }
  var entities: [EntityMigration] { get }
  var dialect: SQLDialect { get }

  /// The current name of an old table, quoted.
  func currentName(_ table: String) -> String
  func execute(_ statement: SQLFragment) throws
  /// Returns whether a query returns a row.
  func finds(_ query: SQLFragment) throws -> Bool
  /// The number that a query returns.
  func count(_ query: SQLFragment) throws -> Int
  /// SQL that converts a column's value to another attribute type; nil if the value stays as it is.
  func converted(_ column: SQLFragment, by change: TypeChange) -> SQLFragment?
  /// The default of an attribute in the form of its column; nil if there is none. Throws if it
  /// cannot be written.
  func defaultValue(of slot: EntityLayout.Slot, _ column: ColumnMapping) throws -> SQLFragment?
  /// Returns whether the first byte of a value says where its data is: in the row or in an external
  /// file.
  func isMarked(_ slot: EntityLayout.Slot) -> Bool
}

extension MigrationInSQL {
  var key: String { dialect.quoted(dialect.keyColumn) }
  var entityColumn: String { dialect.quoted(dialect.entityColumn) }

  /// The new entity numbers by the old ones, without removed entities.
  var entityNumbers: [Int: Int] {
    Dictionary(
      entities.compactMap { entity in entity.old.map { ($0.entityNumber, entity.new.entityNumber) }
      },
      uniquingKeysWith: { first, _ in first })
  }
}
