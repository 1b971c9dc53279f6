/// The rows that key paths start from: a table under an alias, with the joins that key paths through its
/// to-one relationships need.
///
/// Used while one query is built, by one thread.
final class SQLScope {
  let alias: String
  let layout: EntityLayout
  /// The scopes of the variables of the subqueries around.
  var variables: [String: SQLScope] = [:]
  static let key = "Z_PK"
  /// The column that has the keys: that of a join table, where the row itself is not looked at.
  private let keyColumn: String
  /// Whether there may be no row: the scope is behind a to-one relationship.
  private let mayBeMissing: Bool
  private let outer: SQLScope?
  private var joins: [String] = []
  private var joined: [String: SQLScope] = [:]

  /// `outer` is the scope of the object that the whole predicate is about; nil for that scope itself.
  init(
    alias: String, layout: EntityLayout, outer: SQLScope? = nil, mayBeMissing: Bool = false,
    keyColumn: String = SQLScope.key
  ) {
    self.keyColumn = keyColumn
    self.mayBeMissing = mayBeMissing
    self.alias = alias
    self.layout = layout
    self.outer = outer
    variables = outer?.variables ?? [:]
  }

  /// The key of the row, when there may be none.
  var nullableKey: SQLFragment? { mayBeMissing ? SQLFragment(text: key) : nil }

  /// The key of the row.
  var key: String { "\(alias).\(SQLIdentifier.quoted(keyColumn))" }

  /// What `SELF` and plain key paths start from.
  var evaluated: SQLScope { outer ?? self }

  /// The joins in the order in which they were asked for, each after what it depends on.
  var joinText: String { joins.map { " " + $0 }.joined() }

  /// The scope behind a to-one relationship of `scope`, joined once per path. A left join: an object whose
  /// relationship is nil has nil at the end of the path, as in memory.
  func join(
    _ relationship: String, column: String, of scope: SQLScope, table: String,
    layout: EntityLayout, alias: () -> String
  ) -> SQLScope {
    let path = "\(scope.alias).\(relationship)"
    if let found = joined[path] { return found }
    let made = SQLScope(alias: alias(), layout: layout, outer: outer, mayBeMissing: true)
    let quoted = SQLIdentifier.quoted
    joins.append(
      "LEFT OUTER JOIN \(quoted(table)) \(made.alias) "
        + "ON \(scope.alias).\(quoted(column)) = \(made.alias).Z_PK")
    joined[path] = made
    return made
  }
}
