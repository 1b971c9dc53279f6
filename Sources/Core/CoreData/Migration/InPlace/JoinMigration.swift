/// The migration of one join table of the new schema.
struct JoinMigration {
  let table: SQLSchema.JoinTable
  /// Whether the old table has the same name and columns and stays.
  let isKept: Bool
  private let members: JoinMembers

  init(_ table: SQLSchema.JoinTable, members: JoinMembers, in migration: SchemaMigration) throws {
    self.table = table
    self.members = members
    isKept = try Self.isSame(table, members: members, migration: migration)
  }

  private static func isSame(
    _ table: SQLSchema.JoinTable, members: JoinMembers, migration: SchemaMigration
  ) throws -> Bool {
    let join = members.join
    guard let old = members.oldJoin, members.hasOldPositions,
      old.table.uppercased() == table.name.uppercased(),
      old.ownerColumn.uppercased() == join.ownerColumn.uppercased(),
      old.memberColumn.uppercased() == join.memberColumn.uppercased()
    else { return false }
    let columns = [table.firstColumn, table.secondColumn] + table.orderColumns
    return try StoreCatalog(migration.connection).columns(of: table.name)
      == Set(columns.map { $0.uppercased() })
  }

  func run(_ migration: SchemaMigration) throws {
    guard !isKept else { return }
    try migration.connection.execute(table.creation)
    try members.fill(migration)
  }
}

extension SchemaMigration {
  func joinMigrations() throws -> [JoinMigration] {
    var relationships: [String: NSRelationshipDescription] = [:]
    for entity in entities {
      for relationship in entity.new.layout.toMany
      where relationship.entity === entity.new.layout.entity && !relationship.isTransient {
        guard let join = new.join(of: relationship), relationships[join.table] == nil else {
          continue
        }
        relationships[join.table] = relationship
      }
    }
    return try schema.tables.flatMap(\.joins).compactMap { table in
      guard let relationship = relationships[table.name], let join = new.join(of: relationship)
      else { return nil }
      return try JoinMigration(
        table, members: JoinMembers(relationship, join: join, in: self), in: self)
    }
  }
}
