import CoreDataSync

/// What is lost because somebody deleted, or added, without having seen what another did.
extension ZoneTransaction {
  /// So many records that hang on deleted ones are looked at for one push.
  private static let mostDependents = 1000

  /// Marks what these deletions take although whoever deleted had not seen it: what is theirs, what
  /// hangs on them, and that something leads to them.
  func markTaken(by deletions: Set<RecordID>, _ writer: PushWriter) throws {
    var rest = try deletions.filter { try record($0)?.isDead ?? false }
    var all = rest
    while !rest.isEmpty {
      for id in rest {
        guard let record = try record(id) else { continue }
        for (property, numbered) in record.registers where writer.hasNotSeen(numbered) {
          record.markTaken(property)
          changed.insert(id)
        }
      }
      guard all.count < Self.mostDependents else { return }
      for (record, property) in try referrers(of: rest) {
        guard let numbered = record.registers[property], writer.hasNotSeen(numbered) else {
          continue
        }
        record.markTaken(property)
        changed.insert(record.id)
      }
      let dependents = try dependents(of: rest)
      rest = dependents.subtracting(all)
      all.formUnion(rest)
    }
  }

  /// The references to these of records that go on without them.
  private func referrers(of ids: Set<RecordID>) throws -> [(record: LedgerRecord, property: String)]
  {
    let referrers = Set(try referrers(to: ids).values.joined())
    try load(referrers.map(\.record))
    return try referrers.compactMap { referrer in
      guard let record = try record(referrer.record), !record.isDead,
        !rules[record.entity].lives.contains(referrer.property)
      else { return nil }
      return (record, referrer.property)
    }
  }

  /// The records that live by these, and have not been deleted themselves.
  private func dependents(of ids: Set<RecordID>) throws -> Set<RecordID> {
    let referrers = Set(try referrers(to: ids).values.joined())
    try load(referrers.map(\.record))
    return try referrers.reduce(into: []) { found, referrer in
      guard let record = try record(referrer.record), !record.isDead,
        rules[record.entity].lives.contains(referrer.property)
      else { return }
      found.insert(record.id)
    }
  }

  /// Marks what was pushed of a record that hangs on a deleted one, and what leads to one.
  func markLost(_ id: RecordID) throws {
    guard let record = try record(resolve(id)), !record.isDead else { return }
    let isLost = try standing(record.id) == .dead
    for (property, numbered) in record.registers where numbered.number == LedgerRecord.pending {
      let isReferenceLost =
        try !rules[record.entity].lives.contains(property)
        && record.reference(property).map { try standing($0) == .dead } ?? false
      if isLost || isReferenceLost { record.markTaken(property) }
    }
  }
}
