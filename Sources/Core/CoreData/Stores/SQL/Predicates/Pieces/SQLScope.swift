/// The meaning of names at a point in a predicate: `SELF` and plain key paths, and the variables of
/// the enclosing subqueries.
///
/// A SUBQUERY adds its variable and changes nothing else, so `SELF` is one object at all levels:
///
///     SUBQUERY(author.books, $b,
///       SUBQUERY($b.tags, $t, $t.weight > $b.pages).@count > pages).@count
///     SELF          book t0
///     author.books  rows t2 of author t1, which t0 is joined with; SELF is not t1
///     $b            book t2
///     $t            tag t3
///     pages         of SELF, book t0
package struct SQLScope {
  /// The row of `SELF`, from which plain key paths start.
  package let evaluated: SQLRow
  /// Whether the fetch includes objects of subentities.
  let includesSubentities: Bool
  private var variables: [String: SQLRow] = [:]

  package init(_ evaluated: SQLRow, includesSubentities: Bool = true) {
    self.evaluated = evaluated
    self.includesSubentities = includesSubentities
  }

  /// The row of a variable; nil if no enclosing subquery defines it.
  func row(of variable: String) -> SQLRow? { variables[variable] }

  /// The scope inside of a SUBQUERY.
  func binding(_ variable: String, to row: SQLRow) -> SQLScope {
    var scope = self
    scope.variables[variable] = row
    return scope
  }
}
