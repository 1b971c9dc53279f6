/// Deletes rows and applies the delete rules, set by set:
///
///     rows of the request ─cascade→ more rows, until there are none
///     ─deny→ an error if a member stays        ─delete→ all of them, and their rows of join tables
///     ─nullify→ foreign keys of rows that stay; an error if one is mandatory
///
/// Used by one thread, inside of the deletion's transaction.
struct BatchDeleteWriter {
  private let store: SQLiteStore
  private let contents: StoreContents
  private let connection: SQLiteConnection
  private let history: HistoryWriter?
  /// The keys of the rows to delete, by the root of their entity tree, which shares keys.
  private var doomed: [Int: Set<Int64>] = [:]
  /// The rows to delete in the order in which they were found, grouped by entity.
  private var groups: [(layout: EntityLayout, keys: [Int64])] = []

  init(_ store: SQLiteStore, contents: StoreContents, connection: SQLiteConnection) {
    self.store = store
    self.contents = contents
    self.connection = connection
    history = contents.historyWriter(connection)
  }

  mutating func run(_ batch: BatchDeletion) throws -> BatchOutcome {
    add(try store.rowKeys(batch.rows, contents: contents, connection: connection))
    var next = 0
    while next < groups.count {
      try cascade(groups[next])
      next += 1
    }
    for group in groups { try checkDenials(group) }
    for group in groups { try delete(group) }
    for group in groups { try nullify(group) }
    try history?.finish()
    var outcome = BatchOutcome()
    outcome.count = groups.reduce(0) { $0 + $1.keys.count }
    guard batch.wantsIdentities else { return outcome }
    outcome.identities = groups.flatMap { layout, keys in
      keys.map { store.identities.identity(layout, key: $0) }
    }
    return outcome
  }

  private mutating func add(_ rows: [RowKey]) {
    var found: [(layout: EntityLayout, keys: [Int64])] = []
    for row in rows where doomed[row.layout.rootNumber, default: []].insert(row.key).inserted {
      if let place = found.firstIndex(where: { $0.layout === row.layout }) {
        found[place].keys.append(row.key)
      } else {
        found.append((row.layout, [row.key]))
      }
    }
    groups += found
  }

  private func isDoomed(_ row: RowKey) -> Bool {
    doomed[row.layout.rootNumber]?.contains(row.key) ?? false
  }

  // MARK: - Rules

  private static func relationships(
    _ layout: EntityLayout, rule: NSDeleteRule
  ) -> [NSRelationshipDescription] {
    layout.entity.relationshipsByName.values
      .filter { $0.deleteRule == rule && !$0.isTransient }.sorted { $0.name < $1.name }
  }

  private mutating func cascade(_ group: (layout: EntityLayout, keys: [Int64])) throws {
    for relationship in Self.relationships(group.layout, rule: .cascadeDeleteRule) {
      add(try members(of: relationship, group))
    }
  }

  private func checkDenials(_ group: (layout: EntityLayout, keys: [Int64])) throws {
    for relationship in Self.relationships(group.layout, rule: .denyDeleteRule) {
      guard try members(of: relationship, group).contains(where: { !isDoomed($0) }) else {
        continue
      }
      throw CoreDataError.validation(
        .validationRelationshipDeniedDelete, object: nil, key: relationship.name)
    }
  }

  private func delete(_ group: (layout: EntityLayout, keys: [Int64])) throws {
    let table = try contents.entity(group.layout).table
    try history?.noteDeletions(group.layout, where: Self.isAmong("Z_PK")) {
      $0.bind(group.keys.json, at: $1)
    }
    try run("DELETE FROM \(SQLIdentifier.quoted(table)) WHERE Z_PK", keys: group.keys)
    for relationship in group.layout.toMany {
      if let release = try contents.releaseOfMembers(relationship) {
        try run(release, keys: group.keys)
      }
      guard let join = contents.mapping.join(of: relationship) else { continue }
      var columns = [join.ownerColumn]
      if relationship.inverseRelationship === relationship { columns.append(join.memberColumn) }
      for column in columns.map(SQLIdentifier.quoted) {
        try run("DELETE FROM \(SQLIdentifier.quoted(join.table)) WHERE \(column)", keys: group.keys)
      }
    }
  }

  private func nullify(_ group: (layout: EntityLayout, keys: [Int64])) throws {
    for rule in [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule] {
      for relationship in Self.relationships(group.layout, rule: rule) {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { continue }
        try nullify(inverse, keys: group.keys)
      }
    }
  }

  /// Sets the foreign keys of remaining rows that reference deleted rows to NULL. Throws
  /// `managedObjectConstraintMerge` if the relationship is mandatory.
  private func nullify(_ inverse: NSRelationshipDescription, keys: [Int64]) throws {
    let layout = inverse.entity.layout
    let entity = try contents.entity(layout)
    guard let slot = layout.slot(of: inverse), let column = entity.columns[slot] else { return }
    let quoted = SQLIdentifier.quoted
    let empty = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
      .map { "\(quoted($0)) = NULL" }
    let sets = ["Z_OPT = IFNULL(Z_OPT, 0) + 1"] + empty
    try history?.noteUpdates(layout, slots: [slot], where: Self.isAmong(quoted(column.name))) {
      $0.bind(keys.json, at: $1)
    }
    let changes = try run(
      "UPDATE \(quoted(entity.table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(quoted(column.name))", keys: keys)
    guard changes > 0, !inverse.isOptional else { return }
    throw CoreDataError.make(
      .managedObjectConstraintMerge,
      reason: "Constraint trigger violation: Batch delete failed due to mandatory OTM nullify "
        + "inverse on \(layout.entity.name ?? "")/\(inverse.name)")
  }

  // MARK: - Statements

  private static func isAmong(_ start: String) -> String {
    "\(start) IN (SELECT value FROM json_each(?))"
  }

  @discardableResult
  private func run(_ start: String, keys: [Int64]) throws -> Int {
    try connection.withStatement(Self.isAmong(start)) {
      $0.bind(keys.json, at: 1)
      try $0.run()
      return $0.changes
    }
  }

  private func members(
    of relationship: NSRelationshipDescription, _ group: (layout: EntityLayout, keys: [Int64])
  ) throws -> [RowKey] {
    guard let destination = relationship.destinationEntity?.layout else { return [] }
    let sql = try membersQuery(
      relationship, layout: group.layout, members: contents.entity(destination))
    return try connection.withStatement(sql) { statement in
      statement.bind(group.keys.json, at: 1)
      return try contents.rowKeys(statement, of: destination)
    }
  }

  private func membersQuery(
    _ relationship: NSRelationshipDescription, layout: EntityLayout, members: EntityMapping
  ) throws -> String {
    if relationship.isToMany { return try contents.membersQuery(relationship, members: members) }
    let owner = try contents.entity(layout)
    guard let slot = layout.slot(of: relationship), let column = owner.columns[slot] else {
      throw SQLGeneration.unsupported("the relationship “\(relationship.name)”")
    }
    let quoted = SQLIdentifier.quoted
    let kind = column.entityColumn.map(quoted) ?? "\(members.entityNumber)"
    return "SELECT \(kind), \(quoted(column.name)) FROM \(quoted(owner.table)) "
      + "WHERE \(quoted(column.name)) IS NOT NULL "
      + "AND Z_PK IN (SELECT value FROM json_each(?))"
  }
}
