import CoreData

/// The migration of one table of the new schema: an old table with other columns, or a new table.
struct TableChange {
  let table: StoreSchema.Table
  /// The old table that is kept; nil for a new table.
  let keptTable: StoreSchema.Table?
  /// The old table that all rows come from; nil if there is none.
  private let oldTable: StoreSchema.Table?
  /// The entities of the table that existed before.
  private let members: [EntityMigration]

  /// The changes of all tables. If an old table is split, the new table of its root keeps it, or
  /// else the first one.
  static func all(of migration: SchemaChange) -> [TableChange] {
    let new = migration.newSchema.tables
    let tables = new.map { table in
      migration.entities.filter { $0.new.table == table.name && $0.old != nil }
    }
    var heirs: [String: Int] = [:]
    for (index, members) in tables.enumerated() {
      for old in members.compactMap(\.old) {
        let isRoot = old.entityNumber == old.rootEntityNumber
        if heirs[old.table] == nil || isRoot { heirs[old.table] = index }
      }
    }
    return new.indices.map { index in
      let name = tables[index].lazy.compactMap { $0.old?.table }.first
      let old = migration.oldSchema.tables.first { $0.name == name }
      let isKept = name.flatMap { heirs[$0] } == index
      return TableChange(
        table: new[index], keptTable: isKept ? old : nil, oldTable: old, members: tables[index])
    }
  }

  private var quoted: String { SchemaNames.quoted(table.name) }

  private var oldNumbers: String {
    members.compactMap { $0.old?.entityNumber }.sorted().map(String.init).joined(separator: ", ")
  }

  // MARK: - Sources of columns

  private enum Column {
    /// An old column that is kept, with a replacement for null.
    case kept(String, filling: SQLFragment?)
    case computed(SQLFragment)
    /// A new column whose default is the value of all rows.
    case defaulted(SQLFragment)
    case empty
  }

  private func columns(_ migration: SchemaChange) throws -> [(name: String, from: Column)] {
    let sources = try members.map { ($0, try migration.sources(of: $0)) }
    var free = Set(keptTable?.columns.map(\.name) ?? [])
    return table.columns.map { column in
      let own = sources.map { ($0.0, $0.1[column.name]) }
      guard let first = own.lazy.compactMap(\.1).first else { return (column.name, .empty) }
      let isUniform = own.allSatisfy { $0.1 == nil || $0.1 == first }
      switch first {
      case .column(let old)
      where isUniform && stays(old, column: column) && free.remove(old) != nil:
        return (column.name, .kept(old, filling: nil))
      case .filled(let old, let value)
      where isUniform && stays(old, column: column) && free.remove(old) != nil:
        return (column.name, .kept(old, filling: value))
      case .constant(nil) where isUniform: return (column.name, .empty)
      case .constant(let value?) where isUniform && column.defaultValue != nil:
        return (column.name, .defaulted(value))
      default: return (column.name, .computed(value(column, sources: own)))
      }
    }
  }

  private func stays(_ old: String, column: StoreSchema.Column) -> Bool {
    keptTable?.columns.contains { $0.name == old && $0.declaration == column.declaration } ?? false
  }

  /// The value of a column for the rows of all entities.
  private func value(
    _ column: StoreSchema.Column, sources: [(EntityMigration, ColumnSource?)]
  ) -> SQLFragment {
    let type = column.declaration.components(separatedBy: " COLLATE")[0]
    let cases = sources.compactMap { entity, source -> SQLFragment? in
      guard let old = entity.old, let source else { return nil }
      let value = source.fragment(.postgreSQL)
      return "WHEN \(raw: "\(old.entityNumber)") THEN CAST(\(value) AS \(raw: type))"
    }
    let entity = SchemaNames.quoted(SchemaNames.entity)
    return "CASE \(raw: entity) \(cases.joined(separator: " ")) END"
  }

  // MARK: - Step 2: computing

  /// Computes new content from the old tables, all of which still exist with all their columns.
  func compute(_ migration: SchemaChange) throws {
    guard keptTable != nil else { return try make(migration) }
    try dropIndexes(migration)
    let computed = try columns(migration).enumerated().compactMap { index, column in
      if case .computed(let value) = column.from { (index, value) } else { nil }
    }
    guard !computed.isEmpty, let keptTable else { return }
    let name = migration.currentName(keptTable.name)
    for (index, _) in computed {
      try migration.connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \(Self.aside(index)) \(table.columns[index].declaration)")
    }
    let sets = computed.map { index, value -> SQLFragment in
      "\(raw: Self.aside(index)) = \(value)"
    }
    try migration.execute(
      """
      UPDATE \(raw: name) SET \(sets.joined(separator: ", ")) \
      WHERE \(raw: SchemaNames.quoted(SchemaNames.entity)) IN (\(raw: oldNumbers))
      """)
  }

  private static func aside(_ column: Int) -> String {
    SchemaNames.quoted("\(SchemaNames.aside)\(column)")
  }

  private func make(_ migration: SchemaChange) throws {
    for statement in table.creation { try migration.connection.execute(statement) }
    guard let oldTable, !members.isEmpty else { return }
    let quoted = SchemaNames.quoted
    // Moved rows keep their keys, so the new sequence continues the old one.
    try migration.connection.query(
      "SELECT setval($1::text::regclass, nextval($2::text::regclass))",
      parameters: [.text(quoted(table.sequence)), .text(migration.currentName(oldTable.sequence))])
    let columns = try columns(migration)
    let own = [SchemaNames.key, SchemaNames.version, SchemaNames.entity].map(quoted)
    let values = columns.map { _, source -> SQLFragment in
      switch source {
      case .computed(let value), .defaulted(let value): value
      case .kept, .empty: "NULL"
      }
    }
    let names = (own + columns.map { quoted($0.name) }).joined(separator: ", ")
    let selected = (own.map { SQLFragment(text: $0) } + values).joined(separator: ", ")
    try migration.execute(
      """
      INSERT INTO \(raw: self.quoted) (\(raw: names)) SELECT \(selected) \
      FROM \(raw: migration.currentName(oldTable.name)) \
      WHERE \(raw: quoted(SchemaNames.entity)) IN (\(raw: oldNumbers))
      """)
  }

  // MARK: - Step 3: renaming

  /// Turns the kept table into the new one: removes rows, changes columns, renames.
  func settle(_ migration: SchemaChange) throws {
    guard let keptTable else { return }
    let (connection, quoted) = (migration.connection, SchemaNames.quoted)
    let name = migration.currentName(keptTable.name)
    let kept = members.compactMap { $0.old?.entityNumber }
    let all = migration.old.allEntities.filter { $0.table == keptTable.name }.map(\.entityNumber)
    if !Set(all).subtracting(kept).isEmpty {
      try connection.execute(
        "DELETE FROM \(name) WHERE \(quoted(SchemaNames.entity)) NOT IN (\(oldNumbers))")
    }
    let columns = try columns(migration)
    try fill(columns, of: name, migration: migration)
    let staying = Set(
      columns.compactMap { if case .kept(let old, _) = $0.from { old } else { nil } })
    for column in keptTable.columns where !staying.contains(column.name) {
      try connection.execute("ALTER TABLE \(name) DROP COLUMN \(quoted(column.name))")
    }
    // Through temporary names, since columns may exchange their names.
    for (index, column) in columns.enumerated() {
      if case .kept(let old, _) = column.from, old != column.name {
        try connection.execute(
          "ALTER TABLE \(name) RENAME COLUMN \(quoted(old)) TO \(Self.aside(index))")
      }
    }
    for (index, column) in columns.enumerated() {
      switch column.from {
      case .kept(let old, _) where old == column.name: break
      case .kept, .computed:
        try connection.execute(
          "ALTER TABLE \(name) RENAME COLUMN \(Self.aside(index)) TO \(quoted(column.name))")
      case .defaulted, .empty:
        try connection.execute(
          "ALTER TABLE \(name) ADD COLUMN \(table.columns[index].definition)")
      }
    }
    try setDefaults(of: name, connection)
    try connection.execute("ALTER TABLE \(name) RENAME TO \(self.quoted)")
    let sequence = migration.currentName(keptTable.sequence)
    try connection.execute("ALTER SEQUENCE \(sequence) RENAME TO \(quoted(table.sequence))")
  }

  /// Sets the defaults of the new model on kept columns.
  private func setDefaults(of name: String, _ connection: PostgreSQLConnection) throws {
    let changes = table.columns.map { column in
      "ALTER COLUMN \(SchemaNames.quoted(column.name)) "
        + (column.defaultValue.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT")
    }
    guard !changes.isEmpty else { return }
    try connection.execute("ALTER TABLE \(name) \(changes.joined(separator: ", "))")
  }

  /// Fills null in kept columns, and clears them for entities that have lost the property while
  /// others of the tree keep it.
  private func fill(
    _ columns: [(name: String, from: Column)], of name: String, migration: SchemaChange
  ) throws {
    let quoted = SchemaNames.quoted
    for member in members {
      guard let number = member.old?.entityNumber else { continue }
      let own = try migration.sources(of: member)
      for (column, source) in columns {
        guard case .kept(let old, let filling) = source else { continue }
        let row = "\(quoted(SchemaNames.entity)) = \(number)"
        if own[column] == nil, member.oldColumns.contains(old.uppercased()) {
          try migration.connection.execute(
            "UPDATE \(name) SET \(quoted(old)) = NULL WHERE \(row)")
        } else if own[column] != nil, let filling {
          try migration.execute(
            """
            UPDATE \(raw: name) SET \(raw: quoted(old)) = \(filling) \
            WHERE \(raw: row) AND \(raw: quoted(old)) IS NULL
            """)
        }
      }
    }
  }

  // MARK: - Indexes

  /// Returns whether the kept table already has the required indexes, on columns that are kept
  /// under their names.
  private func keepsIndexes(_ migration: SchemaChange) throws -> Bool {
    guard let keptTable, keptTable.indexes == table.indexes else { return false }
    let names = Set(keptTable.columns.map(\.name))
    return try columns(migration).allSatisfy { column in
      guard names.contains(column.name) else { return true }
      if case .kept(let old, _) = column.from { return old == column.name }
      return false
    }
  }

  /// Drops the indexes of a table whose columns change.
  private func dropIndexes(_ migration: SchemaChange) throws {
    guard let keptTable, try !keepsIndexes(migration) else { return }
    let result = try migration.connection.query(
      "SELECT indexrelid::regclass::text FROM pg_index "
        + "WHERE indrelid = $1::text::regclass AND NOT indisprimary",
      parameters: [.text(migration.currentName(keptTable.name))])
    for line in 0..<result.count {
      try migration.connection.execute("DROP INDEX \(result.text(line, column: 0))")
    }
  }

  func makeIndexes(_ migration: SchemaChange) throws {
    guard try !keepsIndexes(migration) else { return }
    for statement in table.indexes { try migration.connection.execute(statement) }
  }
}
