/// The members of a to-many relationship of a row, with the rest of the key path that led there.
struct SQLToMany {
  /// What narrows the members: the predicate of a SUBQUERY, the name of its variable, and what the other
  /// names in it mean.
  struct Filter {
    let variable: String
    let predicate: NSPredicate
    let scope: SQLScope
  }

  let relationship: NSRelationshipDescription
  let owner: SQLRow
  var rest: [String] = []
  /// Those of subqueries of subqueries, the innermost first.
  var filters: [Filter] = []

  /// The key of the owner, when there may be none and that is not the same as having no members. A SUBQUERY
  /// of nil is an empty collection.
  var nullableOwner: SQLFragment? { filters.isEmpty ? owner.nullableKey : nil }
}
