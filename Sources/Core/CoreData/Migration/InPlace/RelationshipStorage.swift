/// The storage of one relationship in a database.
package enum RelationshipStorage {
  /// A column of the objects on one side: of the owners (a to-one relationship) or of the members.
  case column(ColumnMapping, table: String, ofOwners: Bool)
  case join(JoinMapping)

  /// Returns nil for a relationship that the store does not have.
  package init?(_ relationship: NSRelationshipDescription, in mapping: SQLMapping) {
    if relationship.isTransient { return nil }
    if !relationship.isToMany {
      guard let own = Self.column(of: relationship, in: mapping) else { return nil }
      self = .column(own.column, table: own.table, ofOwners: true)
    } else if let join = mapping.join(of: relationship) {
      self = .join(join)
    } else if let inverse = relationship.storedInverse {
      guard let other = Self.column(of: inverse, in: mapping) else { return nil }
      self = .column(other.column, table: other.table, ofOwners: false)
    } else {
      guard let column = mapping.foreignKeys[ObjectIdentifier(relationship)],
        let table = relationship.destinationEntity.flatMap({ mapping[$0.layout]?.table })
      else { return nil }
      self = .column(column, table: table, ofOwners: false)
    }
  }

  private static func column(
    of relationship: NSRelationshipDescription, in mapping: SQLMapping
  ) -> (column: ColumnMapping, table: String)? {
    guard let entity = mapping[relationship.entity.layout],
      let slot = entity.layout.slot(of: relationship), let column = entity.columns[slot]
    else { return nil }
    return (column, entity.table)
  }

  /// The storage seen from the other side.
  var reversed: RelationshipStorage {
    switch self {
    case .column(let column, let table, let ofOwners):
      .column(column, table: table, ofOwners: !ofOwners)
    case .join(let join):
      // The positions are those of the members of one owner.
      .join(
        JoinMapping(
          table: join.table, ownerColumn: join.memberColumn, memberColumn: join.ownerColumn,
          orderColumn: nil))
    }
  }
}
