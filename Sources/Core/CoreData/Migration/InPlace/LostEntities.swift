/// Entities of a store that a migration would remove with their objects.
///
/// If only the store has its version of the model, the store may belong to another program, with
/// other entities. Opening it by mistake must not empty it.
package struct LostEntities {
  private let migration: any MigrationInSQL

  package init(_ migration: any MigrationInSQL) { self.migration = migration }

  /// Throws 134110 if there are objects of an entity that the new version lacks.
  package func check() throws {
    let lost = try lostEntities.filter(hasObjects).compactMap(\.layout.entity.name).sorted()
    guard !lost.isEmpty else { return }
    throw CoreDataError.make(
      .migration,
      reason: "The store has objects of \(Self.list(lost)), which would be lost: its schema is "
        + "\(Self.list(names(migration.old))), and this program's is \(Self.list(names(migration.new))). If it is another "
        + "program's store, give this program one of its own: another URL, or another name. If the objects are to go, "
        + "say so with a version of the model that has them, a migration plan, or OpenCoreDataRemovesEntitiesOption "
        + "(SwiftData: removesModelsOutsideOfSchema).",
      userInfo: ["entities": lost])
  }

  private var lostEntities: [EntityMapping] {
    let kept = Set(migration.entities.compactMap { $0.old?.entityNumber })
    return migration.old.allEntities.filter {
      !kept.contains($0.entityNumber) && !$0.layout.entity.isAbstract
    }
  }

  private func hasObjects(of entity: EntityMapping) throws -> Bool {
    try migration.finds(
      """
      SELECT 1 FROM \(raw: migration.dialect.quoted(entity.table)) WHERE \
      \(raw: migration.entityColumn) = \(raw: "\(entity.entityNumber)") LIMIT 1
      """)
  }

  private func names(_ mapping: SQLMapping) -> [String] {
    mapping.allEntities.compactMap(\.layout.entity.name).sorted()
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "empty" : names.map { "“\($0)”" }.joined(separator: ", ")
  }
}
