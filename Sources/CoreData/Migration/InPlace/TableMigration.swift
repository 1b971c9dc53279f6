/// What becomes of one table of the new schema.
struct TableMigration {
  let name: String
  /// The old table that stays under this name; nil for one that is made anew.
  private(set) var keptTable: String?
  /// Whether it keeps columns that nothing needs.
  private(set) var leavesColumns = false
  private let table: SQLSchema.Table
  private let members: [EntityMigration]
  /// The old table that all rows come from; nil for none.
  private let oldTable: String?

  init(_ table: SQLSchema.Table, in migration: SchemaMigration) throws {
    self.table = table
    name = table.name
    members = migration.entities.filter { $0.new.table == table.name }
    oldTable = members.lazy.compactMap { $0.old?.table }.first
    guard let oldTable else { return }
    // Which expressions there will be does not depend on what the tables are called by then.
    let sources = try members.map { try migration.sources(of: $0) }
    let names = Set(table.columns.map { $0.name.uppercased() })
    let columns = try StoreCatalog(migration.connection).columns(of: oldTable)
      .subtracting(["Z_PK", "Z_ENT", "Z_OPT"])
    let isAlone = migration.entities.allSatisfy {
      $0.old?.table != oldTable || $0.new.table == table.name
    }
    let keepsNumbers = members.allSatisfy {
      $0.old == nil || $0.old?.entityNumber == $0.new.entityNumber
    }
    let isPlain = table.columns.allSatisfy { column in
      Self.staysPlain(column.name, Self.uniform(column.name, sources), columns)
    }
    let unneeded = columns.subtracting(names)
    guard isAlone, keepsNumbers, isPlain, unneeded.isEmpty || migration.defersRemoval else {
      return
    }
    keptTable = oldTable
    leavesColumns = !unneeded.isEmpty
  }

  /// The one source of all entities that have a column; nil when they differ.
  private static func uniform(
    _ column: String, _ sources: [[String: ColumnSource]]
  ) -> ColumnSource? {
    let all = sources.compactMap { $0[column] }
    guard let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func staysPlain(
    _ column: String, _ source: ColumnSource?, _ columns: Set<String>
  ) -> Bool {
    switch source {
    case .column(let old), .filled(let old, _): old.uppercased() == column.uppercased()
    // One of a property that is gone has other values.
    case .constant: !columns.contains(column.uppercased())
    default: false
    }
  }

  func run(_ migration: SchemaMigration) throws {
    if keptTable != nil { return try keep(migration) }
    try migration.connection.execute(table.creation)
    if oldTable != nil { try fill(migration) }
  }

  // MARK: - Keeping

  private func keep(_ migration: SchemaMigration) throws {
    let table = SQLIdentifier.quoted(name)
    try removeRows(migration)
    let columns = try StoreCatalog(migration.connection).columns(of: name)
    for column in self.table.columns where !columns.contains(column.name.uppercased()) {
      try migration.connection.execute(
        "ALTER TABLE \(table) ADD COLUMN \(SQLIdentifier.quoted(column.name)) \(column.type)")
    }
    for entity in members where entity.old != nil {
      let rows = rows(of: entity)
      for (column, source) in try migration.sources(of: entity).sorted(by: { $0.key < $1.key }) {
        let quoted = SQLIdentifier.quoted(column)
        switch source {
        case .constant(let value?):
          try migration.execute(
            "UPDATE \(raw: table) SET \(raw: quoted) = \(value)\(raw: rows)")
        case .filled(_, let value):
          let condition = rows.isEmpty ? " WHERE" : "\(rows) AND"
          try migration.execute(
            "UPDATE \(raw: table) SET \(raw: quoted) = \(value)\(raw: condition) \(raw: quoted) IS NULL"
          )
        default: break
        }
      }
      try clearLostColumns(of: entity, migration)
    }
  }

  /// What an entity has given to another one of its hierarchy, such as a subentity, stays in the table: its own rows
  /// have nothing there any more.
  private func clearLostColumns(of entity: EntityMigration, _ migration: SchemaMigration) throws {
    let sources = try migration.sources(of: entity)
    let own = Set(sources.keys.map { $0.uppercased() })
    let lost = table.columns.map(\.name).filter {
      !own.contains($0.uppercased()) && entity.oldColumns.contains($0.uppercased())
    }
    guard !lost.isEmpty else { return }
    let values = lost.map { "\(SQLIdentifier.quoted($0)) = NULL" }.joined(separator: ", ")
    try migration.connection.execute(
      "UPDATE \(SQLIdentifier.quoted(name)) SET \(values)\(rows(of: entity))")
  }

  /// A condition for the rows of one entity, where the table has others.
  private func rows(of entity: EntityMigration) -> String {
    members.count > 1 ? " WHERE Z_ENT = \(entity.new.entityNumber)" : ""
  }

  /// Rows of entities that are gone, or that have left.
  private func removeRows(_ migration: SchemaMigration) throws {
    let kept = members.compactMap { $0.old?.entityNumber }
    let all = migration.old.allEntities.filter { $0.table == oldTable }.map(\.entityNumber)
    guard !Set(all).subtracting(kept).isEmpty else { return }
    let numbers = kept.sorted().map(String.init).joined(separator: ", ")
    try migration.connection.execute(
      "DELETE FROM \(SQLIdentifier.quoted(name)) WHERE Z_ENT NOT IN (\(numbers))")
  }

  // MARK: - Making anew

  private func fill(_ migration: SchemaMigration) throws {
    let sources = try members.compactMap { entity in
      try entity.old.map {
        Origin(
          number: $0.entityNumber, sources: try migration.sources(of: entity),
          oldColumns: entity.oldColumns)
      }
    }
    let numbers = members.compactMap { entity in
      entity.old.map { ($0.entityNumber, entity.new.entityNumber) }
    }
    let changed = Dictionary(
      numbers.filter { $0.0 != $0.1 }, uniquingKeysWith: { first, _ in first })
    let entity = SchemaMigration.renumbering("Z_ENT", changed)
    let columns = table.columns.map { SQLIdentifier.quoted($0.name) }
    let values = table.columns.map { Self.value(of: $0.name, sources) }
    let list = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
    let selected = (["Z_PK", SQLFragment(text: entity), "Z_OPT"] + values).joined(separator: ", ")
    let kept = numbers.map { String($0.0) }.sorted().joined(separator: ", ")
    try migration.execute(
      """
      INSERT INTO \(raw: SQLIdentifier.quoted(name)) (\(raw: list)) SELECT \(selected) \
      FROM \(raw: migration.currentName(oldTable ?? "")) WHERE Z_ENT IN (\(raw: kept))
      """)
  }

  /// What the rows of one entity come from.
  private struct Origin {
    let number: Int
    let sources: [String: ColumnSource]
    let oldColumns: Set<String>
  }

  private static func value(of column: String, _ sources: [Origin]) -> SQLFragment {
    let all = sources.compactMap { entity in entity.sources[column].map { (entity.number, $0) } }
    guard let first = all.first else { return "NULL" }
    // Rows of entities without the column have nil in another's column already, unless it was theirs.
    let isPlain =
      if case .column(let old) = first.1 {
        sources.allSatisfy {
          $0.sources[column] != nil || !$0.oldColumns.contains(old.uppercased())
        }
      } else {
        all.count == sources.count
      }
    if isPlain, all.allSatisfy({ $0.1 == first.1 }) { return first.1.fragment(.sqlite) }
    let cases = all.map { number, source -> SQLFragment in
      "WHEN \(raw: String(number)) THEN \(source.fragment(.sqlite))"
    }
    return "CASE Z_ENT \(cases.joined(separator: " ")) END"
  }
}
