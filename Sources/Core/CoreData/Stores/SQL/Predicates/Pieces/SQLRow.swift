/// A row from which key paths start: a table with an alias, in one SELECT.
package struct SQLRow {
  /// The table's alias; empty if it is the only table, whose columns are written without one.
  package let alias: String
  let layout: EntityLayout
  private let dialect: SQLDialect
  /// The row's SELECT, with the joins of the key paths that start here.
  package let select: SQLSelect
  /// The column of the row's key: that of a join table if the row itself is not read.
  private let keyColumn: String
  /// Whether the row may be missing, as one behind a to-one relationship.
  private let mayBeMissing: Bool

  /// The row of a SELECT's own table.
  package init(
    alias: String, layout: EntityLayout, dialect: SQLDialect = .sqlite, keyColumn: String? = nil
  ) {
    self.init(
      alias, layout: layout, dialect: dialect, select: SQLSelect(),
      keyColumn: keyColumn ?? dialect.keyColumn,
      mayBeMissing: false)
  }

  private init(
    _ alias: String, layout: EntityLayout, dialect: SQLDialect, select: SQLSelect,
    keyColumn: String, mayBeMissing: Bool
  ) {
    self.dialect = dialect
    self.alias = alias
    self.layout = layout
    self.select = select
    self.keyColumn = keyColumn
    self.mayBeMissing = mayBeMissing
  }

  /// The row's key if the row may be missing; else nil.
  var nullableKey: SQLFragment? { mayBeMissing ? SQLFragment(text: key) : nil }

  /// The row's key.
  package var key: String { "\(qualifier)\(dialect.quoted(keyColumn))" }

  /// The prefix of the row's column names.
  package var qualifier: String { alias.isEmpty ? "" : "\(alias)." }

  /// The row of a to-one relationship, joined once per path. It is a left join: if the relationship
  /// is nil, so is the value of the path, as in memory.
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
      alias, layout: layout, dialect: dialect, select: select, keyColumn: dialect.keyColumn,
      mayBeMissing: true)
  }
}

/// The joins of a SELECT, collected while its conditions are built.
///
/// Used by one thread, while one query is built.
package final class SQLSelect {
  private var joins: [String] = []
  private var aliases: [String: String] = [:]

  /// The joins in the order in which they were added, each after those that it depends on.
  package var joinText: String { joins.map { " " + $0 }.joined() }

  /// The alias of a path's table, which is joined if it is not yet.
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
