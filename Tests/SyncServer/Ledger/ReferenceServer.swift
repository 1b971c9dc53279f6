import CoreDataSync
import SyncServer

/// The rules of the server in plain values, by scans over everything: shares no code with what is tested.
struct ReferenceServer {
  struct Numbered<Value: Equatable>: Equatable {
    var value: Value
    var number: Int64
  }

  struct FactName: Hashable {
    let property: String
    let name: RecordID
  }

  struct Record {
    let entity: String
    var life: Life?
    var registers: [String: Numbered<Register>] = [:]
    var facts: [FactName: Numbered<SyncValue>] = [:]
    var alias: RecordID?
    var number: Int64 = 0
    var lifeNumber: Int64 = 0
    /// Registers by which somebody lost what another had not seen.
    var unseen: Set<String> = []
  }

  let schema: SyncSchema
  var epoch: RecordID
  var now: UInt64
  var records: [RecordID: Record] = [:]
  var pairs: [Pair: Numbered<PairChange>] = [:]
  var head: Int64 = 1
  var horizon: Int64 = 0
  var last: [ReplicaID: RecordID] = [:]
  var answers: [RecordID: Pushed] = [:]
  var ends: [RecordID: Int64] = [:]
  var graves: Set<RecordID> = []
  var ceiling: UInt64 = 0
  var tick: UInt64 = 0
  /// How often something needed an arbiter.
  var events: [String: Int] = [:]

  init(schema: SyncSchema, epoch: RecordID, now: UInt64) {
    self.schema = schema
    self.epoch = epoch
    self.now = now
  }

  // MARK: - Pushing

  mutating func push(_ message: PushMessage, _ rights: SyncRights) -> Pushed {
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
    for change in message.records { accept(change, message, rights, fix, &changed, &acceptance) }
    for alias in message.aliases where mayWrite(alias.entity, rights) { accept(alias, &changed) }
    for change in message.pairs {
      let entity = String(change.pair.relationship.split(separator: ".")[0])
      guard mayWrite(entity, rights) else {
        acceptance.pairDenials[change.pair.relationship] =
          rights.mayWrite
          ? "This key may not write \(entity)." : "This key may not write in this zone."
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
    settle(&changed)
    let accepted = message.records.filter { acceptance.denied[$0.id] == nil }
    noteTaken(by: accepted.filter { $0.life?.isDead == true }, message, &changed)
    for id in Set(accepted.map { resolve($0.id) })
    where records[id]?.life?.isDead == false && isAlive(id) == false {
      for (property, one) in records[id]!.registers where one.number == -1 {
        records[id]!.unseen.insert(property)
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

  private func mayWrite(_ entity: String, _ rights: SyncRights) -> Bool {
    rights.mayWrite && !rights.readOnly.contains(entity)
  }

  private mutating func accept(
    _ change: RecordChange, _ message: PushMessage, _ rights: SyncRights, _ fix: (Clock) -> Clock,
    _ changed: inout Set<RecordID>, _ acceptance: inout Acceptance
  ) {
    let id = resolve(change.id)
    if !rights.mayWrite {
      acceptance.denied[change.id] = "This key may not write in this zone."
      return
    }
    if rights.readOnly.contains(change.entity) {
      acceptance.denied[change.id] = "This key may not write \(change.entity)."
      return
    }
    if let own = records[change.id], own.entity != change.entity {
      acceptance.denied[change.id] = "The record is a \(own.entity), not a \(change.entity)."
      return
    }
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
    for (property, register) in change.registers {
      let new = Register(clock: fix(register.clock), value: register.value)
      let old = record.registers[property]
      if old.map({ Self.after(new, $0.value) }) ?? true {
        record.unseen.remove(property)
        if let old, Self.isNew(old, message), old.value.value != new.value {
          record.unseen.insert(property)
        }
        record.registers[property] = Numbered(value: new, number: -1)
        changed.insert(id)
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
        records[id]!.unseen.insert(property)
        changed.insert(id)
      }
    }
  }

  static func after(_ new: Register, _ old: Register) -> Bool {
    new.clock > old.clock
      || new.clock == old.clock && new.value.fingerprint > old.value.fingerprint
  }

  private mutating func revived(_ life: Life) -> Life {
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

  // MARK: - Deciding

  func resolve(_ id: RecordID) -> RecordID {
    var id = id
    while let alias = records[id]?.alias { id = alias }
    return id
  }

  /// Nil: something that it lives by is not known.
  func isAlive(_ id: RecordID, but spared: RecordID? = nil, path: Set<RecordID> = []) -> Bool? {
    let id = resolve(id)
    if id == spared || path.contains(id) { return true }
    guard let record = records[id] else { return nil }
    guard let life = record.life, !life.isDead else { return false }
    var answer: Bool? = true
    for (property, reference) in schema.entities[record.entity]!.references
    where reference.isRequired || reference.rule == .cascade {
      guard case .reference(let target)? = record.registers[property]?.value.value else { continue }
      switch isAlive(target, but: spared, path: path.union([id])) {
      case false?: return false
      case nil: answer = nil
      default: break
      }
    }
    return answer
  }

  /// The deleted ones that a record is dead by.
  private func collectDead(
    above id: RecordID, _ path: Set<RecordID>, _ dead: inout Set<RecordID>
  ) {
    let id = resolve(id)
    guard !path.contains(id), let record = records[id] else { return }
    if record.life?.isDead ?? true { dead.insert(id) }
    for (property, reference) in schema.entities[record.entity]!.references
    where reference.isRequired || reference.rule == .cascade {
      guard case .reference(let target)? = record.registers[property]?.value.value else { continue }
      collectDead(above: target, path.union([id]), &dead)
    }
  }

  private mutating func merge(
    _ loser: RecordID, _ winner: RecordID, _ changed: inout Set<RecordID>
  ) {
    events["merged", default: 0] += 1
    let a = records[loser]!
    var w = records[winner]!
    for (property, one) in a.registers
    where w.registers[property].map({ Self.after(one.value, $0.value) }) ?? true {
      w.registers[property] = Numbered(value: one.value, number: -1)
      w.unseen.remove(property)
    }
    for (name, one) in a.facts where w.facts[name] == nil {
      w.facts[name] = Numbered(value: one.value, number: -1)
    }
    if let life = a.life, !life.isDead, w.life == nil || life.clock > w.life!.clock {
      w.life = life
      w.lifeNumber = -1
    }
    records[winner] = w
    records[loser]!.alias = winner
    records[loser]!.registers = [:]
    records[loser]!.unseen = []
    records[loser]!.facts = [:]
    changed.formUnion([loser, winner])
  }

  private mutating func settle(_ changed: inout Set<RecordID>) {
    var goesOn = true
    while goesOn {
      goesOn = false
      var seen: [[SyncValue]: RecordID] = [:]
      for id in records.keys.sorted() {
        guard records[id]!.alias == nil, isAlive(id) == true else { continue }
        for constraint in schema.entities[records[id]!.entity]!.uniqueness {
          let values = constraint.map { records[id]!.registers[$0]?.value.value ?? .null }
          guard !values.contains(.null) else { continue }
          let key = [.text(records[id]!.entity)] + constraint.map { .text($0) } + values
          if let winner = seen[key] {
            // It may have been merged by another constraint since.
            merge(id, resolve(winner), &changed)
            goesOn = true
            break
          }
          seen[key] = id
        }
      }
      for id in records.keys.sorted() where records[id]!.alias == nil {
        let references = schema.entities[records[id]!.entity]!.references
        for (property, reference) in references.sorted(by: { $0.key < $1.key })
        where reference.rule == .deny {
          guard case .reference(let raw)? = records[id]!.registers[property]?.value.value
          else { continue }
          let target = resolve(raw)
          guard records[target] != nil, isAlive(target) == false, isAlive(id, but: target) == true
          else { continue }
          var dead: Set<RecordID> = []
          collectDead(above: target, [], &dead)
          guard dead.allSatisfy({ records[$0]!.life != nil && !records[$0]!.registers.isEmpty })
          else { continue }
          for id in dead.sorted() {
            records[id]!.life = revived(records[id]!.life!)
            records[id]!.lifeNumber = -1
            changed.insert(id)
          }
          events["denied", default: 0] += 1
          goesOn = true
        }
      }
    }
  }

  // MARK: - Pulling

  func pull(_ request: PullRequest) -> Pulled {
    let outcome: Pulled.Outcome =
      if let own = request.epoch, own != epoch { .otherEpoch } else if request.cursor > head {
        .otherEpoch
      } else if request.cursor != 0, request.safe < horizon { .reset } else {
        .page(page(request))
      }
    return Pulled(outcome: outcome, epoch: epoch, now: now)
  }

  private func page(_ request: PullRequest) -> Page {
    var rows: [(Int64, Page.Row)] = []
    for (id, record) in records where record.number > request.cursor {
      rows.append((record.number, .record(row(id, record, after: request.base))))
    }
    for (_, pair) in pairs where pair.number > request.cursor {
      rows.append((pair.number, .pair(pair.value)))
    }
    rows.sort { $0.0 < $1.0 }
    let isDone = rows.count <= request.limit
    var cursor = head
    if !isDone {
      rows = Array(rows.prefix(request.limit))
      cursor = rows.last!.0
      let end = ends.values.filter { $0 > request.cursor && $0 <= cursor }.max()
      cursor = end ?? cursor
      rows.removeAll { $0.0 > cursor }
    }
    let wanted = request.wanted.compactMap { id -> Page.Row? in
      let id = resolve(id)
      return records[id].map { .record(row(id, $0, after: 0)) }
    }
    return Page(rows: rows.map(\.1) + wanted, cursor: cursor, head: head, isDone: isDone)
  }

  private func row(_ id: RecordID, _ record: Record, after base: Int64) -> RecordRow {
    let registers = record.registers.filter { $0.value.number > base }
    return RecordRow(
      id: id, entity: record.entity, alias: record.alias, life: record.life,
      registers: registers.mapValues(\.value),
      facts: record.facts.filter { $0.value.number > base }
        .map { Fact(property: $0.key.property, name: $0.key.name, amount: $0.value.value) }
        .sorted { ($0.property, $0.name) < ($1.property, $1.name) },
      isWhole: base == 0, unseen: record.unseen.intersection(registers.keys))
  }

  // MARK: - Forgetting

  /// Everything that is dead now.
  mutating func compact() {
    let dead = records.keys.filter { records[$0]!.alias == nil && isAlive($0) == false }
    for id in dead { records[id] = nil }
    graves.formUnion(dead)
    let aliases = records.keys.filter { records[$0]!.alias != nil && graves.contains(resolve($0)) }
    for id in aliases { records[id] = nil }
    graves.formUnion(aliases)
    struct Ends: Hashable {
      let relationship: String
      let first: RecordID
      let second: RecordID
    }
    let groups = Dictionary(grouping: pairs) {
      Ends(
        relationship: $0.key.relationship, first: resolve($0.key.first),
        second: resolve($0.key.second))
    }
    for (end, group) in groups {
      let last = group.max {
        ($0.value.value.clock, $0.value.number) < ($1.value.value.clock, $1.value.number)
      }!
      for (pair, one) in group
      where graves.contains(end.first) || graves.contains(end.second) || !last.value.value.isOn
        || !one.value.isOn
      {
        pairs[pair] = nil
      }
    }
    horizon = head
    for (id, end) in ends where end <= horizon && !last.values.contains(id) {
      ends[id] = nil
      answers[id] = nil
    }
  }
}
