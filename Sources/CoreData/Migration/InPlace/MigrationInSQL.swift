/// A migration inside of a database, by SQL alone: the two schemas, and what carries statements out.
///
///     SchemaMigration          of a SQLite file
///     the server's stores have their own, of their modules
///
/// Rows keep their keys, so that object IDs stay. What becomes of columns, join tables and references is the same
/// everywhere, and is worked out in extensions of this.
package protocol MigrationInSQL {
  var match: ModelMatch { get }
  /// What the store has, and what it will have.
  var old: SQLMapping { get }
  var new: SQLMapping { get }
  var entities: [EntityMigration] { get }
  var dialect: SQLDialect { get }

  /// An old table as it is called by now, quoted.
  func currentName(_ table: String) -> String
  func execute(_ statement: SQLFragment) throws
  /// Whether a query finds a row.
  func finds(_ query: SQLFragment) throws -> Bool
  /// The number that a query gives.
  func count(_ query: SQLFragment) throws -> Int
  /// A column's value as an attribute of another type keeps it; nil for what stays as it is.
  func converted(_ column: SQLFragment, by change: TypeChange) -> SQLFragment?
  /// The default of an attribute as its column keeps it; nil for none. Throws for one that cannot be written.
  func defaultValue(of slot: EntityLayout.Slot, _ column: ColumnMapping) throws -> SQLFragment?
  /// Whether a byte before a value's data says where these are.
  func isMarked(_ slot: EntityLayout.Slot) -> Bool
}

extension MigrationInSQL {
  var key: String { dialect.quoted(dialect.keyColumn) }
  var entityColumn: String { dialect.quoted(dialect.entityColumn) }

  /// Numbers of entities, old to new; those that are gone have none.
  var entityNumbers: [Int: Int] {
    Dictionary(
      entities.compactMap { entity in entity.old.map { ($0.entityNumber, entity.new.entityNumber) }
      },
      uniquingKeysWith: { first, _ in first })
  }
}
