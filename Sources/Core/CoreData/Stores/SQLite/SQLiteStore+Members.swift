extension SQLiteStore {
  /// The members in their order for an ordered relationship, else by key.
  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    let contents = try contents
    guard let destination = relationship.destinationEntity?.layout else { return [] }
    let members = try contents.entity(destination)
    let sql = try memberQuery(relationship, members: members, contents: contents)
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(sql) { statement in
          statement.bind(owner.packed.key, at: 1)
          return try memberIdentities(statement, members: members, contents: contents)
        }
      }
    }
  }

  private func memberIdentities(
    _ statement: SQLiteStatement, members: EntityMapping, contents: StoreContents
  ) throws -> [NSManagedObjectID] {
    var result: [NSManagedObjectID] = []
    while try statement.step() {
      result.append(try memberIdentity(statement, members: members, contents: contents))
    }
    return result
  }

  /// The identity of a statement's row whose first columns are `Z_ENT` and `Z_PK`. Throws
  /// ``StoreDamage``.
  func memberIdentity(
    _ statement: SQLiteStatement, members: EntityMapping, contents: StoreContents
  ) throws -> NSManagedObjectID {
    let key = statement.integer(1)
    guard key > 0 && key < 1 << 40 else { throw StoreDamage.key(key, members.table) }
    let layout =
      members.sharesTable
      ? contents.mapping.layout(entityNumber: statement.integer(0)) : members.layout
    return identities.identity(layout ?? members.layout, key: key)
  }

  private func memberQuery(
    _ relationship: NSRelationshipDescription, members: EntityMapping, contents: StoreContents
  ) throws -> String {
    let table = SQLIdentifier.quoted(members.table)
    if let join = contents.mapping.join(of: relationship) {
      let columns = [join.table, join.memberColumn, join.ownerColumn].map(SQLIdentifier.quoted)
      let order = (join.orderColumn.map { ["t1.\(SQLIdentifier.quoted($0))"] } ?? []) + ["t0.Z_PK"]
      return "SELECT t0.Z_ENT, t0.Z_PK FROM \(columns[0]) t1 JOIN \(table) t0 "
        + "ON t0.Z_PK = t1.\(columns[1]) WHERE t1.\(columns[2]) = ? "
        + "ORDER BY \(order.joined(separator: ", "))"
    }
    let column = try contents.foreignKey(of: relationship)
    let order = (column.orderColumn.map { [SQLIdentifier.quoted($0)] } ?? []) + ["Z_PK"]
    return "SELECT Z_ENT, Z_PK FROM \(table) WHERE \(SQLIdentifier.quoted(column.name)) = ? "
      + "ORDER BY \(order.joined(separator: ", "))"
  }
}

extension StoreContents {
  /// The column on the members' side of a one-to-many relationship.
  func foreignKey(of relationship: NSRelationshipDescription) throws -> ColumnMapping {
    try mapping.foreignKey(of: relationship)
  }

  /// The statement that removes all members from owners of a relationship without an inverse, up to
  /// the name of the owner's column; nil for other relationships.
  func releaseOfMembers(_ relationship: NSRelationshipDescription) throws -> String? {
    guard let key = mapping.foreignKeys[ObjectIdentifier(relationship)],
      let destination = relationship.destinationEntity?.layout
    else { return nil }
    let quoted = SQLIdentifier.quoted
    let sets = [key.name, key.orderColumn].compactMap { $0 }.map { "\(quoted($0)) = NULL" }
    return "UPDATE \(quoted(try entity(destination).table)) SET \(sets.joined(separator: ", ")) "
      + "WHERE \(quoted(key.name))"
  }
}
