import CoreData

/// Migrates the tables of a store from one version of its model to another, in a transaction.
///
///     1  old tables are renamed to _coredata_old_<n>, so that names can be exchanged
///     2  new content is computed from old tables only: new tables, new columns of kept tables
///     3  unused tables are dropped, and kept tables get their new names
///     4  dangling references, positions, indexes, validation of the new model, history
///
/// A table is kept if its rows are: columns that only change their names cost nothing, for any
/// number of rows. Entities keep their numbers.
struct SchemaChange: MigrationInSQL {
  let connection: PostgreSQLConnection
  let match: ModelMatch
  let oldSchema: StoreSchema
  let newSchema: StoreSchema
  let entities: [EntityMigration]
  private let layouts: [EntityLayout]
  private let numbers: [Int: Int]
  private let progress: MigrationProgress.Part
  private var currentNames: [String: String] = [:]

  var old: SQLMapping { oldSchema.mapping }
  var new: SQLMapping { newSchema.mapping }
  var dialect: SQLDialect { .postgreSQL }

  init(
    _ connection: PostgreSQLConnection, stop: MigrationStop, progress: MigrationProgress.Part
  ) throws {
    self.connection = connection
    self.progress = progress
    match = stop.match
    layouts = stop.layouts
    let stored = try StoreTables.numbers(connection)
    let oldLayouts = match.source.entityLayouts()
    oldSchema = try Self.schema(
      oldLayouts,
      numbers: oldLayouts.reduce(into: [:]) { $0[$1.number] = stored[$1.entity.name ?? ""] })
    numbers = Self.numbers(of: stop.layouts, match, stored: stored)
    newSchema = try Self.schema(stop.layouts, numbers: numbers)
    let (match, mapping) = (match, oldSchema.mapping)
    entities = newSchema.mapping.allEntities.map {
      EntityMigration($0, match: match, old: mapping)
    }
  }

  private static func schema(
    _ layouts: [EntityLayout], numbers: [Int: Int]
  ) throws -> StoreSchema {
    var builder = SchemaBuilder(layouts: layouts, numbers: numbers)
    return try builder.build()
  }

  /// The entities' numbers: existing entities keep theirs, others get new ones.
  private static func numbers(
    of layouts: [EntityLayout], _ match: ModelMatch, stored: [String: Int]
  ) -> [Int: Int] {
    var last = stored.values.max() ?? 0
    return layouts.reduce(into: [:]) { numbers, layout in
      let old = match.source(of: layout.entity).flatMap { stored[$0.name ?? ""] }
      if old == nil { last += 1 }
      numbers[layout.number] = old ?? last
    }
  }

  // MARK: - Requirements of MigrationInSQL

  func currentName(_ table: String) -> String { SchemaNames.quoted(currentNames[table] ?? table) }

  func execute(_ statement: SQLFragment) throws { _ = try results(statement) }

  func finds(_ query: SQLFragment) throws -> Bool { try results(query).count > 0 }

  func count(_ query: SQLFragment) throws -> Int {
    let result = try results(query)
    return result.count == 0 ? 0 : Int(result.integer(0, column: 0))
  }

  /// The expression converted to the new type, without the final cast, which the caller adds; nil
  /// if the cast alone is enough.
  func converted(_ column: SQLFragment, by change: TypeChange) -> SQLFragment? {
    if change.keepsText || change.isBetweenIntegers { return nil }
    let number: SQLFragment =
      change.old == .booleanAttributeType
      ? "CASE WHEN \(column) THEN 1 WHEN NOT \(column) THEN 0 END" : column
    return switch change.new {
    case .booleanAttributeType: "((\(number)) <> 0)"
    case .floatAttributeType: "CAST(\(number) AS real)"
    case .decimalAttributeType: "(\(number))::text::numeric"
    default: change.isToInteger ? "trunc(\(number))" : number
    }
  }

  private func results(_ statement: SQLFragment) throws -> QueryResult {
    let (sql, values) = statement.rendered(dialect)
    return try connection.query(sql, parameters: values.map { PostgreSQLParameter($0) })
  }

  func isMarked(_ slot: EntityLayout.Slot) -> Bool { false }

  // MARK: - Steps

  mutating func run() throws {
    let tables = TableChange.all(of: self)
    let joins = JoinChange.all(of: self)
    try lockTables()
    try ChangedTypes(self).check()
    try putAside(tables, joins: joins)
    for (index, table) in tables.enumerated() {
      try table.compute(self)
      progress.report(Double(index + 1) / Double(tables.count + 2))
      try progress.checkCancelled()
    }
    for join in joins { try join.run(self) }
    for table in tables { try table.settle(self) }
    try dropOldTables(tables, joins: joins)
    try DanglingReferences(self).remove()
    try numberPositions()
    try newSchema.derived.computeAll(connection) { attribute in
      let old = match.source(of: attribute.entity)?.attributesByName[attribute.name]
      return (old as? NSDerivedAttributeDescription)?.derivationExpression
        != attribute.derivationExpression
    }
    for table in tables { try table.makeIndexes(self) }
    progress.report(Double(tables.count + 1) / Double(tables.count + 2))
    try MandatoryValues(self).check()
    try HistoryChange(migration: self).run()
    try writeEntities()
    try writeObjects()
  }

  /// Locks all tables, so that no other transaction writes rows that would be lost with an old
  /// table.
  private func lockTables() throws {
    let names = oldSchema.objects.filter { $0.kind == "TABLE" }.map {
      SchemaNames.quoted($0.name)
    }
    guard !names.isEmpty else { return }
    try connection.execute(
      "LOCK TABLE \(names.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
  }

  private mutating func putAside(_ tables: [TableChange], joins: [JoinChange]) throws {
    for (number, object) in oldSchema.objects.enumerated() {
      let aside = "\(SchemaNames.aside)\(number)"
      try connection.execute(
        "ALTER \(object.kind) \(SchemaNames.quoted(object.name)) "
          + "RENAME TO \(SchemaNames.quoted(aside))")
      currentNames[object.name] = aside
    }
    for join in joins {
      guard let old = join.keptTable else { continue }
      try connection.execute(
        "ALTER TABLE \(currentName(old)) RENAME TO \(SchemaNames.quoted(join.table.name))")
      currentNames[old] = join.table.name
    }
  }

  private func dropOldTables(_ tables: [TableChange], joins: [JoinChange]) throws {
    let kept = Set(
      tables.compactMap(\.keptTable).flatMap { [$0.name, $0.sequence] }
        + joins.compactMap(\.keptTable))
    for object in oldSchema.objects where !kept.contains(object.name) {
      try connection.execute("DROP \(object.kind) \(currentName(object.name))")
    }
  }

  // MARK: - Bookkeeping

  private func writeEntities() throws {
    try connection.execute("DELETE FROM \(SchemaNames.entities)")
    for layout in layouts {
      guard let number = numbers[layout.number] else { continue }
      try connection.query(StoreTables.insertion(ofEntity: layout, number: number))
    }
  }

  private func writeObjects() throws {
    for object in oldSchema.objects {
      try connection.query(
        "DELETE FROM \(SchemaNames.objects) WHERE kind = $1 AND name = $2",
        parameters: [.text(object.kind), .text(object.name)])
    }
    for object in newSchema.objects {
      try connection.query(StoreTables.insertion(ofObject: object.kind, object.name))
    }
  }
}

extension SchemaNames {
  /// Prefix of the temporary names of old tables, sequences and columns during a migration.
  static let aside = "_coredata_old_"
}
