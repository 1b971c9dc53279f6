import CoreData

/// Makes the statements of one save: first what is deleted, so that its unique values are free, then what is
/// updated and inserted, then the members of relationships.
///
/// Many new rows of an entity go by COPY, between the statements before and after them.
///
/// Each statement says how many rows it has to find; fewer are a conflict.
struct ChangeWriter {
  struct Step {
    let statement: PostgreSQLConnection.Statement
    /// How many rows have to be there as they were read; nil where none need be.
    let expected: Int?

    /// The same as a statement that fails where the row is not there as it was read, by a division by zero, so that
    /// nobody has to look at what it gave before COMMIT.
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
  /// What comes before new rows that are copied.
  private(set) var steps: [Step] = []
  private(set) var copies: [(rows: ArraySlice<Row>, into: NewRows)] = []
  /// What comes after them.
  private(set) var lastSteps: [Step] = []

  init(
    _ schema: StoreSchema, _ notes: HistoryNotes?,
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
    for update in changes.updatesInOrder { try self.update(update) }
    try insert(changes)
    let first = steps.count
    for change in changes.members { try write(change) }
    lastSteps = Array(steps[first...])
    steps.removeSubrange(first...)
  }

  private mutating func add(
    _ sql: String, _ parameters: [PostgreSQLParameter], expecting expected: Int? = nil
  ) {
    steps.append(Step(statement: .init(sql: sql, parameters: parameters), expected: expected))
  }

  /// What is deleted is noted while it is still there.
  private mutating func note(_ changes: StoreChanges) throws {
    guard let notes else { return }
    var statements: [HistoryNotes.Statement] = []
    var deleted: [RowGroup] = []
    for deletion in changes.deleted { deleted.add(deletion.packed.key, deletion.layout) }
    for group in deleted { statements += try notes.deletions(group.layout, group.keys) }
    var rest = changes.updated[...]
    while let first = rest.first {
      let run = rest.prefix {
        $0.row.layout === first.row.layout && $0.slots == first.slots
          && $0.relationships == first.relationships
      }
      statements += notes.changes(
        .update, run.map { ($0.row.layout, $0.row.packed.key) },
        properties: HistoryNotes.properties(
          first.row.layout, slots: first.slots, relationships: first.relationships))
      rest = rest[run.endIndex...]
    }
    statements += notes.changes(.insert, changes.inserted.map { ($0.layout, $0.packed.key) })
    steps += statements.map { Step(statement: $0, expected: nil) }
  }

  private static let key = SchemaNames.quoted(SchemaNames.key)
  private static let version = SchemaNames.quoted(SchemaNames.version)

  private func table(_ layout: EntityLayout) throws -> String {
    SchemaNames.quoted(try schema.entity(layout).table)
  }

  // MARK: - Rows

  /// The row is locked: nobody may change it before this save is done.
  private mutating func watch(_ row: Row) throws {
    add(
      "SELECT 1 FROM \(try table(row.layout)) WHERE \(Self.key) = $1 AND \(Self.version) = $2 "
        + "FOR SHARE", [.integer(row.packed.key), .integer(row.version)], expecting: 1)
  }

  /// Rows of one entity that follow each other go together.
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
        add(sql, try new.values(row, key: row.packed.key, version: version))
      }
    }
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
      parameters + [.integer(update.row.packed.key), .integer(update.snapshot.version)],
      expecting: 1)
  }

  private mutating func delete(_ deletion: StoreChanges.Deletion) throws {
    let start = "DELETE FROM \(try table(deletion.layout)) WHERE \(Self.key) = $1"
    let key = PostgreSQLParameter.integer(deletion.packed.key)
    if let version = deletion.version {
      add("\(start) AND \(Self.version) = $2", [key, .integer(version)], expecting: 1)
    } else {
      add(start, [key])
    }
    for sql in try Self.releases(deletion.layout, schema) { add("\(sql) = $1", [key]) }
  }

  /// What takes objects out of their join tables and lets go of members that nobody else does, up to the
  /// condition on their keys.
  static func releases(_ layout: EntityLayout, _ schema: StoreSchema) throws -> [String] {
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
      link(change, join)
    } else if let key = schema.mapping.foreignKeys[ObjectIdentifier(change.relationship)] {
      try writeOwners(change, key)
    }
    if let order = change.order { try write(order, of: change) }
  }

  private mutating func link(_ change: StoreChanges.MemberChange, _ join: JoinMapping) {
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
            + "AND \(quoted(members)) = ANY($2)", [owner, .integers(removed)])
      }
      let added = change.added.map(\.packed.key)
      // The other side may have told of it already.
      if !added.isEmpty {
        add(
          "INSERT INTO \(quoted(join.table)) (\(quoted(owners)), \(quoted(members))) "
            + "SELECT $1, unnest($2) ON CONFLICT DO NOTHING", [owner, .integers(added)])
      }
    }
  }

  /// Without an inverse nobody else writes whose the members are.
  private mutating func writeOwners(
    _ change: StoreChanges.MemberChange, _ key: ColumnMapping
  ) throws {
    guard let destination = change.relationship.destinationEntity?.layout else { return }
    let table = try table(destination)
    let column = SchemaNames.quoted(key.name)
    let owner = PostgreSQLParameter.integer(change.owner.packed.key)
    if !change.removed.isEmpty {
      add(
        "UPDATE \(table) SET \(column) = NULL WHERE \(column) = $1 AND \(Self.key) = ANY($2)",
        [owner, .integers(change.removed.map(\.packed.key))])
    }
    if !change.added.isEmpty {
      add(
        "UPDATE \(table) SET \(column) = $1 WHERE \(Self.key) = ANY($2)",
        [owner, .integers(change.added.map(\.packed.key))])
    }
  }

  /// Positions are counted from 1; only members whose place has changed are written.
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
      [.integer(change.owner.packed.key), .integers(order.map(\.packed.key))])
  }
}
