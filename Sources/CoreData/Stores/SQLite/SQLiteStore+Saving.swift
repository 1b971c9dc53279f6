extension SQLiteStore {
  /// The key sequence of a tree is noted on its root's row of `Z_PRIMARYKEY`.
  ///
  /// A short transaction of its own, so that two processes never get the same key. It need not be on the
  /// disk by itself: the save that uses the keys takes it along, being later in the same log.
  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    let contents = try contents
    let root = Int64(try contents.entity(layout).rootEntityNumber)
    return try contents.reporting(.save) {
      try contents.database.write { connection in
        try withoutSynchronising(connection, contents.settings) {
          try connection.writeTransaction { try reserve(Int64(count), root, connection) }
        }
      }
    }
  }

  private func withoutSynchronising<Result>(
    _ connection: SQLiteConnection, _ settings: ConnectionSettings, _ body: () throws -> Result
  ) throws -> Result {
    guard settings.usesLog else { return try body() }
    try connection.execute("PRAGMA synchronous = NORMAL")
    defer {
      // Setting a pragma to what it was cannot fail on a connection that has just worked.
      try? connection.execute("PRAGMA synchronous = \(settings.synchronous)")
    }
    return try body()
  }

  private func reserve(
    _ count: Int64, _ root: Int64, _ connection: SQLiteConnection
  ) throws -> Int64 {
    let sql = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX"
    return try connection.withStatement(sql) { statement in
      statement.bind(count, at: 1)
      statement.bind(root, at: 2)
      guard try statement.step() else { throw StoreDamage.entity(root, "Z_PRIMARYKEY") }
      let last = statement.integer(0)
      guard last >= count, last < 1 << 40 else { throw StoreDamage.key(last, "Z_PRIMARYKEY") }
      while try statement.step() {}
      return last - count + 1
    }
  }

  func save(_ changes: StoreChanges) throws {
    let contents = try contents
    let metadata = takeChangedMetadata()
    if changes.isEmpty, changes.watched.isEmpty, metadata == nil { return }
    do {
      try contents.reporting(.save) {
        let files = ExternalTransaction(contents.externalFiles)
        let placed = try files.placing(changes, contents)
        try contents.transaction(files) { connection in
          var writer = RowWriter(contents: contents, connection: connection)
          do { try writer.write(placed) } catch let error as SQLiteError where error.isConstraint {
            throw Refused(error: error)
          }
          if let metadata { try StoreMetadataTable.write(metadata, to: connection) }
          if writer.hasConflicts { throw Conflicting() }
        }
      }
      if !changes.deleted.isEmpty {
        contents.database.write { IncrementalVacuum(connection: $0).runIfWorthwhile() }
      }
    } catch {
      if metadata != nil { putBackChangedMetadata() }
      switch error {
      case is Conflicting: throw SaveConflicts(conflicts: try changes.conflicts(in: self))
      case let refused as Refused: throw try violation(refused.error, changes, contents)
      default: throw error
      }
    }
  }

  /// Leaves the transaction, so that the rows are read as they are in the store.
  private struct Conflicting: Error {}

  /// The same for a violated constraint.
  private struct Refused: Error {
    let error: SQLiteError
  }

  /// Conflicts of versions come first: what they change may settle those of constraints.
  private func violation(
    _ error: SQLiteError, _ changes: StoreChanges, _ contents: StoreContents
  ) throws -> any Error {
    let conflicts = try changes.conflicts(in: self)
    if !conflicts.isEmpty { return SaveConflicts(conflicts: conflicts) }
    return ConstraintViolation(
      error.cocoaError(url: url, doing: .save, timeout: contents.settings.timeout))
  }
}
