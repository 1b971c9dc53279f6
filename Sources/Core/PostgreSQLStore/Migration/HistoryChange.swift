import CoreData

/// Migrates the persistent history of a store: renames properties, and deletes the changes of
/// entities that no longer exist.
struct HistoryChange {
  let migration: SchemaChange

  private var connection: PostgreSQLConnection { migration.connection }

  func run() throws {
    guard try StoreTables.haveHistory(connection) else { return }
    let kept = migration.entities.compactMap { $0.old.map { Int64($0.entityNumber) } }
    try connection.query(
      "DELETE FROM \(HistoryTables.changes) WHERE NOT entity = ANY($1)",
      parameters: [.integers(kept)])
    for entity in migration.entities where entity.old != nil {
      try renameProperties(of: entity)
      try renameValues(of: entity)
    }
  }

  /// Renames the properties of updates, which are stored as names separated by spaces.
  private func renameProperties(of entity: EntityMigration) throws {
    let names = Dictionary(
      entity.properties.map { ($0.value.name, $0.key) }, uniquingKeysWith: { first, _ in first })
    let before = Set(entity.old.map(\.layout.entity.propertiesByName.keys) ?? [:].keys)
    guard before != Set(names.keys) || names.contains(where: { $0.key != $0.value }) else { return }
    try rewrite(
      "properties", of: entity, by: names,
      as: "(SELECT string_agg(n.value, ' ' ORDER BY n.value) "
        + "FROM unnest(string_to_array(properties, ' ')) AS p (name) "
        + "JOIN jsonb_each_text($1::text::jsonb) AS n ON n.key = p.name)")
  }

  /// Renames the values of tombstones, which are stored by slot path.
  private func renameValues(of entity: EntityMigration) throws {
    let pairs = entity.new.layout.slots.compactMap { slot in
      entity.oldSlot(slot).map { ($0.slot.name, slot.name) }
    }
    try rewrite(
      "tombstone", of: entity, by: Dictionary(pairs, uniquingKeysWith: { first, _ in first }),
      as: "(SELECT jsonb_object_agg(n.value, t.value) FROM jsonb_each(tombstone) AS t "
        + "JOIN jsonb_each_text($1::text::jsonb) AS n ON n.key = t.key)")
  }

  private func rewrite(
    _ column: String, of entity: EntityMigration, by names: [String: String], as value: String
  ) throws {
    let json = try JSONSerialization.data(withJSONObject: names, options: .sortedKeys)
    try connection.query(
      "UPDATE \(HistoryTables.changes) SET \(column) = \(value) "
        + "WHERE entity = $2 AND \(column) IS NOT NULL",
      parameters: [
        .text(String(decoding: json, as: UTF8.self)),
        .integer(Int64(entity.old?.entityNumber ?? 0)),
      ])
  }
}
