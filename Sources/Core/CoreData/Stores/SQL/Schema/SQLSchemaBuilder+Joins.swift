// Many-to-many relationships. A column is named by the entity of its rows and the relationship that
// leads to them. Names that earlier tables have get a number, in the order in which the tables are
// made:
//
//     Z_1ARTWORKS ( Z_1COLLECTIONS, Z_3ARTWORKS )     Z_3SHOWS ( Z_3ARTWORKS1, Z_14SHOWS )
extension SQLSchemaBuilder {
  struct Joins {
    /// The join tables by the root number of the table that they follow.
    var tables: [Int: [SQLSchema.JoinTable]] = [:]
    /// The mappings by relationship, for both sides of each join table.
    var mappings: [ObjectIdentifier: JoinMapping] = [:]
    fileprivate var tableNames = NumberedNames()
    fileprivate var columnNames = NumberedNames()
  }

  /// One side of a many-to-many relationship.
  private struct Side {
    let relationship: NSRelationshipDescription
    let number: Int
    /// The number of the members' entity.
    let memberNumber: Int

    func memberColumn(_ names: inout NumberedNames) -> String {
      names.take("Z_\(memberNumber)\(relationship.name.uppercased())")
    }

    func orderColumn(_ memberColumn: String) -> String? {
      relationship.isOrdered ? "Z_FOK_\(memberColumn.dropFirst("Z_".count))" : nil
    }
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

  /// The two sides, the one with the lower entity number first. For two relationships of one entity
  /// Apple's rule is not known; the later name is first more often.
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
    return Side(relationship: relationship, number: own, memberNumber: members)
  }

  private func add(
    _ sides: (first: Side, second: Side), rootNumber: Int, to joins: inout Joins
  ) {
    let (first, second) = sides
    let name = joins.tableNames.take(
      "Z_\(first.number)\(first.relationship.name.uppercased())")
    // A relationship that is its own inverse has a single name for both columns.
    let isReflexive = first.relationship === second.relationship
    let firstColumn = second.memberColumn(&joins.columnNames)
    let secondColumn = isReflexive ? "REFLEXIVE" : first.memberColumn(&joins.columnNames)
    let firstOrder = second.orderColumn(firstColumn)
    let secondOrder = isReflexive ? firstOrder : first.orderColumn(secondColumn)
    joins.tables[rootNumber, default: []].append(
      SQLSchema.JoinTable(
        name: name, firstColumn: firstColumn, secondColumn: secondColumn,
        orderColumns: [firstOrder, isReflexive ? nil : secondOrder].compactMap { $0 }))
    joins.mappings[ObjectIdentifier(second.relationship)] = JoinMapping(
      table: name, ownerColumn: secondColumn, memberColumn: firstColumn,
      orderColumn: second.relationship.keepsOrder ? firstOrder : nil)
    joins.mappings[ObjectIdentifier(first.relationship)] = JoinMapping(
      table: name, ownerColumn: firstColumn, memberColumn: secondColumn,
      orderColumn: first.relationship.keepsOrder ? secondOrder : nil)
  }
}
