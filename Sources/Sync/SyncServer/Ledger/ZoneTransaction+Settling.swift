import CoreDataSync

/// What needs an arbiter: uniqueness, and references that deny a deletion.
///
/// Decided anew is what concerns records that have changed, and those that live by them; passes
/// over either alternate until nothing changes. A pass takes records in the order of their IDs,
/// those that it changes itself as well, so that its outcome is that of a pass over all records
/// of the zone.
extension ZoneTransaction {
  ///
  /// - Parameter others: records that are decided anew although they have not changed.
  func settle(besides others: Set<RecordID> = []) throws {
    let concerned = try affected(by: changed.union(moved).union(others))
    var (uniqueness, denials) = (concerned, concerned)
    while !uniqueness.isEmpty || !denials.isEmpty {
      try mergeEqual(among: &uniqueness, &denials)
      try reviveDenied(among: &denials, &uniqueness)
    }
  }

  /// These records, and whatever lives or dies with those of them that have moved.
  private func affected(by ids: Set<RecordID>) throws -> Set<RecordID> {
    var found = ids
    var rest = ids.intersection(moved)
    var expanded = rest
    moved.subtract(rest)
    while !rest.isEmpty {
      let referrers = try referrers(to: rest)
      try load(referrers.values.joined().map(\.record))
      var next: Set<RecordID> = []
      for (target, referrers) in referrers {
        // Whatever hangs on a dead one cannot become alive; who denies its deletion, or that of
        // what hangs on it, is asked.
        let isEnd = try !rules.hasDenials && record(target)?.isDead ?? false
        for referrer in referrers {
          guard let record = try record(referrer.record) else { continue }
          let rules = rules[record.entity]
          let lives = rules.lives.contains(referrer.property)
          guard lives || rules.denials.contains(referrer.property) else { continue }
          found.insert(record.id)
          if lives, !isEnd, expanded.insert(record.id).inserted { next.insert(record.id) }
        }
      }
      rest = next
    }
    return found
  }

  // MARK: - Uniqueness

  /// Merges records that are alive and equal by a constraint: the smallest ID stays.
  private func mergeEqual(
    among ids: inout Set<RecordID>, _ denials: inout Set<RecordID>
  ) throws {
    var pass = Pass(ids)
    ids = []
    var seen: [UniqueValue: RecordID] = [:]
    try prepare(pass.waiting)
    while let id = pass.next() {
      guard let record = try record(id), record.alias == nil else { continue }
      let constraints = rules[record.entity].uniqueness
      guard !constraints.isEmpty, try standing(id) == .alive else { continue }
      for constraint in constraints {
        guard let (key, values) = UniqueKey.make(record, for: constraint) else { continue }
        let value = UniqueValue(entity: record.entity, constraint: constraint, values: values)
        let others = try equal(to: value, key: key, but: id)
        // Larger ones have their turn in this pass.
        pass.add(others.filter { $0 > id })
        // What this pass has seen is known by what it was then; what it has changed waits.
        let earlier = others.filter { $0 < id && !pass.hasSeen($0) && !ids.contains($0) }
        var alive: [RecordID] = []
        for other in earlier where try standing(other) == .alive { alive.append(other) }
        // One that was equal by this constraint may have been merged by another since.
        if let other = try seen[value].map(resolve) { alive.append(other) }
        guard let first = alive.min(), let winner = try self.record(first) else {
          seen[value] = id
          continue
        }
        seen[value] = first
        try merge(record, into: winner)
        let affected = try affected(by: [id, first])
        denials.formUnion(affected)
        pass.add(affected.filter { $0 > id })
        ids.formUnion(affected.filter { $0 <= id })
        break
      }
    }
  }

  private struct UniqueValue: Hashable {
    let entity: String
    let constraint: [String]
    let values: [SyncValue]
  }

  /// Loads at once whatever may be equal to one of these records.
  private func prepare(_ ids: Set<RecordID>) throws {
    var keys: Set<Int64> = []
    for id in ids {
      guard let record = records[id] else { continue }
      for constraint in rules[record.entity].uniqueness {
        if let (key, _) = UniqueKey.make(record, for: constraint) { keys.insert(key) }
      }
    }
    try load(holders(of: keys).values.joined())
  }

  private func equal(
    to value: UniqueValue, key: Int64, but id: RecordID
  ) throws -> [RecordID] {
    let holders = try holders(of: [key])[key] ?? []
    return try holders.filter { other in
      guard other != id, let record = try record(other), record.entity == value.entity else {
        return false
      }
      return UniqueKey.make(record, for: value.constraint).map { $0.1 == value.values } ?? false
    }.sorted()
  }

  // MARK: - Deny

  /// Revives what was deleted, or went with what it hangs on, while somebody alive hangs on it, if
  /// the values are known.
  private func reviveDenied(
    among ids: inout Set<RecordID>, _ uniqueness: inout Set<RecordID>
  ) throws {
    var pass = Pass(ids)
    ids = []
    while let id = pass.next() {
      guard let record = try record(id), record.alias == nil else { continue }
      for property in rules[record.entity].denials {
        guard let reference = record.reference(property) else { continue }
        let target = try resolve(reference)
        guard try standing(target) == .dead, try standing(id, sparing: target) == .alive,
          let denied = try deletions(of: target)
        else { continue }
        for record in denied { revive(record) }
        let affected = try affected(by: Set(denied.map(\.id)))
        uniqueness.formUnion(affected)
        pass.add(affected.filter { $0 > id })
        ids.formUnion(affected.filter { $0 <= id })
      }
    }
  }

  /// The deleted records that a record is dead by, itself among them; nil if the values of one are
  /// not known.
  private func deletions(of id: RecordID) throws -> [LedgerRecord]? {
    var found: [LedgerRecord] = []
    var seen: Set<RecordID> = []
    var rest = [id]
    while let id = rest.popLast() {
      guard seen.insert(id).inserted, let record = try record(id) else { continue }
      if record.life?.isDead ?? true {
        guard record.life != nil, !record.registers.isEmpty else { return nil }
        found.append(record)
      }
      for property in rules[record.entity].lives {
        if let target = record.reference(property) { rest.append(try resolve(target)) }
      }
    }
    return found.sorted { $0.id < $1.id }
  }
}

/// Records in the order of their IDs, while more are added.
private struct Pass {
  private(set) var waiting: Set<RecordID>
  private var sorted: [RecordID]
  private var seen: Set<RecordID> = []

  init(_ ids: Set<RecordID>) {
    waiting = ids
    sorted = ids.sorted(by: >)
  }

  mutating func next() -> RecordID? {
    guard let id = sorted.popLast() else { return nil }
    waiting.remove(id)
    seen.insert(id)
    return id
  }

  func hasSeen(_ id: RecordID) -> Bool { seen.contains(id) }

  /// Records above the last one.
  mutating func add(_ ids: [RecordID]) {
    let new = ids.filter { !seen.contains($0) && waiting.insert($0).inserted }
    guard !new.isEmpty else { return }
    sorted.append(contentsOf: new)
    sorted.sort(by: >)
  }
}
