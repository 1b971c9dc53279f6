/// Writes the members that joined and left many-to-many relationships, and the positions in ordered
/// ones.
///
/// Positions are multiples of 1024, so that a member can move between two others without new
/// positions for these. The whole order is written again only if no number is left between them.
struct MemberWriter {
  private static let step: Int64 = 1024

  private let contents: StoreContents
  private let connection: SQLiteConnection

  init(_ writer: RowWriter) {
    contents = writer.contents
    connection = writer.connection
  }

  func write(_ change: StoreChanges.MemberChange) throws {
    if let join = contents.mapping.join(of: change.relationship) {
      for member in change.removed { try unlink(change, join: join, member: member) }
      for member in change.added { try link(change, join: join, member: member) }
    } else if let key = contents.mapping.foreignKeys[ObjectIdentifier(change.relationship)] {
      try writeOwners(change, key: key)
    }
    if let order = change.order { try write(order, of: change) }
  }

  /// Sets the owners of members in a relationship without an inverse. With one, the inverse's slot
  /// holds the owner.
  private func writeOwners(_ change: StoreChanges.MemberChange, key: ColumnMapping) throws {
    guard let destination = change.relationship.destinationEntity?.layout else { return }
    let table = SQLIdentifier.quoted(try contents.entity(destination).table)
    let column = SQLIdentifier.quoted(key.name)
    let owner = change.owner.packed.key
    for member in change.removed {
      try run(
        "UPDATE \(table) SET \(column) = NULL WHERE Z_PK = ? AND \(column) = ?", member.packed.key,
        owner)
    }
    for member in change.added {
      try run("UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?", owner, member.packed.key)
    }
  }

  // MARK: - Joining and leaving

  private func link(
    _ change: StoreChanges.MemberChange, join: JoinMapping, member: NSManagedObjectID
  ) throws {
    try link(join, owner: change.owner, member: member)
    if change.relationship.inverseRelationship === change.relationship {
      try link(join, owner: member, member: change.owner)
    }
  }

  /// Links an owner and a member, unless the inverse relationship's change has done it.
  private func link(
    _ join: JoinMapping, owner: NSManagedObjectID, member: NSManagedObjectID
  ) throws {
    let names = [join.table, join.ownerColumn, join.memberColumn].map(SQLIdentifier.quoted)
    let sql = "INSERT OR IGNORE INTO \(names[0]) (\(names[1]), \(names[2])) VALUES (?, ?)"
    try run(sql, owner.packed.key, member.packed.key)
  }

  private func unlink(
    _ change: StoreChanges.MemberChange, join: JoinMapping, member: NSManagedObjectID
  ) throws {
    let names = [join.table, join.ownerColumn, join.memberColumn].map(SQLIdentifier.quoted)
    let sql = "DELETE FROM \(names[0]) WHERE \(names[1]) = ? AND \(names[2]) = ?"
    try run(sql, change.owner.packed.key, member.packed.key)
    if change.relationship.inverseRelationship === change.relationship {
      try run(sql, member.packed.key, change.owner.packed.key)
    }
  }

  private func run(_ sql: String, _ values: Int64...) throws {
    try connection.withStatement(sql) { statement in
      for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index) + 1) }
      try statement.run()
    }
  }

  // MARK: - Positions

  /// The table and columns of a relationship's positions.
  private struct PositionTable {
    let table: String
    let ownerColumn: String
    let memberColumn: String
    let positionColumn: String
  }

  private func write(_ order: [NSManagedObjectID], of change: StoreChanges.MemberChange) throws {
    guard let table = try positionTable(change.relationship) else { return }
    let owner = change.owner.packed.key
    let old = try positions(table, owner: owner)
    let keys = order.map(\.packed.key)
    let new = SparsePositions(step: Self.step).positions(of: keys.map { old[$0] })
    let sql =
      "UPDATE \(table.table) SET \(table.positionColumn) = ? "
      + "WHERE \(table.ownerColumn) = ? AND \(table.memberColumn) = ?"
    for (key, position) in zip(keys, new) where old[key] != position {
      try run(sql, position, owner, key)
    }
  }

  private func positionTable(
    _ relationship: NSRelationshipDescription
  ) throws -> PositionTable? {
    let quoted = SQLIdentifier.quoted
    if let join = contents.mapping.join(of: relationship) {
      guard let column = join.orderColumn else { return nil }
      return PositionTable(
        table: quoted(join.table), ownerColumn: quoted(join.ownerColumn),
        memberColumn: quoted(join.memberColumn), positionColumn: quoted(column))
    }
    let foreignKey = try contents.foreignKey(of: relationship)
    guard let column = foreignKey.orderColumn, let destination = relationship.destinationEntity
    else { return nil }
    return PositionTable(
      table: quoted(try contents.entity(destination.layout).table),
      ownerColumn: quoted(foreignKey.name), memberColumn: "Z_PK", positionColumn: quoted(column))
  }

  private func positions(_ table: PositionTable, owner: Int64) throws -> [Int64: Int64] {
    let sql =
      "SELECT \(table.memberColumn), \(table.positionColumn) FROM \(table.table) "
      + "WHERE \(table.ownerColumn) = ?"
    return try connection.withStatement(sql) { statement in
      statement.bind(owner, at: 1)
      var positions: [Int64: Int64] = [:]
      while try statement.step() {
        let position = statement.integer(1)
        // Larger positions are never written; sums of them could overflow.
        if !statement.isNull(1), position.magnitude < 1 << 53 {
          positions[statement.integer(0)] = position
        }
      }
      return positions
    }
  }
}
