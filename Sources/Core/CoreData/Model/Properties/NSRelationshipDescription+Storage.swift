// Storage of relationships:
//
//     to-one, stored      in a column of its own, whatever the inverse
//     to-many, stored     inverse to-one, stored          in the column of the inverse
//                         none, or to-one and transient   in a column of the members
//                         to-many, stored or transient    in a join table
//     transient           not stored
extension NSRelationshipDescription {
  /// The inverse, if both sides are stored; nil if either is transient.
  package final var storedInverse: NSRelationshipDescription? {
    guard !isTransient, let inverse = inverseRelationship, !inverse.isTransient else { return nil }
    return inverse
  }

  /// Whether the relationship has a join table, filled from this side or from the inverse.
  package final var isManyToMany: Bool {
    guard isToMany, let inverse = inverseRelationship, inverse.isToMany else { return false }
    return !isTransient || !inverse.isTransient
  }

  /// Whether a column of the members holds the owner, without being a stored to-one relationship.
  package final var isOnesided: Bool {
    isToMany && !isTransient && !isManyToMany && storedInverse == nil
  }

  /// Whether a store keeps the order of the members.
  package final var keepsOrder: Bool { isOrdered && !isTransient }
}

extension NSRelationshipDescription {
  /// Whether this side of the relationship reports changes to the store, and not its inverse.
  package final var speaks: Bool {
    if isTransient { return false }
    guard let inverse = storedInverse else { return true }
    guard inverse.isToMany else { return isOrdered }
    if isOrdered || inverse.isOrdered { return isOrdered }
    return nameInModel <= inverse.nameInModel
  }

  private var nameInModel: String { "\(entity.name ?? "").\(name)" }
}

extension NSRelationshipDescription {
  /// Whether the model has validation rules for the members.
  var hasRules: Bool {
    minCount > 0 || maxCount > 1 || !validationPredicates.isEmpty
  }
}
