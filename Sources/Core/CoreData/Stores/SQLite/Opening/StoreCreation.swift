/// Writes a new store in one transaction: its tables, entity numbers, metadata and model.
struct StoreCreation {
  let layouts: [EntityLayout]
  let schema: SQLSchema
  let metadata: [String: Any]
  let modelCache: Data

  /// Throws, before anything is written, if the model has something that the format cannot store.
  init(
    model: NSManagedObjectModel, layouts: [EntityLayout], metadata: [String: Any]
  ) throws {
    self.layouts = layouts
    schema = try SQLSchemaBuilder(layouts: layouts, numbers: Self.numbers(layouts)).schema()
    self.metadata = metadata
    modelCache = try ModelCache.content(of: model)
  }

  /// `Z_ENT` by ``EntityLayout/number``: numbered from 1, in the same order, for the entities of
  /// the store's configuration.
  static func numbers(_ layouts: [EntityLayout]) -> [Int: Int] {
    let inOrder = layouts.map(\.number).sorted()
    return Dictionary(
      zip(inOrder, 1...).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
  }

  func run(on connection: SQLiteConnection) throws {
    try connection.writeTransaction {
      // Another process may have created the store meanwhile.
      if try StoreCatalog(connection).hasMetadata { return }
      for statement in schema.statements { try connection.execute(statement) }
      try writePrimaryKeys(connection)
      try StoreMetadataTable.write(metadata, to: connection)
      try connection.withStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)") {
        $0.bind(modelCache, at: 1)
        try $0.run()
      }
    }
  }

  private func writePrimaryKeys(_ connection: SQLiteConnection) throws {
    let numbers = Self.numbers(layouts)
    let sql = "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)"
    try connection.withStatement(sql) { statement in
      for layout in layouts.sorted(by: { $0.number < $1.number }) {
        let parent = layout.entity.superentity.flatMap { numbers[$0.layout.number] } ?? 0
        statement.bind(Int64(numbers[layout.number] ?? layout.number), at: 1)
        statement.bind(layout.entity.name ?? "", at: 2)
        statement.bind(Int64(parent), at: 3)
        try statement.run()
      }
    }
  }
}
