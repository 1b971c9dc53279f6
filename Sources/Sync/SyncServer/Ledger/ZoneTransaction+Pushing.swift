import CoreData
import CoreDataSync
import Foundation

extension ZoneTransaction {
  /// Carries a push out; its answer, and whether it is a new one that is to be kept.
  ///
  /// In this order: another epoch; a message that is known gets the answer that it got; a message
  /// whose predecessor is not the replica's last; a replica that does not know what was forgotten.
  /// Then records are merged by clock, aliases are made, what needs an arbiter is decided, and what
  /// has changed is numbered.
  func push(_ message: PushMessage, rights: SyncRights, key: String = "") throws -> Pushed {
    if let epoch = message.epoch, epoch != self.epoch { return answer(.otherEpoch) }
    if let known = try storedAnswer(message.id) { return known }
    let replica = try context.all(
      "Replica", where: "zone == %@ AND replica == %@", arguments: [zone, message.replica.stored]
    ).first
    guard replica?.id("last") == message.previous else { return answer(.fork) }
    if message.previous != nil || message.safe > 0, message.safe < horizon {
      return answer(.reset)
    }
    let acceptance = try accept(message, rights: rights)
    let pushed = answer(.accepted(acceptance))
    let note: [String: Any?] = [
      "last": UUID(message.id), "time": Int64(bitPattern: now), "key": key,
    ]
    if let replica {
      replica.set(note)
    } else {
      context.insert("Replica", values: ["zone": zone, "replica": message.replica.stored]).set(note)
    }
    _ = context.insert(
      "Push",
      values: [
        "zone": zone, "identifier": UUID(message.id), "replica": message.replica.stored,
        "number": head, "time": Int64(bitPattern: now), "answer": pushed.encodedMessage(),
      ])
    return pushed
  }

  private func answer(_ outcome: Pushed.Outcome) -> Pushed {
    Pushed(outcome: outcome, epoch: epoch, now: now)
  }

  private func storedAnswer(_ id: RecordID) throws -> Pushed? {
    let known = try context.all(
      "Push", where: "zone == %@ AND identifier == %@", arguments: [zone, UUID(id)]
    ).first
    return try known.map { try Pushed(encodedMessage: $0.data("answer")) }
  }

  // MARK: - Accepting

  private func accept(_ message: PushMessage, rights: SyncRights) throws -> Acceptance {
    try preload(message)
    let clamped = clamp(message)
    var acceptance = Acceptance(clamped: clamped)
    let bounded = { (clock: Clock) in clamped[clock] ?? clock }
    let writer = PushWriter(replica: message.replica, safe: message.safe)
    var deletions: Set<RecordID> = []
    for change in message.records {
      if let reason = try denial(change, rights: rights) {
        acceptance.denied[change.id] = reason
      } else if try !merge(change, bounding: bounded, by: writer) {
        acceptance.gone.append(change.id)
      } else if change.life?.isDead ?? false {
        deletions.insert(try resolve(change.id))
      }
    }
    for alias in message.aliases where rights.denial(of: alias.entity) == nil {
      try accept(alias)
    }
    for change in message.pairs {
      let relationship = change.pair.relationship
      let reason = rights.denial(of: String(relationship.prefix { $0 != "." }))
      if reason == nil {
        accept(change, at: bounded(change.clock))
      } else {
        acceptance.pairDenials[relationship] = reason
        acceptance.deniedPairs.append(
          pairs[change.pair]?.change ?? PairChange(pair: change.pair, clock: .never, isOn: false))
      }
    }
    try undoCircles()
    try settle()
    try markTaken(by: deletions, writer)
    for change in message.records where acceptance.denied[change.id] == nil {
      try markLost(change.id)
    }
    try number()
    for id in acceptance.denied.keys.sorted() {
      guard let record = try record(id) else { continue }
      acceptance.truth.append(record.row(after: 0, facts: try facts(of: record, after: 0)))
    }
    return acceptance
  }

  /// Loads at once what the message speaks of.
  private func preload(_ message: PushMessage) throws {
    var ids = Set(message.records.map(\.id))
    for change in message.records {
      for register in change.registers.values {
        if case .reference(let target) = register.value { ids.insert(target) }
      }
    }
    for alias in message.aliases { ids.formUnion([alias.loser, alias.winner]) }
    try load(ids)
    try loadFacts(named: message.records.flatMap { $0.facts.map(\.name) })
    try loadPairs(message.pairs.map(\.pair))
  }

  private func denial(_ change: RecordChange, rights: SyncRights) throws -> String? {
    if let reason = rights.denial(of: change.entity) { return reason }
    guard let own = try record(change.id), own.entity != change.entity else { return nil }
    return "The record is a \(own.entity), not a \(change.entity)."
  }

  /// Clocks above the bound, five minutes from now, come to stand just above it, in their order.
  private func clamp(_ message: PushMessage) -> [Clock: Clock] {
    let limit = (now + 300_000) << 16
    var late: Set<Clock> = []
    func look(_ clock: Clock) { if clock.ticks > limit { late.insert(clock) } }
    for change in message.records {
      if let life = change.life { look(life.clock) }
      for register in change.registers.values { look(register.clock) }
    }
    for change in message.pairs { look(change.clock) }
    var clamped: [Clock: Clock] = [:]
    for clock in late.sorted() {
      ceiling = max(ceiling, limit) + 1
      clamped[clock] = Clock(ticks: ceiling, replica: clock.replica)
    }
    return clamped
  }

  // MARK: - Merging

  /// Merges a change into its record, or the one that has taken it in; false if that was forgotten.
  private func merge(
    _ change: RecordChange, bounding bounded: (Clock) -> Clock, by writer: PushWriter
  ) throws -> Bool {
    let id = try resolve(change.id)
    if try isForgotten(id) { return false }
    let record: LedgerRecord
    let known = try self.record(id)
    let former = known?.registers
    if let known {
      record = known
    } else if change.life != nil {
      record = LedgerRecord(id: id, entity: change.entity)
      add(record)
      moved.insert(id)
    } else {
      return false
    }
    if let life = change.life { merge(life, at: bounded(life.clock), into: record, of: change.id) }
    // A tombstone that gets values can be revived: whoever denies its deletion is asked.
    if record.registers.isEmpty, !change.registers.isEmpty { moved.insert(id) }
    for (property, register) in change.registers {
      let clock = bounded(register.clock)
      let isMerged = record.merge(
        Register(clock: clock, value: register.value), of: property, by: writer)
      guard isMerged else { continue }
      changed.insert(id)
      if rules[record.entity].lives.contains(property) { moved.insert(id) }
      if let former, rules[record.entity].acyclic.contains(property) {
        noteMove(of: id, property, from: former)
      }
    }
    for fact in change.facts { add(fact, to: record) }
    // Whichever of the two has come first.
    if rules[record.entity].editWins, let life = record.life, life.isDead,
      let latest = record.registers.values.map(\.register.clock).max(), latest > life.clock
    {
      revive(record)
    }
    if changed.contains(id) { try index(record) }
    return true
  }

  /// A deletion of what has been merged deletes what it was merged into.
  private func merge(
    _ life: Life, at clock: Clock, into record: LedgerRecord, of id: RecordID
  ) {
    guard record.id == id || life.isDead else { return }
    if let own = record.life, clock <= own.clock { return }
    record.life = Life(isDead: life.isDead, clock: clock)
    record.lifeNumber = LedgerRecord.pending
    changed.insert(record.id)
    moved.insert(record.id)
  }

  private func add(_ fact: Fact, to record: LedgerRecord) {
    let name = FactName(property: fact.property, name: fact.name)
    guard facts[record.id]?[name] == nil else { return }
    let object = context.insert(
      "Fact",
      values: [
        "zone": zone, "record": UUID(record.id), "property": fact.property,
        "name": UUID(fact.name), "amount": RegistersBlob.bytes(of: fact.amount),
      ])
    facts[record.id, default: [:]][name] = StoredFact(
      amount: fact.amount, number: LedgerRecord.pending, object: object)
    record.hasFacts = true
    changed.insert(record.id)
  }

  /// A clock of the server's own.
  func stamp() -> UInt64 {
    tick = max(tick + 1, now << 16)
    return tick
  }

  /// Above the clock of the deletion.
  func revive(_ record: LedgerRecord) {
    let ticks = max(stamp(), (record.life?.clock.ticks ?? 0) + 1)
    record.life = Life(isDead: false, clock: Clock(ticks: ticks, replica: .server))
    record.lifeNumber = LedgerRecord.pending
    changed.insert(record.id)
    moved.insert(record.id)
  }

  private func accept(_ change: PairChange, at clock: Clock) {
    if let own = pairs[change.pair], clock <= own.change.clock { return }
    head += 1
    pairs[change.pair] = StoredPair(
      change: PairChange(pair: change.pair, clock: clock, isOn: change.isOn), number: head,
      object: pairs[change.pair]?.object)
    changedPairs.insert(change.pair)
  }

  // MARK: - Aliases

  /// What a replica remembers of a merger that the server has forgotten.
  private func accept(_ alias: Alias) throws {
    let winner = try resolve(alias.winner)
    guard let target = try record(winner), target.entity == alias.entity, winner != alias.loser
    else { return }
    if let loser = try record(alias.loser) {
      guard loser.alias == nil, loser.entity == alias.entity else { return }
      try merge(loser, into: target)
    } else {
      let loser = LedgerRecord(id: alias.loser, entity: alias.entity)
      add(loser)
      loser.alias = winner
      changed.insert(alias.loser)
      try redirect(alias.loser, to: winner)
    }
  }

  /// The later values go to the winner, all facts, and whatever refers to the loser. Who wrote the
  /// other values had not seen that the two would be one.
  func merge(_ loser: LedgerRecord, into winner: LedgerRecord) throws {
    loser.alias = winner.id
    for (property, numbered) in loser.registers {
      let former = winner.value(property)
      _ = winner.merge(numbered.register, of: property)
      if let former, former != numbered.register.value {
        winner.registers[property]?.isUnseen = true
      }
    }
    if let life = loser.life, !life.isDead, winner.life.map({ life.clock > $0.clock }) ?? true {
      winner.life = life
      winner.lifeNumber = LedgerRecord.pending
    }
    loser.registers = [:]
    try moveFacts(of: loser, to: winner)
    try index(loser)
    try index(winner)
    changed.formUnion([loser.id, winner.id])
    try redirect(loser.id, to: winner.id)
  }

  private func moveFacts(of loser: LedgerRecord, to winner: LedgerRecord) throws {
    guard loser.hasFacts else { return }
    try loadFacts(of: [loser.id, winner.id])
    for (name, fact) in facts.removeValue(forKey: loser.id) ?? [:] {
      if facts[winner.id]?[name] == nil {
        fact.object.setValue(UUID(winner.id), forKey: "record")
        facts[winner.id, default: [:]][name] = StoredFact(
          amount: fact.amount, number: LedgerRecord.pending, object: fact.object)
      } else {
        context.delete(fact.object)
      }
    }
    loser.hasFacts = false
    winner.hasFacts = true
  }

  private func redirect(_ loser: RecordID, to winner: RecordID) throws {
    moved.formUnion([loser, winner])
    let records = Set(try referrers(to: [loser])[loser, default: []].map(\.record))
    try load(records)
    for id in records {
      if let record = try record(id) { try index(record) }
    }
  }
}
