import CoreData

/// Makes the statements of a save: deletions first, so that their unique values become free, then
/// updates and insertions, then the members of relationships.
///
/// Many new rows of an entity are copied (COPY) between `steps` and `lastSteps`.
///
/// Each statement has an expected number of rows; fewer are a conflict.
struct ChangeWriter {
  struct Step {
    let statement: PostgreSQLConnection.Statement
    /// The number of rows that must be as they were read; nil for no check.
    let expected: Int?

    /// A variant of the statement that fails with a division by zero if the row is not as it was
    /// read, so that the result need not be checked before COMMIT.
    var failing: PostgreSQLConnection.Statement {
      guard expected != nil else { return statement }
      let found = statement.sql.hasPrefix("SELECT") ? "" : " RETURNING 1"
      return .init(
        sql: "WITH found AS (\(statement.sql)\(found)) SELECT 1 / count(*) FROM found",
        parameters: statement.parameters)
    }
  }

  private let schema: StoreSchema
  private let notes: HistoryNotes?
  private let newRows: (EntityLayout) throws -> NewRows
  /// The statements before the copied rows.
  private(set) var steps: [Step] = []
  private(set) var copies: [(rows: ArraySlice<Row>, into: NewRows)] = []
  /// The statements after the copied rows.
  private(set) var lastSteps: [Step] = []

  init(
    _ schema: StoreSchema, notes: HistoryNotes?,
    newRows: @escaping (EntityLayout) throws -> NewRows
  ) {
    self.schema = schema
    self.notes = notes
    self.newRows = newRows
  }

  mutating func write(_ changes: StoreChanges) throws {
    for row in changes.watched { try watch(row) }
    try note(changes)
    for deletion in changes.deleted { try delete(deletion) }
    for release in UniqueRelease(changes.updated).releases() { try add(release) }
    for update in changes.updatesInOrder { try self.update(update) }
    try insert(changes)
    let first = steps.count
    for change in changes.members { try write(change) }
    lastSteps = Array(steps[first...])
    steps.removeSubrange(first...)
  }

  private mutating func add(
    _ sql: String, parameters: [PostgreSQLParameter], expecting expected: Int? = nil
  ) {
    steps.append(Step(statement: .init(sql: sql, parameters: parameters), expected: expected))
  }

  /// Records the changes in the history; deletions before the rows are deleted.
  private mutating func note(_ changes: StoreChanges) throws {
    guard let notes else { return }
    var statements: [HistoryNotes.Statement] = []
    var deleted: [RowGroup] = []
    for deletion in changes.deleted { deleted.add(deletion.packed.key, layout: deletion.layout) }
    for group in deleted { statements += try notes.deletions(group.layout, keys: group.keys) }
    var rest = changes.updated[...]
    while let first = rest.first {
      let run = rest.prefix {
        $0.row.layout === first.row.layout && $0.slots == first.slots
          && $0.relationships == first.relationships
      }
      statements += notes.changes(
        .update, objects: run.map { ($0.row.layout, $0.row.packed.key) },
        properties: HistoryNotes.properties(
          first.row.layout, slots: first.slots, relationships: first.relationships))
      rest = rest[run.endIndex...]
    }
    statements += notes.changes(
      .insert, objects: changes.inserted.map { ($0.layout, $0.packed.key) })
    steps += statements.map { Step(statement: $0, expected: nil) }
  }

  private static let key = SchemaNames.quoted(SchemaNames.key)
  private static let version = SchemaNames.quoted(SchemaNames.version)

  private func table(_ layout: EntityLayout) throws -> String {
    SchemaNames.quoted(try schema.entity(layout).table)
  }

  // MARK: - Rows

  /// Checks the version of a row and locks it against changes until the save is done.
  private mutating func watch(_ row: Row) throws {
    add(
      "SELECT 1 FROM \(try table(row.layout)) WHERE \(Self.key) = $1 AND \(Self.version) = $2 "
        + "FOR SHARE", parameters: [.integer(row.packed.key), .integer(row.version)], expecting: 1)
  }

  /// Inserts rows; consecutive rows of one entity together.
  private mutating func insert(_ changes: StoreChanges) throws {
    var rest = changes.inserted[...]
    while let layout = rest.first?.layout {
      let run = rest.ofFirstEntity
      rest = rest[run.endIndex...]
      let new = try newRows(layout)
      if run.count >= NewRows.copied, changes.returningVersions.isEmpty {
        copies.append((run, new))
        continue
      }
      let sql = new.insertion
      for row in run {
        let version = changes.version(ofInserted: row)
        add(sql, parameters: try new.values(row, key: row.packed.key, version: version))
      }
    }
  }

  /// Sets unique slots of a row to NULL until its update. Its version stays.
  private mutating func add(_ release: UniqueRelease.Release) throws {
    let entity = try schema.entity(release.row.layout)
    let encoder = ValueEncoder(entity: entity, schema: schema)
    let sets = release.slots.flatMap { encoder.columns($0) }
      .map { "\(SchemaNames.quoted($0)) = NULL" }
    add(
      "UPDATE \(SchemaNames.quoted(entity.table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(Self.key) = $1", parameters: [.integer(release.row.packed.key)])
  }

  private mutating func update(_ update: StoreChanges.Update) throws {
    let entity = try schema.entity(update.row.layout)
    let encoder = ValueEncoder(entity: entity, schema: schema)
    var columns = [SchemaNames.version]
    var parameters: [PostgreSQLParameter] = [.integer(update.snapshot.version + 1)]
    for slot in update.slots {
      columns += encoder.columns(slot)
      parameters += try encoder.parameters(slot, of: update.row)
    }
    let sets = columns.enumerated().map { "\(SchemaNames.quoted($1)) = $\($0 + 1)" }
    let next = columns.count + 1
    add(
      "UPDATE \(SchemaNames.quoted(entity.table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(Self.key) = $\(next) AND \(Self.version) = $\(next + 1)",
      parameters: parameters + [
        .integer(update.row.packed.key), .integer(update.snapshot.version),
      ],
      expecting: 1)
  }

  private mutating func delete(_ deletion: StoreChanges.Deletion) throws {
    let start = "DELETE FROM \(try table(deletion.layout)) WHERE \(Self.key) = $1"
    let key = PostgreSQLParameter.integer(deletion.packed.key)
    if let version = deletion.version {
      add("\(start) AND \(Self.version) = $2", parameters: [key, .integer(version)], expecting: 1)
    } else {
      add(start, parameters: [key])
    }
    for sql in try Self.releases(deletion.layout, schema: schema) {
      add("\(sql) = $1", parameters: [key])
    }
  }

  /// Statements that remove objects from their join tables, and clear foreign keys of members
  /// without an inverse. Each ends before the comparison of the key.
  static func releases(_ layout: EntityLayout, schema: StoreSchema) throws -> [String] {
    let quoted = SchemaNames.quoted
    return try layout.toMany.flatMap { relationship -> [String] in
      if let column = schema.mapping.foreignKeys[ObjectIdentifier(relationship)],
        let members = relationship.destinationEntity?.layout
      {
        let table = quoted(try schema.entity(members).table)
        return ["UPDATE \(table) SET \(quoted(column.name)) = NULL WHERE \(quoted(column.name))"]
      }
      guard let join = schema.mapping.join(of: relationship) else { return [] }
      var columns = [join.ownerColumn]
      if relationship.inverseRelationship === relationship { columns.append(join.memberColumn) }
      return columns.map { "DELETE FROM \(quoted(join.table)) WHERE \(quoted($0))" }
    }
  }

  // MARK: - Members

  private mutating func write(_ change: StoreChanges.MemberChange) throws {
    if let join = schema.mapping.join(of: change.relationship) {
      link(change, join: join)
    } else if let key = schema.mapping.foreignKeys[ObjectIdentifier(change.relationship)] {
      try writeOwners(change, key: key)
    }
    if let order = change.order { try write(order, of: change) }
  }

  private mutating func link(_ change: StoreChanges.MemberChange, join: JoinMapping) {
    let quoted = SchemaNames.quoted
    let isReflexive = change.relationship.inverseRelationship === change.relationship
    var sides = [(join.ownerColumn, join.memberColumn)]
    if isReflexive { sides.append((join.memberColumn, join.ownerColumn)) }
    let owner = PostgreSQLParameter.integer(change.owner.packed.key)
    for (owners, members) in sides {
      let removed = change.removed.map(\.packed.key)
      if !removed.isEmpty {
        add(
          "DELETE FROM \(quoted(join.table)) WHERE \(quoted(owners)) = $1 "
            + "AND \(quoted(members)) = ANY($2)", parameters: [owner, .integers(removed)])
      }
      let added = change.added.map(\.packed.key)
      // ON CONFLICT: the other end of the relationship may have inserted the row already.
      if !added.isEmpty {
        add(
          "INSERT INTO \(quoted(join.table)) (\(quoted(owners)), \(quoted(members))) "
            + "SELECT $1, unnest($2) ON CONFLICT DO NOTHING", parameters: [owner, .integers(added)])
      }
    }
  }

  /// Writes the owners of members whose relationship has no inverse, so that no other change writes
  /// them.
  private mutating func writeOwners(
    _ change: StoreChanges.MemberChange, key: ColumnMapping
  ) throws {
    guard let destination = change.relationship.destinationEntity?.layout else { return }
    let table = try table(destination)
    let column = SchemaNames.quoted(key.name)
    let owner = PostgreSQLParameter.integer(change.owner.packed.key)
    if !change.removed.isEmpty {
      add(
        "UPDATE \(table) SET \(column) = NULL WHERE \(column) = $1 AND \(Self.key) = ANY($2)",
        parameters: [owner, .integers(change.removed.map(\.packed.key))])
    }
    if !change.added.isEmpty {
      add(
        "UPDATE \(table) SET \(column) = $1 WHERE \(Self.key) = ANY($2)",
        parameters: [owner, .integers(change.added.map(\.packed.key))])
    }
  }

  /// Writes positions, counted from 1, for the members whose position has changed.
  private mutating func write(
    _ order: [NSManagedObjectID], of change: StoreChanges.MemberChange
  ) throws {
    let quoted = SchemaNames.quoted
    let table: String
    let columns: (owner: String, member: String, position: String)
    if let join = schema.mapping.join(of: change.relationship) {
      guard let position = join.orderColumn else { return }
      table = quoted(join.table)
      columns = (quoted(join.ownerColumn), quoted(join.memberColumn), quoted(position))
    } else {
      let key = try schema.mapping.foreignKey(of: change.relationship)
      guard let position = key.orderColumn,
        let destination = change.relationship.destinationEntity?.layout
      else { return }
      table = try self.table(destination)
      columns = (quoted(key.name), Self.key, quoted(position))
    }
    add(
      "UPDATE \(table) t0 SET \(columns.position) = o.place "
        + "FROM unnest($2) WITH ORDINALITY AS o (member, place) "
        + "WHERE t0.\(columns.owner) = $1 AND t0.\(columns.member) = o.member "
        + "AND t0.\(columns.position) IS DISTINCT FROM o.place",
      parameters: [.integer(change.owner.packed.key), .integers(order.map(\.packed.key))])
  }
}
