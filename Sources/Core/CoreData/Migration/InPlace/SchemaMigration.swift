import Foundation

/// Migrates the tables of a store from one version of its model to another, inside a transaction.
///
///     keep      the table stays; columns are added, rows of removed entities are deleted
///     rebuild   a new table is filled from the old one by one INSERT … SELECT
///
/// Old tables that are not kept are renamed to `Z_OLD_<n>` first, so that tables can swap names.
/// Keys (`Z_PK`) stay, so that object IDs stay valid.
struct SchemaMigration: MigrationInSQL {
  let connection: SQLiteConnection
  let match: ModelMatch
  /// The old schema of the file.
  let old: SQLMapping
  let oldLayouts: [EntityLayout]
  /// The new schema of the file.
  let new: SQLMapping
  let schema: SQLSchema
  let builder: SQLSchemaBuilder
  let entities: [EntityMigration]
  /// Whether unused columns may stay for now.
  let defersRemoval: Bool
  let codec: (EntityLayout.Slot) -> SlotCodec
  let files: ExternalFiles?
  /// Current names of old tables.
  var currentNames: [String: String] = [:]
  var progress = MigrationProgress.Part(progress: nil)

  init(
    connection: SQLiteConnection, match: ModelMatch, old: SQLMapping, oldLayouts: [EntityLayout],
    newLayouts: [EntityLayout], files: ExternalFiles?, defersRemoval: Bool
  ) throws {
    self.connection = connection
    self.match = match
    self.old = old
    self.oldLayouts = oldLayouts
    self.defersRemoval = defersRemoval
    builder = try SQLSchemaBuilder(
      layouts: newLayouts, numbers: StoreCreation.numbers(newLayouts))
    schema = try builder.schema()
    new = builder.mapping()
    let mapping = new
    entities = mapping.allEntities.map { EntityMigration($0, match: match, old: old) }
    self.files = files
    codec = { SlotCodec($0, files: files) }
  }

  /// Migrates all tables. Returns whether unused columns were left.
  mutating func run() throws -> Bool {
    try ChangedTypes(self).check()
    try dropTriggers()
    try dropPartialIndexes()
    let tables = try schema.tables.map { try TableMigration($0, in: self) }
    let joins = try joinMigrations()
    try putAside(tables, joins: joins)
    try inlineExternalData()
    // The steps after the tables take about as long as two tables.
    let total = tables.count + joins.count + 2
    for (index, table) in tables.enumerated() {
      try table.run(self)
      progress.report(Double(index + 1) / Double(total))
    }
    for join in joins { try join.run(self) }
    progress.report(Double(total - 2) / Double(total))
    try DanglingReferences(self).remove()
    try numberPositions()
    try dropOldTables()
    try makeIndexes()
    progress.report(Double(total - 1) / Double(total))
    try DerivedValues(migration: self).compute()
    try MandatoryValues(self).check()
    try writePrimaryKeys()
    return tables.contains(where: \.leavesColumns)
  }

  var dialect: SQLDialect { .sqlite }

  func execute(_ fragment: SQLFragment) throws {
    let (sql, values) = fragment.rendered(.sqlite)
    try connection.withStatement(sql) { statement in
      statement.bind(values)
      try statement.run()
    }
  }

  func finds(_ query: SQLFragment) throws -> Bool {
    let (sql, values) = query.rendered(.sqlite)
    return try connection.withStatement(sql) { statement in
      statement.bind(values)
      return try statement.step()
    }
  }

  func count(_ query: SQLFragment) throws -> Int {
    let (sql, values) = query.rendered(.sqlite)
    return try connection.withStatement(sql) { statement in
      statement.bind(values)
      return try statement.step() ? Int(statement.integer(0)) : 0
    }
  }

  func converted(_ column: SQLFragment, by change: TypeChange) -> SQLFragment? {
    switch change.new {
    case _ where change.keepsText || change.isBetweenIntegers || change.isFromBooleanToInteger: nil
    case .booleanAttributeType: "(\(column) <> 0)"
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      "CAST(\(column) AS INTEGER)"
    case .floatAttributeType: "\(raw: SQLFunction.float)(\(column))"
    case .doubleAttributeType: "CAST(\(column) AS REAL)"
    // The affinity of the column converts other values.
    default: "(\(column))"
    }
  }

  func isMarked(_ slot: EntityLayout.Slot) -> Bool {
    (slot.property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage ?? false
  }

  func defaultValue(
    of slot: EntityLayout.Slot, _ column: ColumnMapping
  ) throws -> SQLFragment? {
    try value(of: slot, column).map { SQLFragment($0) }
  }

  private func value(
    of slot: EntityLayout.Slot, _ column: ColumnMapping
  ) throws -> SQLValue? {
    switch slot.defaultValue {
    case .null, .identity: return nil
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value): return .text(value)
    case .data(let value): return .data(codec(slot).marked(value))
    case .object(let object):
      switch (column.kind, object) {
      case (.decimal, let number as NSNumber):
        let text = number.decimalValue.description
        return Int64(text).map { .integer($0) } ?? .real(Double(text) ?? number.doubleValue)
      case (.uri, let url as NSURL): return .text(url.absoluteString)
      case (.uuid, let uuid as NSUUID):
        var bytes = (uuid as UUID).uuid
        return .data(withUnsafeBytes(of: &bytes) { Data($0) })
      default: return .data(try codec(slot).encoded(object))
      }
    }
  }

  // MARK: - Old tables

  func currentName(_ table: String) -> String {
    SQLIdentifier.quoted(currentNames[table] ?? table)
  }

  private mutating func putAside(_ tables: [TableMigration], joins: [JoinMigration]) throws {
    let kept = Dictionary(
      tables.compactMap { table in table.keptTable.map { ($0, table.name) } },
      uniquingKeysWith: { first, _ in first })
    let keptJoins = Set(joins.filter(\.isKept).map { $0.table.name.uppercased() })
    let oldTables =
      Set(old.allEntities.map(\.table)).sorted() + Set(old.joins.values.map(\.table)).sorted()
    for (number, table) in oldTables.enumerated()
    where kept[table] != table && !keptJoins.contains(table.uppercased()) {
      let aside = "Z_OLD_\(number)"
      try connection.execute(
        "ALTER TABLE \(SQLIdentifier.quoted(table)) RENAME TO \(SQLIdentifier.quoted(aside))")
      currentNames[table] = aside
    }
    for (table, name) in kept.sorted(by: { $0.key < $1.key }) where table != name {
      try connection.execute(
        "ALTER TABLE \(currentName(table)) RENAME TO \(SQLIdentifier.quoted(name))")
      currentNames[table] = name
    }
  }

  private func dropOldTables() throws {
    for name in currentNames.values.sorted() where name.hasPrefix("Z_OLD_") {
      try connection.execute("DROP TABLE \(SQLIdentifier.quoted(name))")
    }
  }

  // MARK: - Indexes and triggers

  private func texts(_ sql: String) throws -> [(String, String)] {
    try connection.withStatement(sql) { statement in
      var found: [(String, String)] = []
      while try statement.step() {
        found.append((statement.text(0) ?? "", statement.text(1) ?? ""))
      }
      return found
    }
  }

  /// Drops triggers and R-trees, which would be updated for every row.
  private func dropTriggers() throws {
    let triggers = try texts(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'Z\\_%' ESCAPE '\\'"
    )
    for (name, _) in triggers {
      try connection.execute("DROP TRIGGER \(SQLIdentifier.quoted(name))")
    }
    let trees = try texts(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' "
        + "AND name LIKE 'Z\\_RT\\_%' ESCAPE '\\'")
    for (name, _) in trees { try connection.execute("DROP TABLE \(SQLIdentifier.quoted(name))") }
  }

  /// Drops partial indexes: their conditions may contain the name of a table that is renamed.
  private func dropPartialIndexes() throws {
    let indexes = try texts(
      "SELECT m.name, m.sql FROM sqlite_master m JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name "
        + "WHERE m.type = 'index' AND m.tbl_name LIKE 'Z%' AND l.partial")
    for (name, _) in indexes {
      try connection.execute("DROP INDEX \(SQLIdentifier.quoted(name))")
    }
  }

  /// Makes the indexes, except those of kept tables that already match.
  private func makeIndexes() throws {
    let wanted = schema.tables.flatMap(\.indexes)
    let found = try texts(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
        + "AND tbl_name LIKE 'Z%'")
    let known = Set(wanted)
    for (name, sql) in found where !known.contains(sql) {
      try connection.execute("DROP INDEX \(SQLIdentifier.quoted(name))")
    }
    let existing = Set(found.map(\.1))
    for statement in wanted where !existing.contains(statement) {
      try connection.execute(statement)
    }
    for tree in try builder.entities.flatMap(builder.searchTrees) {
      try connection.execute(tree.filling)
    }
    for trigger in schema.tables.flatMap(\.triggers) { try connection.execute(trigger) }
  }

  // MARK: - Numbers

  private func writePrimaryKeys() throws {
    var last: [Int: Int64] = [:]
    try connection.withStatement("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY") {
      while try $0.step() { last[Int($0.integer(0))] = $0.integer(1) }
    }
    let rows = entities.map { entity -> (EntityMapping, Int64, Int) in
      let isRoot = entity.new.entityNumber == entity.new.rootEntityNumber
      // Rows that left a hierarchy keep their keys, so the new root continues from the old root's
      // last key.
      let roots = entities.filter { $0.new.rootEntityNumber == entity.new.entityNumber }
      let largest = roots.compactMap { $0.old.flatMap { last[$0.rootEntityNumber] } }.max() ?? 0
      let parent = entity.new.layout.entity.superentity.flatMap { new[$0.layout]?.entityNumber }
      return (entity.new, isRoot ? largest : 0, parent ?? 0)
    }
    try connection.execute(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(HistorySchema.changeEntity)")
    let sql = "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)"
    try connection.withStatement(sql) { statement in
      for (entity, largest, parent) in rows.sorted(by: { $0.0.entityNumber < $1.0.entityNumber }) {
        statement.bind(Int64(entity.entityNumber), at: 1)
        statement.bind(entity.layout.entity.name ?? "", at: 2)
        statement.bind(Int64(parent), at: 3)
        statement.bind(largest, at: 4)
        try statement.run()
      }
    }
  }
}
