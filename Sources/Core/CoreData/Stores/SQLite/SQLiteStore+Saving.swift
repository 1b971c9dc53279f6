extension SQLiteStore {
  /// The most changes of a save that reserves its keys in its own transaction. Beyond it, the cost
  /// of a separate transaction is negligible, and a savepoint keeps a copy of every page that the
  /// keys change.
  private static let small = 100

  func saving<Result>(_ count: Int, body: () throws -> Result) throws -> Result {
    let contents = try contents
    // Files of external data are written, and their folder locked, before the transaction begins.
    guard count <= Self.small, !contents.hasExternalValues else { return try body() }
    return try contents.database.write { try contents.keys.joining($0, body: body) }
  }

  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    let contents = try contents
    let root = Int64(try contents.entity(layout).rootEntityNumber)
    return try contents.reporting(.save) {
      try contents.database.write {
        try contents.keys.reserve(
          Int64(count), root: root, connection: $0, settings: contents.settings)
      }
    }
  }

  func save(_ changes: StoreChanges) throws {
    let contents = try contents
    let metadata = takeChangedMetadata()
    if changes.isEmpty, changes.watched.isEmpty, metadata == nil { return }
    do {
      try contents.reporting(.save) {
        let files = ExternalTransaction(contents.externalFiles)
        let placed = try files.placing(changes, contents: contents)
        try contents.transaction(files, changeCount: placed.count) { connection in
          var writer = RowWriter(contents: contents, connection: connection)
          do { try writer.write(placed) } catch let error as SQLiteError where error.isConstraint {
            throw Refused(error: error)
          }
          if let metadata { try StoreMetadataTable.write(metadata, to: connection) }
          if writer.hasConflicts { throw Conflicting() }
        }
      }
      if !changes.deleted.isEmpty {
        try contents.database.write { IncrementalVacuum(connection: $0).runIfWorthwhile() }
      }
    } catch {
      if metadata != nil { putBackChangedMetadata() }
      switch error {
      case is Conflicting: throw SaveConflicts(conflicts: try changes.conflicts(in: self))
      case let refused as Refused:
        throw try violation(refused.error, changes: changes, contents: contents)
      default: throw error
      }
    }
  }

  /// Leaves the transaction, so that the stored rows are read outside of it.
  private struct Conflicting: Error {}

  /// Leaves the transaction after a violated constraint.
  private struct Refused: Error {
    let error: SQLiteError
  }

  /// The error for a violated constraint. Version conflicts come first: resolving them may change
  /// the values that violate the constraint.
  private func violation(
    _ error: SQLiteError, changes: StoreChanges, contents: StoreContents
  ) throws -> any Error {
    let conflicts = try changes.conflicts(in: self)
    if !conflicts.isEmpty { return SaveConflicts(conflicts: conflicts) }
    return ConstraintViolation(
      error.cocoaError(url: url, doing: .save, timeout: contents.settings.timeout))
  }
}
