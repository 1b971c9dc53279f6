import CoreDataSync

/// What is lost because somebody deleted, or added, without having seen what another did.
extension ZoneTransaction {
  /// So many records that hang on deleted ones are looked at for one push.
  private static let mostDependents = 1000

  /// Marks what these deletions take although whoever deleted had not seen it.
  func markTaken(by deletions: Set<RecordID>, _ writer: PushWriter) throws {
    var rest = try deletions.filter { try record($0)?.isDead ?? false }
    var all = rest
    while !rest.isEmpty {
      for id in rest {
        guard let record = try record(id) else { continue }
        for (property, numbered) in record.registers where writer.hasNotSeen(numbered) {
          record.markUnseen(property)
          changed.insert(id)
        }
      }
      guard all.count < Self.mostDependents else { return }
      let dependents = try dependents(of: rest)
      rest = dependents.subtracting(all)
      all.formUnion(rest)
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

  /// Marks what was pushed of a record that hangs on a deleted one.
  func markLost(_ id: RecordID) throws {
    guard let record = try record(resolve(id)), !record.isDead, try standing(record.id) == .dead
    else { return }
    for (property, numbered) in record.registers where numbered.number == LedgerRecord.pending {
      record.markUnseen(property)
    }
  }
}
