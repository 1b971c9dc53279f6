import CoreData

/// The members of a to-many relationship whose number or sum is a derived attribute.
struct DerivedMembers {
  let relationship: NSRelationshipDescription
  /// The summed attribute; nil for the number of members.
  let summed: (attribute: NSAttributeDescription, column: String, type: ColumnType)?
  /// The storage of the members' owners: a column of the members, or a join table.
  private let place: Place
  private let members: String

  private enum Place {
    case column(String)
    case join(table: String, owner: String, member: String)
  }

  init(
    _ relationship: NSRelationshipDescription, summing attribute: NSAttributeDescription?,
    finder: ColumnFinder, derived: NSDerivedAttributeDescription
  ) throws {
    self.relationship = relationship
    let quoted = SchemaNames.quoted
    guard let destination = relationship.destinationEntity,
      let entity = finder.mapping[destination.layout]
    else { throw finder.elsewhere(derived) }
    members = quoted(entity.table)
    switch RelationshipStorage(relationship, in: finder.mapping) {
    case .column(let column, _, ofOwners: false): place = .column(quoted(column.name))
    case .join(let join):
      place = .join(
        table: quoted(join.table), owner: quoted(join.ownerColumn),
        member: quoted(join.memberColumn))
    default: throw finder.elsewhere(derived)
    }
    summed = try attribute.map {
      let found = try finder.column(of: $0, derived)
      try DerivedColumn.check(
        found.type.isNumber, attribute: derived, what: "sums up “\($0.name)”, which is no number")
      return ($0, found.column, found.type)
    }
  }

  /// The type that the server gives to counts and sums.
  var type: ColumnType {
    guard let summed else { return .integer }
    return summed.type == .real ? .real : .decimal
  }

  /// Returns whether a change of these slots of a member changes the derived value; nil for all
  /// slots.
  func depends(on slots: Set<Int>?, of layout: EntityLayout) -> Bool {
    guard let destination = relationship.destinationEntity,
      layout.entity.isKindOf(entity: destination)
    else { return false }
    guard let slots else { return true }
    let names = [summed?.attribute.name, relationship.inverseRelationship?.name]
    return names.contains { name in
      name.flatMap { layout.slot(of: $0) }.map(slots.contains) ?? false
    }
  }

  /// SELECT of the owners' keys of the members with the keys $1.
  var ownersOfMembers: String {
    switch place {
    case .column(let column):
      "SELECT \(column) FROM \(members) WHERE \(DerivedColumn.key) = ANY($1)"
    case .join(let table, let owner, let member):
      "SELECT \(owner) FROM \(table) WHERE \(member) = ANY($1)"
    }
  }

  /// SQL of the value for the owner with this key.
  func value(of key: String) -> String {
    let aggregate =
      summed.map { summed in
        let number = "m.\(summed.column)"
        return
          "coalesce(sum(\(summed.type == .boolean ? "CAST(\(number) AS integer)" : number)), 0)"
      } ?? "count(*)"
    switch place {
    case .column(let column):
      return "(SELECT \(aggregate) FROM \(members) m WHERE m.\(column) = \(key))"
    case .join(let table, let owner, let member):
      let joined = summed == nil ? "" : " JOIN \(members) m ON m.\(DerivedColumn.key) = j.\(member)"
      return "(SELECT \(aggregate) FROM \(table) j\(joined) WHERE j.\(owner) = \(key))"
    }
  }
}
