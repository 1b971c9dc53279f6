/// Finds numbers that do not fit into the new types of their attributes, before the migration
/// changes anything.
package struct ChangedTypes {
  private let migration: any MigrationInSQL

  package init(_ migration: any MigrationInSQL) { self.migration = migration }

  /// An attribute with numbers that do not fit.
  struct Misfit {
    let entity: String
    let attribute: String
    let objects: Int
    let change: TypeChange

    var reason: String {
      "the values of “\(attribute)” of the entity “\(entity)”, which was of the type \(change.old.modelName), do "
        + "not all fit into the type \(change.new.modelName)"
    }
  }

  /// Throws 134110 for the first attribute with such numbers, with the number of objects.
  package func check() throws {
    guard let found = try misfits().first else { return }
    let count = found.objects == 1 ? "1 object has" : "\(found.objects) objects have"
    throw CoreDataError.make(
      .migration,
      reason:
        "Cannot migrate store in-place: \(found.reason): \(count) one that does not. Change these values "
        + "first, keep the type, or use a mapping model.",
      userInfo: ["entity": found.entity, "attribute": found.attribute])
  }

  func misfits() throws -> [Misfit] {
    try migration.entities.flatMap { entity in try misfits(of: entity) }
  }

  private func misfits(of entity: EntityMigration) throws -> [Misfit] {
    guard let former = entity.old, !former.layout.entity.isAbstract else { return [] }
    return try entity.new.layout.slots.compactMap { slot in
      guard let old = entity.oldSlot(slot), !old.column.isDerived,
        let change = TypeChange(from: old.slot, to: slot),
        let condition = change.misfits(migration.dialect.quoted(old.column.name))
      else { return nil }
      let count = try migration.count(
        """
        SELECT count(*) FROM \(raw: migration.currentName(former.table)) \
        WHERE \(raw: migration.entityColumn) = \(raw: "\(former.entityNumber)") AND \(condition)
        """)
      guard count > 0 else { return nil }
      return Misfit(
        entity: entity.new.layout.entity.name ?? "", attribute: slot.name, objects: count,
        change: change)
    }
  }
}
