/// The migration of one table of the new schema.
struct TableMigration {
  let name: String
  /// The old table that is kept under this name; nil if the table is rebuilt.
  private(set) var keptTable: String?
  /// Whether the table keeps unused columns.
  private(set) var leavesColumns = false
  private let table: SQLSchema.Table
  private let members: [EntityMigration]
  /// The old table of all rows; nil if there is none.
  private let oldTable: String?

  init(_ table: SQLSchema.Table, in migration: SchemaMigration) throws {
    self.table = table
    name = table.name
    members = migration.entities.filter { $0.new.table == table.name }
    oldTable = members.lazy.compactMap { $0.old?.table }.first
    guard let oldTable else { return }
    // The current names of the tables do not decide which sources are expressions.
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
      Self.staysPlain(
        column.name, source: Self.uniform(column.name, sources: sources), columns: columns)
    }
    let unneeded = columns.subtracting(names)
    guard isAlone, keepsNumbers, isPlain, unneeded.isEmpty || migration.defersRemoval else {
      return
    }
    keptTable = oldTable
    leavesColumns = !unneeded.isEmpty
  }

  /// The common source of all entities that have a column; nil if they differ.
  private static func uniform(
    _ column: String, sources: [[String: ColumnSource]]
  ) -> ColumnSource? {
    let all = sources.compactMap { $0[column] }
    guard let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func staysPlain(
    _ column: String, source: ColumnSource?, columns: Set<String>
  ) -> Bool {
    switch source {
    case .column(let old), .filled(let old, _): old.uppercased() == column.uppercased()
    // An existing column of that name has the values of a removed property.
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

  /// Sets columns to nil in the rows of an entity whose property moved to another entity of the
  /// hierarchy, such as a subentity. The columns stay in the table.
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

  /// The condition for the rows of one entity; empty if the table has no others.
  private func rows(of entity: EntityMigration) -> String {
    members.count > 1 ? " WHERE Z_ENT = \(entity.new.entityNumber)" : ""
  }

  /// Deletes rows of entities that were removed or have left the table.
  private func removeRows(_ migration: SchemaMigration) throws {
    let kept = members.compactMap { $0.old?.entityNumber }
    let all = migration.old.allEntities.filter { $0.table == oldTable }.map(\.entityNumber)
    guard !Set(all).subtracting(kept).isEmpty else { return }
    let numbers = kept.sorted().map(String.init).joined(separator: ", ")
    try migration.connection.execute(
      "DELETE FROM \(SQLIdentifier.quoted(name)) WHERE Z_ENT NOT IN (\(numbers))")
  }

  // MARK: - Rebuilding

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
    let entity = SchemaMigration.renumbering("Z_ENT", numbers: changed)
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

  /// The source of the rows of one entity.
  private struct Origin {
    let number: Int
    let sources: [String: ColumnSource]
    let oldColumns: Set<String>
  }

  private static func value(of column: String, _ sources: [Origin]) -> SQLFragment {
    let all = sources.compactMap { entity in entity.sources[column].map { (entity.number, $0) } }
    guard let first = all.first else { return "NULL" }
    // Entities without the column have nil in another entity's column, unless it was their own
    // before.
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
