/// Removes references to objects that no longer exist or have left the destination entity: their
/// entity was removed, or moved out of the hierarchy.
package struct DanglingReferences {
  private let migration: any MigrationInSQL

  package init(_ migration: any MigrationInSQL) { self.migration = migration }

  private func quoted(_ name: String) -> String { migration.dialect.quoted(name) }

  package func remove() throws {
    for entity in migration.entities where entity.old != nil {
      let layout = entity.new.layout
      for (slot, column) in zip(layout.slots, entity.new.columns) {
        guard let column, let relationship = slot.property as? NSRelationshipDescription,
          losesObjects(
            oldDestination(of: relationship, entity), new: relationship.destinationEntity)
        else { continue }
        try clear(column, table: entity.new.table, destination: relationship.destinationEntity)
      }
      for relationship in layout.toMany where relationship.entity === layout.entity {
        try remove(relationship, entity: entity)
      }
    }
  }

  /// The old destination of a relationship, taken from the relationship itself or from its inverse.
  private func oldDestination(
    of relationship: NSRelationshipDescription, _ entity: EntityMigration
  ) -> NSEntityDescription? {
    if let source = entity.properties[relationship.name] as? NSRelationshipDescription {
      return source.destinationEntity
    }
    guard let inverse = relationship.inverseRelationship else { return nil }
    let other = migration.entities.first { $0.new.layout.entity === inverse.entity }
    return (other?.properties[inverse.name] as? NSRelationshipDescription)?.entity
  }

  /// Returns whether some object that the relationship could refer to before is not in its new
  /// destination.
  private func losesObjects(
    _ old: NSEntityDescription?, new: NSEntityDescription?
  ) -> Bool {
    guard let old, let new else { return false }
    return old.kinds.contains { kind in
      guard let moved = migration.match.destination(of: kind) else { return true }
      return !moved.isKindOf(entity: new)
    }
  }

  private func members(_ destination: NSEntityDescription?) -> String? {
    guard let destination, let entity = migration.new[destination.layout] else { return nil }
    let numbers = entity.kindNumbers.sorted().map(String.init).joined(separator: ", ")
    return "SELECT \(migration.key) FROM \(quoted(entity.table)) "
      + "WHERE \(migration.entityColumn) IN (\(numbers))"
  }

  private func clear(
    _ column: ColumnMapping, table: String, destination: NSEntityDescription?
  ) throws {
    guard let members = members(destination) else { return }
    let name = quoted(column.name)
    let columns = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
      .map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
    try migration.execute(
      SQLFragment(
        text: "UPDATE \(quoted(table)) SET \(columns) WHERE \(name) IS NOT NULL "
          + "AND \(name) NOT IN (\(members))"))
  }

  private func remove(
    _ relationship: NSRelationshipDescription, entity: EntityMigration
  ) throws {
    let oldOwner = entity.old?.layout.entity
    guard let join = migration.new.join(of: relationship) else {
      guard let column = migration.new.foreignKeys[ObjectIdentifier(relationship)],
        let destination = relationship.destinationEntity,
        let table = migration.new[destination.layout]?.table,
        losesObjects(oldOwner, new: relationship.entity)
      else { return }
      return try clear(column, table: table, destination: relationship.entity)
    }
    let ends = [
      (join.memberColumn, oldDestination(of: relationship, entity), relationship.destinationEntity),
      (join.ownerColumn, oldOwner, relationship.entity),
    ]
    for (column, old, new) in ends where losesObjects(old, new: new) {
      guard let members = members(new) else { continue }
      try migration.execute(
        SQLFragment(
          text: "DELETE FROM \(quoted(join.table)) WHERE \(quoted(column)) "
            + "NOT IN (\(members))"))
    }
  }
}

extension NSEntityDescription {
  /// The entity and all its descendants.
  fileprivate var kinds: [NSEntityDescription] { [self] + subentities.flatMap(\.kinds) }
}
