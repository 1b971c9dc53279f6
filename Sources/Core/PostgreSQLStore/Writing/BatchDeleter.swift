import CoreData

/// Deletes rows and applies their delete rules, set by set:
///
///     rows of the request ─cascade→ more rows, until there are none
///     ─deny→ an error if a destination stays   ─delete→ all of them, and their rows of join tables
///     ─nullify→ foreign keys of rows that stay; an error if one is mandatory
///
/// Used by one thread, in the transaction of the deletion.
struct BatchDeleter {
  private let contents: StoreContents
  private let connection: PostgreSQLConnection
  /// The keys to delete, by the root entity of their tree.
  private var doomed: [Int: Set<Int64>] = [:]
  /// The rows to delete, in the order in which they were found.
  private(set) var groups: [RowGroup] = []
  private var change = ChangedRows()

  init(_ contents: StoreContents, connection: PostgreSQLConnection) {
    self.contents = contents
    self.connection = connection
  }

  mutating func run(_ rows: [Row]) throws {
    var found: [RowGroup] = []
    for row in rows { found.add(row.packed.key, layout: row.layout) }
    add(found)
    var next = 0
    while next < groups.count {
      try cascade(groups[next])
      next += 1
    }
    for group in groups { try checkDenials(group) }
    change.deleted = groups
    let derived = contents.schema.derived
    _ = try connection.results(of: derived.before(change))
    for group in groups { try delete(group) }
    for group in groups { try nullify(group) }
    try derived.after(change, connection: connection)
  }

  private mutating func add(_ found: [RowGroup]) {
    for group in found {
      let new = group.keys.filter {
        doomed[group.layout.rootNumber, default: []].insert($0).inserted
      }
      if !new.isEmpty { groups.append(RowGroup(layout: group.layout, keys: new)) }
    }
  }

  // MARK: - Rules

  private static func relationships(
    _ layout: EntityLayout, rule: NSDeleteRule
  ) -> [NSRelationshipDescription] {
    layout.entity.relationshipsByName.values
      .filter { $0.deleteRule == rule && !$0.isTransient }.sorted { $0.name < $1.name }
  }

  private mutating func cascade(_ group: RowGroup) throws {
    for relationship in Self.relationships(group.layout, rule: .cascadeDeleteRule) {
      add(try members(of: relationship, group))
    }
  }

  private func checkDenials(_ group: RowGroup) throws {
    for relationship in Self.relationships(group.layout, rule: .denyDeleteRule) {
      let members = try members(of: relationship, group)
      guard
        members.contains(where: { group in
          !group.keys.allSatisfy { isDoomed($0, layout: group.layout) }
        })
      else { continue }
      throw CoreDataError.validation(
        .validationRelationshipDeniedDelete, object: nil, key: relationship.name)
    }
  }

  private func isDoomed(_ key: Int64, layout: EntityLayout) -> Bool {
    doomed[layout.rootNumber]?.contains(key) ?? false
  }

  private func delete(_ group: RowGroup) throws {
    for statement in try contents.notes?.deletions(group.layout, keys: group.keys) ?? [] {
      try connection.query(statement)
    }
    let table = SchemaNames.quoted(try contents.schema.entity(group.layout).table)
    try run("DELETE FROM \(table) WHERE \(SchemaNames.quoted(SchemaNames.key))", keys: group.keys)
    for sql in try ChangeWriter.releases(group.layout, schema: contents.schema) {
      try run(sql, keys: group.keys)
    }
  }

  private mutating func nullify(_ group: RowGroup) throws {
    for rule in [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule] {
      for relationship in Self.relationships(group.layout, rule: rule) {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { continue }
        try nullify(inverse, keys: group.keys)
      }
    }
  }

  /// Clears the foreign keys of remaining rows that refer to deleted rows.
  private mutating func nullify(
    _ inverse: NSRelationshipDescription, keys: [Int64]
  ) throws {
    let layout = inverse.entity.layout
    let entity = try contents.schema.entity(layout)
    guard let slot = layout.slot(of: inverse), let column = entity.columns[slot] else { return }
    let quoted = SchemaNames.quoted
    let version = quoted(SchemaNames.version)
    let sets =
      ["\(version) = \(version) + 1"]
      + [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
      .map { "\(quoted($0)) = NULL" }
    let result = try connection.query(
      "UPDATE \(quoted(entity.table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(quoted(column.name)) = ANY($1) "
        + "RETURNING \(quoted(SchemaNames.entity)), \(quoted(SchemaNames.key))",
      parameters: [.integers(keys)])
    let changed = (0..<result.count).map { line in
      (
        contents.schema.mapping.layout(entityNumber: result.integer(line, column: 0)) ?? layout,
        result.integer(line, column: 1)
      )
    }
    for (layout, key) in changed { change.add(key, layout: layout, slots: [slot]) }
    let notes = contents.notes?.changes(
      .update, objects: changed, properties: HistoryNotes.properties(layout, slots: [slot]))
    for statement in notes ?? [] { try connection.query(statement) }
    guard result.count > 0, !inverse.isOptional else { return }
    throw CoreDataError.make(
      .managedObjectConstraintMerge,
      reason: "Constraint trigger violation: Batch delete failed due to mandatory OTM nullify "
        + "inverse on \(layout.entity.name ?? "")/\(inverse.name)")
  }

  // MARK: - Statements

  @discardableResult
  private func run(_ start: String, keys: [Int64]) throws -> Int {
    try connection.query("\(start) = ANY($1)", parameters: [.integers(keys)]).affected
  }

  private func members(
    of relationship: NSRelationshipDescription, _ group: RowGroup
  ) throws -> [RowGroup] {
    guard let destination = relationship.destinationEntity?.layout else { return [] }
    var groups: [RowGroup] = []
    if relationship.isToMany {
      let query = try MemberQuery(relationship, schema: contents.schema)
      for found in try query.members(group.keys, contents: contents, connection: connection).values
      {
        for identity in found { groups.add(identity.packed.key, layout: identity.layout) }
      }
      return groups
    }
    let owner = try contents.schema.entity(group.layout)
    guard let slot = group.layout.slot(of: relationship), let column = owner.columns[slot] else {
      return []
    }
    let quoted = SchemaNames.quoted
    let kind =
      column.entityColumn.map(quoted)
      ?? "\(contents.schema.mapping[destination]?.entityNumber ?? 0)"
    let result = try connection.query(
      "SELECT \(kind), \(quoted(column.name)) FROM \(quoted(owner.table)) "
        + "WHERE \(quoted(column.name)) IS NOT NULL AND \(quoted(SchemaNames.key)) = ANY($1)",
      parameters: [.integers(group.keys)])
    for line in 0..<result.count {
      let layout = contents.schema.mapping.layout(entityNumber: result.integer(line, column: 0))
      groups.add(result.integer(line, column: 1), layout: layout ?? destination)
    }
    return groups
  }
}
