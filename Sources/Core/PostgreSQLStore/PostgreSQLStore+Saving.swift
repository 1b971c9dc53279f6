import CoreData

extension PostgreSQLStore {
  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    let contents = try contents
    guard let table = contents.schema.table(rootNumber: layout.rootNumber) else {
      _ = try contents.schema.entity(layout)
      return 0
    }
    return try contents.reporting(.save) {
      try contents.keys.reserve(
        Int64(count), root: layout.rootNumber, from: contents.pool
      ) { blocks in
        try contents.pool.reading { connection in
          let result = try connection.query(
            "SELECT nextval($1::text::regclass) FROM generate_series(1, $2)",
            parameters: [.text(SchemaNames.quoted(table.sequence)), .integer(Int64(blocks))])
          return (0..<result.count).map { result.integer($0, column: 0) }
        }
      }
    }
  }

  func save(_ changes: StoreChanges) throws {
    let contents = try contents
    let metadata = takeChangedMetadata()
    if changes.isEmpty, changes.watched.isEmpty, metadata == nil { return }
    do { try save(changes, metadata: metadata, contents: contents) } catch {
      if metadata != nil { putBackChangedMetadata() }
      switch error {
      case is Conflicting:
        // Another context has saved changes that the standbys may not have replayed yet.
        contents.replicas?.primaryHasMoved()
        throw SaveConflicts(conflicts: try changes.conflicts(in: self))
      case let refused as PostgreSQLError where refused.isDivisionByZero:
        contents.replicas?.primaryHasMoved()
        let conflicts = try changes.conflicts(in: self)
        if conflicts.isEmpty { throw refused.cocoaError(contents.address, doing: .save) }
        throw SaveConflicts(conflicts: conflicts)
      case let refused as PostgreSQLError where refused.isUniquenessViolation:
        throw try violation(refused, changes: changes, contents: contents)
      case let refused as PostgreSQLError: throw refused.cocoaError(contents.address, doing: .save)
      default: throw error
      }
    }
  }

  /// Thrown when a row is not as it was read. Leaves the transaction, so that the current rows can
  /// be read.
  private struct Conflicting: Error {}

  /// The number of checked rows up to which statements that fail by themselves are faster than a
  /// round trip that reads the counts.
  private static let checkedAtOnce = 16

  private func save(
    _ changes: StoreChanges, metadata: [String: Any]?, contents: StoreContents
  ) throws {
    let notes = changes.isEmpty ? nil : contents.notes
    var writer = ChangeWriter(contents.schema, notes: notes, newRows: contents.newRows)
    try writer.write(changes)
    let derived = contents.schema.derived
    let change = derived.columns.isEmpty ? ChangedRows() : ChangedRows(changes)
    let beginning = (notes?.beginning ?? []) + derived.before(change)
    var last = writer.lastSteps.map(\.statement)
    if let metadata { last.append(try StoreTables.update(metadata)) }
    let end = notes.map { [$0.end] } ?? []
    let isPlain = writer.copies.isEmpty && derived.columns.isEmpty
    // With a history, the answer must be read: it has the number of the transaction.
    if isPlain, !contents.tracksHistory, changes.checkedCount <= Self.checkedAtOnce {
      return try contents.writeAtOnce(beginning + writer.steps.map(\.failing) + last + end)
    }
    let first = beginning + writer.steps.map(\.statement)
    func check(_ results: ArraySlice<QueryResult>) throws {
      for (step, result) in zip(writer.steps, results.dropFirst(beginning.count)) {
        if let expected = step.expected, result.affected < expected { throw Conflicting() }
      }
    }
    if isPlain {
      return try contents.write(first + last + end) { results in
        try check(results[...])
        if let notes, let end = results.last { notes.didEnd(end) }
      }
    }
    try contents.write(first, copying: writer.copies, last: last, ending: end) { results in
      try check(results[...])
    } derive: { connection in
      try derived.after(change, connection: connection)
    } checkEnd: { results in
      if let notes, let end = results.last { notes.didEnd(end) }
    }
  }

  /// The error for a violated constraint. Version conflicts take precedence, since resolving them
  /// may also resolve the violation.
  private func violation(
    _ error: PostgreSQLError, changes: StoreChanges, contents: StoreContents
  ) throws -> any Error {
    contents.replicas?.primaryHasMoved()
    let conflicts = try changes.conflicts(in: self)
    if !conflicts.isEmpty { return SaveConflicts(conflicts: conflicts) }
    return ConstraintViolation(error.cocoaError(contents.address, doing: .save))
  }
}

extension StoreChanges {
  /// The number of rows that must be as they were read.
  fileprivate var checkedCount: Int { watched.count + updated.count + deleted.count }
}
