/// Adapts the persistent history of a store to the entity and property numbers of the new model.
/// Deletes changes of removed entities.
struct HistoryMigration {
  let migration: SchemaMigration

  private var connection: SQLiteConnection { migration.connection }

  func run() throws {
    guard try StoreCatalog(connection).hasHistory else { return }
    try removeEntities()
    for entity in migration.entities where entity.old != nil { try renumberProperties(of: entity) }
    try renumberEntities()
  }

  private func removeEntities() throws {
    let kept = Set(migration.entities.compactMap { $0.old?.entityNumber })
    let gone = migration.old.allEntities.map(\.entityNumber).filter { !kept.contains($0) }
    guard !gone.isEmpty else { return }
    let numbers = gone.sorted().map(String.init).joined(separator: ", ")
    try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(numbers))")
  }

  private func renumberEntities() throws {
    let changed = migration.entityNumbers.filter { $0.key != $0.value }
    guard !changed.isEmpty else { return }
    let numbers = changed.keys.sorted().map(String.init).joined(separator: ", ")
    try connection.execute(
      "UPDATE ACHANGE SET ZENTITY = \(SchemaMigration.renumbering("ZENTITY", numbers: changed)) "
        + "WHERE ZENTITY IN (\(numbers))")
  }

  // MARK: - Properties

  private func renumberProperties(of entity: EntityMigration) throws {
    guard let oldEntity = entity.old else { return }
    let old = HistoryLayout(oldEntity, codec: migration.codec)
    let new = HistoryLayout(entity.new, codec: migration.codec)
    try moveTombstones(of: entity, from: oldEntity)
    let names = Dictionary(
      entity.properties.map { ($0.value.name, $0.key) }, uniquingKeysWith: { first, _ in first })
    guard old.names != new.names || names.contains(where: { $0.key != $0.value }) else { return }
    let masks = try connection.withStatement(
      "SELECT DISTINCT ZCOLUMNS FROM ACHANGE WHERE ZENTITY = ? AND ZCOLUMNS NOT NULL"
    ) { statement in
      statement.bind(Int64(oldEntity.entityNumber), at: 1)
      var masks: [Data] = []
      while try statement.step() { masks.append(statement.data(0) ?? Data()) }
      return masks
    }
    try connection.execute("CREATE TEMP TABLE Z_MASKS (OLD BLOB PRIMARY KEY, NEW BLOB)")
    try connection.withStatement("INSERT INTO temp.Z_MASKS (OLD, NEW) VALUES (?, ?)") { statement in
      for mask in masks {
        statement.bind(mask, at: 1)
        statement.bind(new.mask(old.properties(in: mask).compactMap { names[$0.name] }), at: 2)
        try statement.run()
      }
    }
    try connection.execute(
      "UPDATE ACHANGE SET ZCOLUMNS = (SELECT NEW FROM temp.Z_MASKS WHERE OLD = ZCOLUMNS) "
        + "WHERE ZENTITY = \(oldEntity.entityNumber) AND ZCOLUMNS NOT NULL")
    try connection.execute("DROP TABLE temp.Z_MASKS")
  }

  /// Moves the preserved values of deleted objects, which are in the order of the attributes'
  /// names.
  private func moveTombstones(of entity: EntityMigration, from old: EntityMapping) throws {
    let before = HistoryLayout.preserved(old.layout).map { old.layout.slots[$0].name }
    let after = HistoryLayout.preserved(entity.new.layout).map { entity.new.layout.slots[$0] }
    let places = after.map { slot in
      entity.oldSlot(slot).flatMap { before.firstIndex(of: $0.slot.name) }
    }
    guard places != Array(before.indices) else { return }
    try HistorySchema.prepareTombstones(max(before.count, after.count), on: connection)
    let columns = (0..<max(before.count, after.count)).map { index -> String in
      let source = index < places.count ? places[index] : nil
      return "\(HistorySchema.tombstone(index)) = \(source.map(HistorySchema.tombstone) ?? "NULL")"
    }
    guard !columns.isEmpty else { return }
    try connection.execute(
      "UPDATE ACHANGE SET \(columns.joined(separator: ", ")) "
        + "WHERE ZENTITY = \(old.entityNumber) AND ZCHANGETYPE = 2")
  }
}

extension HistorySchema {
  /// Adds columns for the preserved values of deleted objects, up to `count` columns in all.
  static func prepareTombstones(_ count: Int, on connection: SQLiteConnection) throws {
    let columns = try StoreCatalog(connection).columns(of: "ACHANGE")
    for index in 0..<count where !columns.contains(tombstone(index)) {
      try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(tombstone(index)) BLOB")
    }
  }
}
