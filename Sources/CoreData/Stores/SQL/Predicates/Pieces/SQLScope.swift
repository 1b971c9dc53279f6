/// What names mean at one place of a predicate: `SELF` with plain key paths, and the variables of the
/// subqueries around.
///
/// A SUBQUERY adds its variable and changes nothing else, so `SELF` is the same object all the way down:
///
///     SUBQUERY(author.books, $b, SUBQUERY($b.tags, $t, $t.weight > $b.pages).@count > pages).@count
///     SELF          book t0
///     author.books  rows t2 of author t1, which t0 is joined with; SELF is not t1
///     $b            book t2
///     $t            tag t3
///     pages         of SELF, book t0
package struct SQLScope {
  /// What `SELF` and plain key paths start from.
  package let evaluated: SQLRow
  /// Whether the fetch is about objects of subentities too.
  let includesSubentities: Bool
  private var variables: [String: SQLRow] = [:]

  package init(_ evaluated: SQLRow, includesSubentities: Bool = true) {
    self.evaluated = evaluated
    self.includesSubentities = includesSubentities
  }

  /// The row that a variable stands for; nil for one that no subquery around defines.
  func row(of variable: String) -> SQLRow? { variables[variable] }

  /// The scope inside of a SUBQUERY.
  func binding(_ variable: String, to row: SQLRow) -> SQLScope {
    var scope = self
    scope.variables[variable] = row
    return scope
  }
}
