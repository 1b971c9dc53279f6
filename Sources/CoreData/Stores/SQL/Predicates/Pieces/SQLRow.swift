/// A row that key paths start from: a table under an alias, in the FROM of one SELECT.
package struct SQLRow {
  /// Empty where the table is the only one, and columns go without its name.
  package let alias: String
  let layout: EntityLayout
  private let dialect: SQLDialect
  /// Where the row is, with the joins that key paths from it need.
  package let select: SQLSelect
  /// The column that has the keys: that of a join table, where the row itself is not looked at.
  private let keyColumn: String
  /// Whether there may be no row: it is behind a to-one relationship.
  private let mayBeMissing: Bool

  /// The row that a SELECT of its own is about.
  package init(
    alias: String, layout: EntityLayout, dialect: SQLDialect = .sqlite, keyColumn: String? = nil
  ) {
    self.init(
      alias, layout, dialect, SQLSelect(), keyColumn: keyColumn ?? dialect.keyColumn,
      mayBeMissing: false)
  }

  private init(
    _ alias: String, _ layout: EntityLayout, _ dialect: SQLDialect, _ select: SQLSelect,
    keyColumn: String, mayBeMissing: Bool
  ) {
    self.dialect = dialect
    self.alias = alias
    self.layout = layout
    self.select = select
    self.keyColumn = keyColumn
    self.mayBeMissing = mayBeMissing
  }

  /// The key of the row, when there may be none.
  var nullableKey: SQLFragment? { mayBeMissing ? SQLFragment(text: key) : nil }

  /// The key of the row.
  package var key: String { "\(qualifier)\(dialect.quoted(keyColumn))" }

  /// What stands before the name of a column.
  package var qualifier: String { alias.isEmpty ? "" : "\(alias)." }

  /// The row behind a to-one relationship, joined once per path. A left join: an object whose relationship
  /// is nil has nil at the end of the path, as in memory.
  func joined(
    _ relationship: String, column: String, table: String, layout: EntityLayout,
    makeAlias: () -> String
  ) -> SQLRow {
    let alias = select.alias(of: "\(alias).\(relationship)", makeAlias) { made in
      let quoted = dialect.quoted
      return "LEFT OUTER JOIN \(quoted(table)) \(made) "
        + "ON \(self.alias).\(quoted(column)) = \(made).\(quoted(dialect.keyColumn))"
    }
    return SQLRow(
      alias, layout, dialect, select, keyColumn: dialect.keyColumn, mayBeMissing: true)
  }
}

/// The joins of a SELECT while conditions ask for them.
///
/// Used while one query is built, by one thread.
package final class SQLSelect {
  private var joins: [String] = []
  private var aliases: [String: String] = [:]

  /// The joins in the order in which they were asked for, each after what it depends on.
  package var joinText: String { joins.map { " " + $0 }.joined() }

  /// The alias of what a path is joined with, which is joined now if it is not yet.
  fileprivate func alias(
    of path: String, _ makeAlias: () -> String, join: (String) -> String
  ) -> String {
    if let known = aliases[path] { return known }
    let made = makeAlias()
    joins.append(join(made))
    aliases[path] = made
    return made
  }
}
