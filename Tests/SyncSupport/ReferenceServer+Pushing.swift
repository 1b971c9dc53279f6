import CoreDataSync

extension ReferenceServer {
  package mutating func push(
    _ message: PushMessage, mayWrite: Bool = true, readOnly: Set<String> = []
  ) -> Pushed {
    if let own = message.epoch, own != epoch { return answer(.otherEpoch) }
    if let known = answers[message.id] { return known }
    if last[message.replica] != message.previous { return answer(.fork) }
    if message.previous != nil || message.safe != 0, message.safe < horizon {
      return answer(.reset)
    }
    var acceptance = Acceptance()
    let limit = (now + 300_000) * 65536
    var clocks = message.pairs.map(\.clock)
    for change in message.records {
      clocks += change.registers.values.map(\.clock) + (change.life.map { [$0.clock] } ?? [])
    }
    for clock in Set(clocks).sorted() where clock.ticks > limit {
      ceiling = max(ceiling, limit) + 1
      acceptance.clamped[clock] = Clock(ticks: ceiling, replica: clock.replica)
    }
    let clamped = acceptance.clamped
    let fix = { (clock: Clock) in clamped[clock] ?? clock }
    var changed: Set<RecordID> = []
    var moves: [Move] = []
    for change in message.records {
      if let denial = denial(of: change, mayWrite: mayWrite, readOnly: readOnly) {
        acceptance.denied[change.id] = denial
      } else {
        accept(change, of: message, fixing: fix, &changed, &acceptance, &moves)
      }
    }
    for alias in message.aliases where mayWrite && !readOnly.contains(alias.entity) {
      accept(alias, &changed)
    }
    for change in message.pairs {
      let entity = String(change.pair.relationship.split(separator: ".")[0])
      if let denial = Self.denial(of: entity, mayWrite: mayWrite, readOnly: readOnly) {
        acceptance.pairDenials[change.pair.relationship] = denial
        acceptance.deniedPairs.append(
          pairs[change.pair]?.value ?? PairChange(pair: change.pair, clock: .never, isOn: false))
        continue
      }
      let clock = fix(change.clock)
      if let own = pairs[change.pair], clock <= own.value.clock { continue }
      head += 1
      pairs[change.pair] = Numbered(
        value: PairChange(pair: change.pair, clock: clock, isOn: change.isOn), number: head)
    }
    undoCircles(moves, &changed)
    settle(&changed)
    let accepted = message.records.filter { acceptance.denied[$0.id] == nil }
    noteTaken(by: accepted.filter { $0.life?.isDead == true }, message, &changed)
    for id in Set(accepted.map { resolve($0.id) }) where records[id]?.life?.isDead == false {
      let isLost = isAlive(id) == false
      for (property, one) in records[id]!.registers where one.number == -1 {
        if isLost || leadsToDead(one.value.value) { records[id]!.taken.insert(property) }
      }
    }
    for id in changed.sorted() { number(id) }
    last[message.replica] = message.id
    acceptance.truth = acceptance.denied.keys.sorted().compactMap { id in
      records[id].map { row(id, $0, after: 0) }
    }
    let answer = answer(.accepted(acceptance))
    answers[message.id] = answer
    ends[message.id] = head
    return answer
  }

  private func answer(_ outcome: Pushed.Outcome) -> Pushed {
    Pushed(outcome: outcome, epoch: epoch, now: now)
  }

  private static func denial(
    of entity: String, mayWrite: Bool, readOnly: Set<String>
  ) -> String? {
    if !mayWrite { return "This key may not write in this zone." }
    return readOnly.contains(entity) ? "This key may not write \(entity)." : nil
  }

  private func denial(
    of change: RecordChange, mayWrite: Bool, readOnly: Set<String>
  ) -> String? {
    if let denial = Self.denial(of: change.entity, mayWrite: mayWrite, readOnly: readOnly) {
      return denial
    }
    guard let own = records[change.id], own.entity != change.entity else { return nil }
    return "The record is a \(own.entity), not a \(change.entity)."
  }

  private mutating func accept(
    _ change: RecordChange, of message: PushMessage, fixing fix: (Clock) -> Clock,
    _ changed: inout Set<RecordID>, _ acceptance: inout Acceptance, _ moves: inout [Move]
  ) {
    let id = resolve(change.id)
    if graves.contains(id) || records[id] == nil && change.life == nil {
      acceptance.gone.append(change.id)
      return
    }
    var record = records[id] ?? Record(entity: change.entity)
    if let life = change.life, id == change.id || life.isDead {
      let clock = fix(life.clock)
      if record.life == nil || clock > record.life!.clock {
        record.life = Life(isDead: life.isDead, clock: clock)
        record.lifeNumber = -1
        changed.insert(id)
      }
    }
    let before = record.registers
    for (property, register) in change.registers {
      let new = Register(clock: fix(register.clock), value: register.value)
      let old = record.registers[property]
      if old.map({ Self.after(new, $0.value) }) ?? true {
        record.unseen.remove(property)
        record.taken.remove(property)
        if let old, Self.isNew(old, message), old.value.value != new.value {
          record.unseen.insert(property)
        }
        record.registers[property] = Numbered(value: new, number: -1)
        changed.insert(id)
        if records[id] != nil,
          schema.entities[record.entity]?.references[property]?.isAcyclic == true
        {
          moves.append(
            Move(
              id: id, property: property, former: old?.value.value ?? .null,
              place: before[property + ".position"]?.value.value))
        }
      }
    }
    for fact in change.facts {
      let name = FactName(property: fact.property, name: fact.name)
      if record.facts[name] == nil {
        record.facts[name] = Numbered(value: fact.amount, number: -1)
        changed.insert(id)
      }
    }
    if schema.entities[record.entity]?.editWins == true, let life = record.life, life.isDead,
      let best = record.registers.values.map(\.value.clock).max(), best > life.clock
    {
      record.life = revived(life)
      record.lifeNumber = -1
      events["edit won", default: 0] += 1
    }
    records[id] = record
  }

  private mutating func accept(_ alias: Alias, _ changed: inout Set<RecordID>) {
    let winner = resolve(alias.winner)
    guard let target = records[winner], target.entity == alias.entity, winner != alias.loser
    else { return }
    guard let loser = records[alias.loser] else {
      records[alias.loser] = Record(entity: alias.entity, alias: winner)
      changed.insert(alias.loser)
      return
    }
    if loser.alias == nil, loser.entity == alias.entity { merge(alias.loser, winner, &changed) }
  }

  /// Whether the sender of a message does not know a register.
  private static func isNew(_ one: Numbered<Register>, _ message: PushMessage) -> Bool {
    one.number > message.safe && one.value.clock.replica != message.replica
  }

  private mutating func noteTaken(
    by deletions: [RecordChange], _ message: PushMessage, _ changed: inout Set<RecordID>
  ) {
    var taken = Set(deletions.map { resolve($0.id) }).filter { records[$0]?.life?.isDead ?? true }
    taken = taken.filter { records[$0] != nil }
    while true {
      let more = records.filter { id, record in
        guard !taken.contains(id), record.life?.isDead == false else { return false }
        return schema.entities[record.entity]!.references.contains { property, reference in
          guard reference.isRequired || reference.rule == .cascade,
            case .reference(let target)? = record.registers[property]?.value.value
          else { return false }
          return taken.contains(resolve(target))
        }
      }.keys
      if more.isEmpty { break }
      taken.formUnion(more)
    }
    for id in taken {
      for (property, one) in records[id]!.registers where Self.isNew(one, message) {
        records[id]!.registers[property]!.number = -1
        records[id]!.taken.insert(property)
        changed.insert(id)
      }
    }
    for (id, record) in records where record.life?.isDead == false && !taken.contains(id) {
      for property in schema.entities[record.entity]!.references.keys {
        guard let one = record.registers[property], case .reference(let target) = one.value.value,
          taken.contains(resolve(target)), Self.isNew(one, message)
        else { continue }
        records[id]!.registers[property]!.number = -1
        records[id]!.taken.insert(property)
        changed.insert(id)
      }
    }
  }

  private func leadsToDead(_ value: SyncValue) -> Bool {
    if case .reference(let target) = value { isAlive(target) == false } else { false }
  }

  static func after(_ new: Register, _ old: Register) -> Bool {
    new.clock > old.clock
      || new.clock == old.clock && new.value.fingerprint > old.value.fingerprint
  }

  mutating func revived(_ life: Life) -> Life {
    tick = max(tick + 1, now * 65536)
    return Life(
      isDead: false,
      clock: Clock(ticks: max(tick, life.clock.ticks + 1), replica: ReplicaID(UInt64.max)))
  }

  private mutating func number(_ id: RecordID) {
    head += 1
    records[id]!.number = head
    if records[id]!.lifeNumber == -1 { records[id]!.lifeNumber = head }
    for (name, one) in records[id]!.registers where one.number == -1 {
      records[id]!.registers[name]!.number = head
    }
    for (name, one) in records[id]!.facts where one.number == -1 {
      records[id]!.facts[name]!.number = head
    }
  }
}
