/// The members of a row's to-many relationship, with the rest of the key path after it.
struct SQLToMany {
  /// A condition on members: the predicate of a SUBQUERY, its variable, and the scope of its other
  /// names.
  struct Filter {
    let variable: String
    let predicate: NSPredicate
    let scope: SQLScope
  }

  let relationship: NSRelationshipDescription
  let owner: SQLRow
  var rest: [String] = []
  /// The filters of nested subqueries, the innermost first.
  var filters: [Filter] = []

  /// The owner's key, if the owner may be missing and that differs from having no members; else
  /// nil. A SUBQUERY of nil is an empty collection.
  var nullableOwner: SQLFragment? { filters.isEmpty ? owner.nullableKey : nil }
}
