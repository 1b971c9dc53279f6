import CoreDataSync

/// Circles of lists in lists: of two devices that move two lists into each other, the one whose
/// move comes last finds it undone.
extension ZoneTransaction {
  /// A reference that a push has set, and what was there before.
  struct Move {
    let record: RecordID
    let property: String
    let former: SyncValue
    /// The former place in the order of the target's list.
    let place: SyncValue?
  }

  /// So many records are looked at on the way from one to itself.
  private static let longestWay = 10_000

  func noteMove(
    of id: RecordID, _ property: String, from former: [String: LedgerRecord.Numbered]
  ) {
    moves.append(
      Move(
        record: id, property: property, former: former[property]?.register.value ?? .null,
        place: former[property + ".position"]?.register.value))
  }

  /// Undoes moves that close a circle, unless what they came from is gone, or part of one itself:
  /// devices cut that circle then.
  func undoCircles() throws {
    for move in moves.sorted(by: { ($0.record, $0.property) < ($1.record, $1.property) }) {
      guard let record = try record(move.record), record.alias == nil,
        let target = record.reference(move.property),
        try leads(target, by: move.property, to: record.id)
      else { continue }
      if case .reference(let former) = move.former {
        guard try standing(former) == .alive,
          try !leads(former, by: move.property, to: record.id)
        else { continue }
      }
      restore(move.former, in: move.property, of: record)
      record.registers[move.property]?.isUnseen = true
      if let place = move.place { restore(place, in: move.property + ".position", of: record) }
      changed.insert(record.id)
      moved.insert(record.id)
      try index(record)
    }
    moves = []
  }

  /// Gives a register its former value, later than what it has.
  private func restore(_ value: SyncValue, in property: String, of record: LedgerRecord) {
    let last = record.registers[property]?.register.clock.ticks ?? 0
    let clock = Clock(ticks: max(stamp(), last + 1), replica: .server)
    record.registers[property] = LedgerRecord.Numbered(
      register: Register(clock: clock, value: value), number: LedgerRecord.pending)
  }

  /// Whether a way of references of one name leads from one record to another.
  private func leads(_ start: RecordID, by property: String, to end: RecordID) throws -> Bool {
    var seen: Set<RecordID> = []
    var next = try resolve(start)
    while next != end {
      guard seen.count < Self.longestWay, seen.insert(next).inserted,
        let record = try record(next), !record.isDead, let target = record.reference(property)
      else { return false }
      next = try resolve(target)
    }
    return true
  }
}
