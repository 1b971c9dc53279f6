/// The members of a to-many relationship of a row, with the rest of the key path that led there.
struct SQLToMany {
  let relationship: NSRelationshipDescription
  let owner: SQLScope
  var rest: [String] = []
  /// Narrows the members: the predicate of a SUBQUERY with the name of its variable.
  var filter: (variable: String, predicate: NSPredicate)?
}
