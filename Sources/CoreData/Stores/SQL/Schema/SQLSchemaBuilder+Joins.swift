// Many-to-many relationships.
extension SQLSchemaBuilder {
  struct Joins {
    /// By the number of the root whose table they follow.
    var tables: [Int: [SQLSchema.JoinTable]] = [:]
    /// By relationship, both sides.
    var mappings: [ObjectIdentifier: JoinMapping] = [:]
  }

  /// One side of a many-to-many relationship.
  private struct Side {
    let relationship: NSRelationshipDescription
    let number: Int
    /// The column that leads to this relationship's members: named by the entity that they are of.
    let memberColumn: String
    let orderColumn: String?
  }

  func makeJoins() -> Joins {
    var joins = Joins()
    for entity in entities {
      for relationship in entity.relationships where relationship.isManyToMany {
        guard joins.mappings[ObjectIdentifier(relationship)] == nil,
          let inverse = relationship.inverseRelationship,
          let sides = sides(relationship, inverse)
        else { continue }
        add(sides, rootNumber: rootNumber(of: sides.first.number), to: &joins)
      }
    }
    return joins
  }

  private func rootNumber(of number: Int) -> Int {
    entities.first { $0.number == number }?.rootNumber ?? number
  }

  /// The two sides, the one with the lower entity number first. Between two relationships of one entity
  /// Apple's choice follows no known rule; the later name is the more frequent one.
  private func sides(
    _ one: NSRelationshipDescription, _ other: NSRelationshipDescription
  ) -> (first: Side, second: Side)? {
    guard let one = side(one), let other = side(other) else { return nil }
    if one.number != other.number {
      return one.number < other.number ? (one, other) : (other, one)
    }
    return one.relationship.name > other.relationship.name ? (one, other) : (other, one)
  }

  private func side(_ relationship: NSRelationshipDescription) -> Side? {
    guard let inverse = relationship.inverseRelationship,
      let own = number(of: relationship.entity), let members = number(of: inverse.entity)
    else { return nil }
    let name = "\(members)\(relationship.name.uppercased())"
    return Side(
      relationship: relationship, number: own, memberColumn: "Z_\(name)",
      orderColumn: relationship.isOrdered ? "Z_FOK_\(name)" : nil)
  }

  private func add(
    _ sides: (first: Side, second: Side), rootNumber: Int, to joins: inout Joins
  ) {
    let (first, second) = sides
    let name = "Z_\(first.number)\(first.relationship.name.uppercased())"
    // A relationship that is its own inverse has one name for both columns.
    let isReflexive = first.relationship === second.relationship
    let firstColumn = second.memberColumn
    let secondColumn = isReflexive ? "REFLEXIVE" : first.memberColumn
    let orders = [second.orderColumn, isReflexive ? nil : first.orderColumn].compactMap { $0 }
    joins.tables[rootNumber, default: []].append(
      SQLSchema.JoinTable(
        name: name, firstColumn: firstColumn, secondColumn: secondColumn, orderColumns: orders))
    joins.mappings[ObjectIdentifier(second.relationship)] = JoinMapping(
      table: name, ownerColumn: secondColumn, memberColumn: firstColumn,
      orderColumn: second.orderColumn)
    joins.mappings[ObjectIdentifier(first.relationship)] = JoinMapping(
      table: name, ownerColumn: firstColumn, memberColumn: secondColumn,
      orderColumn: first.orderColumn)
  }
}

extension NSRelationshipDescription {
  /// Whether the members are kept in a join table.
  var isManyToMany: Bool { isToMany && (inverseRelationship?.isToMany ?? false) }
}
