/// Writes the changes of one save, inside of its transaction: first deletions, so that their unique
/// values become free, then updates and insertions, then the members of relationships.
///
/// Used by one thread for one save. `hasConflicts` becomes true if the stored version of a row is
/// not the one that was read; the caller then rolls back.
struct RowWriter {
  let contents: StoreContents
  let connection: SQLiteConnection
  private let history: HistoryWriter?
  private(set) var hasConflicts = false

  init(contents: StoreContents, connection: SQLiteConnection) {
    self.contents = contents
    self.connection = connection
    history = contents.historyWriter(connection)
  }

  mutating func write(_ changes: StoreChanges) throws {
    for row in changes.watched where try !isCurrent(row) { hasConflicts = true }
    try delete(changes.deleted)
    for release in UniqueRelease(changes.updated).releases() { try run(release) }
    try update(changes.updated)
    try insert(changes)
    for change in changes.members { try MemberWriter(self).write(change) }
    try history?.finish()
  }

  /// Whether the stored row has this version.
  private func isCurrent(_ row: Row) throws -> Bool {
    let table = SQLIdentifier.quoted(try contents.entity(row.layout).table)
    let sql = "SELECT 1 FROM \(table) WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?"
    return try connection.withStatement(sql) {
      $0.bind(row.packed.key, at: 1)
      $0.bind(row.version, at: 2)
      return try $0.step()
    }
  }

  // MARK: - Inserting

  /// Inserts new rows; consecutive rows of one entity share a statement.
  private func insert(_ changes: StoreChanges) throws {
    var rest = changes.inserted[...]
    while let layout = rest.first?.layout {
      let run = rest.ofFirstEntity
      try insert(run, of: changes, encoder: contents.encoder(of: contents.entity(layout)))
      rest = rest[run.endIndex...]
    }
  }

  private func insert(
    _ rows: ArraySlice<Row>, of changes: StoreChanges, encoder: RowEncoder
  ) throws {
    let number = Int64(encoder.entity.entityNumber)
    let targets = encoder.targets
    try connection.withStatement(encoder.insertion) { statement in
      // Constant for all rows.
      statement.bind(number, at: 2)
      try rows.forEachUncounted { row in
        statement.bind(changes.version(ofInserted: row), at: 3)
        statement.bind(row.packed.key, at: 1)
        _ = try encoder.bind(row, targets: targets, to: statement, from: 4)
        try statement.run()
        try history?.noteInsertion(row.layout, key: row.packed.key)
      }
    }
  }

  // MARK: - Updating

  /// Sets unique slots of a row to NULL. The row's version does not change: the update that follows
  /// raises it.
  private func run(_ release: UniqueRelease.Release) throws {
    let encoder = contents.encoder(of: try contents.entity(release.row.layout))
    let columns = encoder.targets(of: release.slots).flatMap(\.columns).map { "\($0) = NULL" }
    let table = SQLIdentifier.quoted(encoder.entity.table)
    let sql = "UPDATE \(table) SET \(columns.joined(separator: ", ")) WHERE Z_PK = ?"
    try connection.withStatement(sql) {
      $0.bind(release.row.packed.key, at: 1)
      try $0.run()
    }
  }

  /// Writes updates; consecutive updates of the same slots share a statement.
  private mutating func update(_ updates: [StoreChanges.Update]) throws {
    try updates.withUnsafeBufferPointer { updates in
      var start = 0
      while start < updates.count {
        var end = start + 1
        while end < updates.count, updates[end].hasSameSlots(as: updates[start]) { end += 1 }
        try updateAlike(updates[start..<end])
        start = end
      }
    }
  }

  private mutating func updateAlike(
    _ updates: Slice<UnsafeBufferPointer<StoreChanges.Update>>
  ) throws {
    let first = updates[updates.startIndex]
    let encoder = contents.encoder(of: try contents.entity(first.row.layout))
    let targets = encoder.targets(of: first.slots)
    let sql = SQLText(encoder.update(targets))
    let statement = try connection.takeStatement(sql)
    defer { statement.giveBack() }
    for index in updates.indices {
      let version = updates[index].snapshot.version
      statement.bind(version + 1, at: 1)
      // Sound: `updates` is a buffer of the save's changes, which retain the row meanwhile.
      try Unmanaged.passUnretained(updates[index].row)._withUnsafeGuaranteedRef { row in
        let next = try encoder.bind(row, targets: targets, to: statement, from: 2)
        statement.bind(row.packed.key, at: next)
        statement.bind(version, at: next + 1)
      }
      try statement.run()
      if statement.changes == 0 { hasConflicts = true }
      try history?.noteUpdate(updates[index])
    }
  }

  // MARK: - Deleting

  /// Deletes rows; consecutive deletions of one entity share their statements.
  private mutating func delete(_ deletions: [StoreChanges.Deletion]) throws {
    try deletions.withUnsafeBufferPointer { deletions in
      guard let first = deletions.baseAddress else { return }
      var start = first
      while start < first + deletions.count {
        var end = start + 1
        while end < first + deletions.count, Self.areAlike(end, start) { end += 1 }
        try deleteAlike(start..<end)
        start = end
      }
    }
  }

  /// Whether two deletions can share statements: of one entity, both with or both without a
  /// version. Takes pointers, so that comparing retains nothing.
  @inline(__always)
  private static func areAlike(
    _ one: UnsafePointer<StoreChanges.Deletion>, _ other: UnsafePointer<StoreChanges.Deletion>
  ) -> Bool {
    one.pointee.layout === other.pointee.layout
      && (one.pointee.version == nil) == (other.pointee.version == nil)
  }

  private mutating func deleteAlike(
    _ deletions: Range<UnsafePointer<StoreChanges.Deletion>>
  ) throws {
    let layout = deletions.lowerBound.pointee.layout
    let comparesVersions = deletions.lowerBound.pointee.version != nil
    let table = SQLIdentifier.quoted(try contents.entity(layout).table)
    let condition = comparesVersions ? " AND IFNULL(Z_OPT, 0) = ?" : ""
    let sql = SQLText("DELETE FROM \(table) WHERE Z_PK = ?\(condition)")
    let statement = try connection.takeStatement(sql)
    defer { statement.giveBack() }
    let links = try releasesOfLinks(layout)
    var deletion = deletions.lowerBound
    while deletion < deletions.upperBound {
      defer { deletion += 1 }
      let key = deletion.pointee.packed.key
      try history?.noteDeletions(layout, where: "Z_PK = ?") { $0.bind(key, at: $1) }
      statement.bind(key, at: 1)
      if let version = deletion.pointee.version { statement.bind(version, at: 2) }
      try statement.run()
      if comparesVersions, statement.changes == 0 { hasConflicts = true }
      for sql in links { try release(key, sql: sql) }
    }
  }

  /// Statements that remove an object, whose key they bind, from its join tables, and that release
  /// its members in relationships without an inverse.
  private func releasesOfLinks(_ layout: EntityLayout) throws -> [String] {
    var statements: [String] = []
    for relationship in layout.toMany {
      if let sql = try contents.releaseOfMembers(relationship) { statements.append("\(sql) = ?") }
      guard let join = contents.mapping.join(of: relationship) else { continue }
      let table = SQLIdentifier.quoted(join.table)
      var columns = [join.ownerColumn]
      if relationship.inverseRelationship === relationship { columns.append(join.memberColumn) }
      statements += columns.map { "DELETE FROM \(table) WHERE \(SQLIdentifier.quoted($0)) = ?" }
    }
    return statements
  }

  private func release(_ key: Int64, sql: String) throws {
    try connection.withStatement(sql) {
      $0.bind(key, at: 1)
      try $0.run()
    }
  }
}
