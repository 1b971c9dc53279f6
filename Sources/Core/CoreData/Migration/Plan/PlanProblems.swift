/// Finds the reasons in a store's file for which a migration in place would fail. Only reads the
/// file.
struct PlanProblems {
  let connection: SQLiteConnection
  /// A migration that is not run.
  let migration: SchemaMigration

  typealias Problem = StoreMigrationPlan.Problem

  func find() throws -> [Problem] { try changedTypes() + missingValues() + duplicates() }

  // MARK: - Types

  private func changedTypes() throws -> [Problem] {
    try ChangedTypes(migration).misfits().map {
      Problem(
        code: NSMigrationError, entity: $0.entity, property: $0.attribute, objects: $0.objects,
        reason: $0.reason)
    }
  }

  // MARK: - Mandatory values

  private func missingValues() throws -> [Problem] {
    try MandatoryValues(migration).demands.compactMap { demand in
      guard let old = demand.entity.old else { return nil }
      let sources = try migration.sources(of: demand.entity)
      let isMissing = demand.isMissing { slot in
        demand.entity.new.columns[slot].flatMap { sources[$0.name]?.fragment(.sqlite) }
          ?? "NULL"
      }
      let count = try integer(
        """
        SELECT count(*) FROM \(raw: SQLIdentifier.quoted(old.table)) \
        WHERE Z_ENT = \(raw: "\(old.entityNumber)") AND \(isMissing)
        """)
      guard count > 0 else { return nil }
      return Problem(
        code: NSMigrationError, entity: demand.entity.new.layout.entity.name,
        property: demand.name, objects: count, reason: demand.reason)
    }
  }

  // MARK: - Uniqueness

  private func duplicates() throws -> [Problem] {
    try migration.entities.flatMap { entity -> [Problem] in
      let description = entity.new.layout.entity
      return try description.uniquenessConstraintNames.compactMap { names -> Problem? in
        let count = try objects(sharing: names, entity)
        guard count > 0 else { return nil }
        return Problem(
          code: NSMigrationConstraintViolationError, entity: description.name,
          property: names.joined(separator: ", "), objects: count,
          reason: "these have values that the uniqueness constraint allows once")
      }
    }
  }

  /// The number of rows of the entity's table that would share their values with another row. The
  /// index of the constraint covers the whole table.
  private func objects(sharing names: [String], _ entity: EntityMigration) throws -> Int {
    let columns = names.compactMap { name in
      entity.new.layout.slot(of: name).flatMap { entity.new.columns[$0]?.name }
    }
    guard columns.count == names.count else { return 0 }
    let rows = try migration.entities.filter { $0.new.table == entity.new.table }
      .compactMap { try values(columns, of: $0) }
    guard !rows.isEmpty else { return 0 }
    let numbers = columns.indices.map { "V\($0)" }
    return try integer(
      """
      SELECT total(n) FROM (SELECT count(*) AS n FROM (\(rows.joined(separator: " UNION ALL "))) \
      WHERE \(raw: numbers.map { "\($0) NOT NULL" }.joined(separator: " AND ")) \
      GROUP BY \(raw: numbers.joined(separator: ", ")) HAVING count(*) > 1)
      """)
  }

  /// SQL for the new values of the columns in the rows of one entity; nil for an entity without
  /// rows or without some of the columns.
  private func values(_ columns: [String], of entity: EntityMigration) throws -> SQLFragment? {
    guard let old = entity.old else { return nil }
    let sources = try migration.sources(of: entity)
    let values = columns.enumerated().compactMap { index, column in
      sources[column].map { "(\($0.fragment(.sqlite))) AS \(raw: "V\(index)")" as SQLFragment }
    }
    guard values.count == columns.count else { return nil }
    return """
      SELECT \(values.joined(separator: ", ")) FROM \(raw: SQLIdentifier.quoted(old.table)) \
      WHERE Z_ENT = \(raw: "\(old.entityNumber)")
      """
  }

  private func integer(_ fragment: SQLFragment) throws -> Int {
    let (sql, values) = fragment.rendered(.sqlite)
    return try connection.withStatement(sql) { statement in
      statement.bind(values)
      return try statement.step() ? Int(statement.integer(0)) : 0
    }
  }
}
