/// The fate of the tables in a migration that is not run.
struct PlannedTables {
  /// By the names of new and of removed entities.
  let byEntity: [String: StoreMigrationPlan.Entity.Table]

  init(_ migration: SchemaMigration) throws {
    var tables: [String: StoreMigrationPlan.Entity.Table] = [:]
    for table in migration.schema.tables {
      let members = migration.entities.filter { $0.new.table == table.name }
      let change = try Self.change(of: table, members, migration: migration)
      for entity in members { tables[entity.new.layout.entity.name ?? ""] = change }
    }
    let needed = Set(migration.entities.compactMap { $0.old?.table })
    for entity in migration.old.allEntities where !needed.contains(entity.table) {
      tables[entity.layout.entity.name ?? ""] = .removed
    }
    byEntity = tables
  }

  private static func change(
    of table: SQLSchema.Table, _ members: [EntityMigration], migration: SchemaMigration
  ) throws -> StoreMigrationPlan.Entity.Table {
    guard members.contains(where: { $0.old != nil }) else { return .made }
    guard let kept = try TableMigration(table, in: migration).keptTable else { return .rebuilt }
    let columns = try StoreCatalog(migration.connection).columns(of: kept)
    let hasAll = table.columns.allSatisfy { columns.contains($0.name.uppercased()) }
    return hasAll ? .kept : .columnsAdded
  }
}
