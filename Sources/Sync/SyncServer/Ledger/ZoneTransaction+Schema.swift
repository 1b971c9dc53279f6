import CoreDataSync

extension ZoneTransaction {
  /// Takes over what a replica's model says besides, and decides anew what it concerns.
  ///
  /// - Returns: whether there was anything new.
  func adopt(_ schema: SyncSchema) throws -> Bool {
    let all = rules.schema.union(schema)
    guard all != rules.schema else { return false }
    let old = rules.schema
    use(all)
    let concerned = all.entities.values.filter { entity in
      let own = old.entities[entity.name]
      return own?.uniqueness ?? [] != entity.uniqueness
        || own?.references ?? [:] != entity.references
    }
    guard !concerned.isEmpty else { return true }
    let objects = try context.all(
      "Record", where: "zone == %@ AND alias == NIL AND entity IN %@",
      arguments: [zone, concerned.map(\.name)])
    let ids = Set(objects.compactMap { $0.id("identifier") })
    try load(ids)
    for id in ids { if let record = try record(id) { try index(record) } }
    try settle(besides: ids)
    try number()
    return true
  }
}
