import CoreData

/// The migration of one join table of the new schema.
struct JoinChange {
  let table: StoreSchema.JoinTable
  /// The name of the old table that is kept; nil for a new table.
  let keptTable: String?
  private let members: JoinMembers

  static func all(of migration: SchemaChange) -> [JoinChange] {
    var relationships: [String: NSRelationshipDescription] = [:]
    for entity in migration.entities {
      for relationship in entity.new.layout.toMany
      where relationship.entity === entity.new.layout.entity && !relationship.isTransient {
        guard let join = migration.new.join(of: relationship), relationships[join.table] == nil
        else { continue }
        relationships[join.table] = relationship
      }
    }
    return migration.newSchema.joinTables.compactMap { table in
      guard let relationship = relationships[table.name],
        let join = migration.new.join(of: relationship)
      else { return nil }
      let members = JoinMembers(relationship, join: join, in: migration)
      return JoinChange(
        table: table, keptTable: keptTable(table, members: members, migration: migration),
        members: members)
    }
  }

  private static func keptTable(
    _ table: StoreSchema.JoinTable, members: JoinMembers, migration: SchemaChange
  ) -> String? {
    guard let old = members.oldJoin, old.ownerColumn == members.join.ownerColumn,
      old.memberColumn == members.join.memberColumn,
      let found = migration.oldSchema.joinTables.first(where: { $0.name == old.table }),
      Set([found.firstColumn, found.secondColumn])
        == Set([table.firstColumn, table.secondColumn]),
      Set(found.positionColumns) == Set(table.positionColumns)
    else { return nil }
    return found.name
  }

  func run(_ migration: SchemaChange) throws {
    guard keptTable == nil else { return }
    for statement in table.creation { try migration.connection.execute(statement) }
    try members.fill(migration)
  }
}
