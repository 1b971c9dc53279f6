// Where a store keeps who is related to whom:
//
//     to-one, stored      in a column of its own, whatever the inverse
//     to-many, stored     inverse to-one, stored          in the column of the inverse
//                         none, or to-one and transient   in a column of the members
//                         to-many, stored or transient    in a join table
//     transient           nowhere
extension NSRelationshipDescription {
  /// The inverse, if a store keeps both: one of which a side is transient is none to a store.
  package final var storedInverse: NSRelationshipDescription? {
    guard !isTransient, let inverse = inverseRelationship, !inverse.isTransient else { return nil }
    return inverse
  }

  /// Whether there is a join table, of its members or of those of its inverse alone.
  package final var isManyToMany: Bool {
    guard isToMany, let inverse = inverseRelationship, inverse.isToMany else { return false }
    return !isTransient || !inverse.isTransient
  }

  /// Whether a column of the members says whose they are, which no stored to-one relationship does.
  package final var isOnesided: Bool {
    isToMany && !isTransient && !isManyToMany && storedInverse == nil
  }

  /// Whether a store keeps the order of the members.
  package final var keepsOrder: Bool { isOrdered && !isTransient }
}
