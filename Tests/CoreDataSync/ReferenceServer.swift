@testable import CoreDataSync

/// The server's rules in plain values, without any store: what a push makes of the state, and what
/// a pull answers. It shares no code with the server.
final class ReferenceServer {
  struct Numbered<Value> {
    var value: Value
    var seq: Int64
  }
  struct Entry {
    var entity: String
    var life: Numbered<Life>?
    var registers: [String: Numbered<Register>] = [:]
    var facts: [RecordID: Numbered<Fact>] = [:]
    var alias: RecordID?
    var seq: Int64 = 0
    /// Registers that replaced, or went with, what somebody had not seen.
    var unseen: Set<String> = []
  }
  struct Pairing {
    var clock: Clock
    var isOn: Bool
    var seq: Int64
  }
  struct State {
    var entries: [RecordID: Entry] = [:]
    var pairs: [Pair: Pairing] = [:]
    var seq: Int64 = 1
    var horizon: Int64 = 0
    var graves: Set<RecordID> = []
    var lastPushes: [ReplicaID: RecordID] = [:]
    var answers: [RecordID: Pushed] = [:]
    var tick: UInt64 = 0
    var ceiling: UInt64 = 0
  }
  let schema: SyncSchema
  var state = State()
  var epoch: RecordID
  /// Milliseconds since 1970.
  var now: Int64 = 0
  /// Merges and revivals that the server decided.
  var decisions = 0

  init(schema: SyncSchema, epoch: RecordID) {
    self.schema = schema
    self.epoch = epoch
  }

  // MARK: - Questions

  func resolve(_ id: RecordID) -> RecordID {
    var id = id
    while let alias = state.entries[id]?.alias { id = alias }
    return id
  }

  func lifelines(_ entity: String) -> [String] {
    (schema.entities[entity]?.references ?? [:]).filter {
      $0.value.isRequired || $0.value.rule == .cascade
    }
    .keys.sorted()
  }

  /// Whether a record lives with what it hangs on; nil if that is not here. `spared` counts as
  /// alive.
  func isAlive(_ id: RecordID, sparing spared: RecordID? = nil, path: [RecordID] = []) -> Bool? {
    let id = resolve(id)
    if id == spared || path.contains(id) { return true }
    guard let entry = state.entries[id] else { return nil }
    guard let life = entry.life?.value, !life.isDead else { return false }
    var answer: Bool? = true
    for lifeline in lifelines(entry.entity) {
      guard let target = target(of: entry, lifeline) else { continue }
      let parent = isAlive(target, sparing: spared, path: path + [id])
      if parent == false { return false }
      if parent == nil { answer = nil }
    }
    return answer
  }

  /// The deleted ones that a record is dead by.
  private func deadOnes(above id: RecordID) -> Set<RecordID> {
    var dead: Set<RecordID> = []
    var seen: Set<RecordID> = []
    var rest = [id]
    while let next = rest.popLast().map({ resolve($0) }) {
      guard seen.insert(next).inserted, let entry = state.entries[next] else { continue }
      if entry.life?.value.isDead ?? true { dead.insert(next) }
      rest += lifelines(entry.entity).compactMap { target(of: entry, $0) }
    }
    return dead
  }

  private func target(of entry: Entry, _ reference: String) -> RecordID? {
    if case .reference(let id)? = entry.registers[reference]?.value.value { id } else { nil }
  }

  private func follows(_ register: Register, _ old: Numbered<Register>?) -> Bool {
    guard let old = old?.value else { return true }
    return register.clock > old.clock
      || register.clock == old.clock && register.value.fingerprint > old.value.fingerprint
  }

  private func stamp() -> UInt64 {
    state.tick = max(state.tick + 1, UInt64(now) << 16)
    return state.tick
  }

  // MARK: - Push

  func push(_ message: PushMessage, readOnly: Set<String> = []) -> Pushed {
    func answer(_ outcome: Pushed.Outcome) -> Pushed {
      Pushed(outcome: outcome, epoch: epoch, now: UInt64(now))
    }
    if let known = message.epoch, known != epoch { return answer(.otherEpoch) }
    if let stored = state.answers[message.id] { return stored }
    if state.lastPushes[message.replica] != message.previous { return answer(.fork) }
    if message.previous != nil || message.safe > 0, message.safe < state.horizon {
      return answer(.reset)
    }
    var acceptance = Acceptance(clamped: clamps(message))
    var changed: Set<RecordID> = []
    for change in message.records { take(change, readOnly, message, &acceptance, &changed) }
    for alias in message.aliases { take(alias, &changed) }
    for change in message.pairs {
      if readOnly.contains(String(change.pair.relationship.prefix { $0 != "." })) {
        let own = state.pairs[change.pair]
        acceptance.deniedPairs.append(
          PairChange(
            pair: change.pair, clock: own?.clock ?? .never, isOn: own?.isOn ?? false))
        continue
      }
      let clock = acceptance.clamped[change.clock] ?? change.clock
      if state.pairs[change.pair].map({ clock > $0.clock }) ?? true {
        state.seq += 1
        state.pairs[change.pair] = Pairing(clock: clock, isOn: change.isOn, seq: state.seq)
      }
    }
    settle(&changed)
    markUnseen(message, readOnly, &changed)
    for id in changed.sorted() { number(id) }
    acceptance.truth = acceptance.denied.keys.sorted().compactMap { id in
      state.entries[id].map { row(id, $0, above: 0) }
    }
    state.lastPushes[message.replica] = message.id
    let result = answer(.accepted(acceptance))
    state.answers[message.id] = result
    return result
  }

  private func clamps(_ message: PushMessage) -> [Clock: Clock] {
    let limit = UInt64(now + 300_000) << 16
    let clocks =
      message.records.flatMap { change in
        [change.life?.clock].compactMap { $0 } + change.registers.values.map(\.clock)
      } + message.pairs.map(\.clock)
    var clamped: [Clock: Clock] = [:]
    for clock in Set(clocks).filter({ $0.ticks > limit }).sorted() {
      state.ceiling = max(state.ceiling, limit) + 1
      clamped[clock] = Clock(ticks: state.ceiling, replica: clock.replica)
    }
    return clamped
  }

  private func take(
    _ change: RecordChange, _ readOnly: Set<String>, _ message: PushMessage,
    _ acceptance: inout Acceptance, _ changed: inout Set<RecordID>
  ) {
    func fix(_ clock: Clock) -> Clock { acceptance.clamped[clock] ?? clock }
    let id = resolve(change.id)
    if readOnly.contains(change.entity) {
      acceptance.denied[change.id] = "read only"
      return
    }
    if state.graves.contains(id) {
      acceptance.gone.append(change.id)
      return
    }
    if state.entries[id] == nil {
      guard change.life != nil else {
        acceptance.gone.append(change.id)
        return
      }
      state.entries[id] = Entry(entity: change.entity)
    }
    guard var entry = state.entries[id] else { return }
    if let life = change.life {
      let clock = fix(life.clock)
      // The deletion of what has been merged deletes the merged one.
      if id == change.id || life.isDead, entry.life.map({ clock > $0.value.clock }) ?? true {
        entry.life = Numbered(value: Life(isDead: life.isDead, clock: clock), seq: -1)
        changed.insert(id)
      }
    }
    for (name, register) in change.registers {
      let fixed = Register(clock: fix(register.clock), value: register.value)
      guard follows(fixed, entry.registers[name]) else { continue }
      if let old = entry.registers[name], isUnseen(old, message), old.value.value != fixed.value {
        entry.unseen.insert(name)
      } else {
        entry.unseen.remove(name)
      }
      entry.registers[name] = Numbered(value: fixed, seq: -1)
      changed.insert(id)
    }
    for fact in change.facts where entry.facts[fact.name] == nil {
      entry.facts[fact.name] = Numbered(value: fact, seq: -1)
      changed.insert(id)
    }
    if schema.entities[entry.entity]?.editWins ?? false, let life = entry.life?.value, life.isDead,
      let latest = entry.registers.values.map(\.value.clock).max(), latest > life.clock
    {
      revive(&entry)
      changed.insert(id)
    }
    state.entries[id] = entry
  }

  private func isUnseen(_ register: Numbered<Register>, _ message: PushMessage) -> Bool {
    register.seq > message.safe && register.value.clock.replica != message.replica
  }

  /// What deletions take of what their writer had not seen, and what was added to deleted ones.
  private func markUnseen(
    _ message: PushMessage, _ readOnly: Set<String>, _ changed: inout Set<RecordID>
  ) {
    var dead = Set(
      message.records.filter { $0.life?.isDead ?? false && !readOnly.contains($0.entity) }
        .map { resolve($0.id) }
    ).filter { state.entries[$0]?.life?.value.isDead ?? false }
    var count = -1
    while count != dead.count {
      count = dead.count
      for (id, entry) in state.entries
      where entry.alias == nil && entry.life?.value.isDead == false
        && lifelines(entry.entity).contains(where: { name in
          target(of: entry, name).map { dead.contains(resolve($0)) } ?? false
        })
      { dead.insert(id) }
    }
    for id in dead {
      for (name, register) in state.entries[id]?.registers ?? [:] where isUnseen(register, message)
      {
        state.entries[id]?.registers[name]?.seq = -1
        state.entries[id]?.unseen.insert(name)
        changed.insert(id)
      }
    }
    for id in Set(message.records.map { resolve($0.id) }) {
      guard let entry = state.entries[id], entry.life?.value.isDead == false, isAlive(id) == false
      else { continue }
      for (name, register) in entry.registers where register.seq == -1 {
        state.entries[id]?.unseen.insert(name)
      }
    }
  }

  private func revive(_ entry: inout Entry) {
    let ticks = max(stamp(), (entry.life?.value.clock.ticks ?? 0) + 1)
    entry.life = Numbered(
      value: Life(isDead: false, clock: Clock(ticks: ticks, replica: .server)), seq: -1)
  }

  private func take(_ alias: Alias, _ changed: inout Set<RecordID>) {
    let winner = resolve(alias.winner)
    guard state.entries[winner] != nil, winner != alias.loser else { return }
    if let entry = state.entries[alias.loser] {
      if entry.alias == nil { merge(alias.loser, winner, &changed) }
    } else {
      var entry = Entry(entity: alias.entity)
      entry.alias = winner
      state.entries[alias.loser] = entry
      changed.insert(alias.loser)
    }
  }

  private func number(_ id: RecordID) {
    guard var entry = state.entries[id] else { return }
    state.seq += 1
    let seq = state.seq
    entry.seq = seq
    if entry.life?.seq == -1 { entry.life?.seq = seq }
    for (name, register) in entry.registers where register.seq == -1 {
      entry.registers[name]?.seq = seq
    }
    for (name, fact) in entry.facts where fact.seq == -1 { entry.facts[name]?.seq = seq }
    state.entries[id] = entry
  }

  // MARK: - Decisions

  private func merge(_ loser: RecordID, _ winner: RecordID, _ changed: inout Set<RecordID>) {
    guard var lost = state.entries[loser], var kept = state.entries[winner] else { return }
    decisions += 1
    lost.alias = winner
    for (name, register) in lost.registers where follows(register.value, kept.registers[name]) {
      kept.registers[name] = Numbered(value: register.value, seq: -1)
      kept.unseen.remove(name)
    }
    for (name, fact) in lost.facts where kept.facts[name] == nil {
      kept.facts[name] = Numbered(value: fact.value, seq: -1)
    }
    if let life = lost.life?.value, !life.isDead,
      kept.life.map({ life.clock > $0.value.clock }) ?? true
    {
      kept.life = Numbered(
        value: Life(isDead: false, clock: max(life.clock, kept.life?.value.clock ?? .never)),
        seq: -1)
    }
    lost.registers = [:]
    lost.unseen = []
    lost.facts = [:]
    state.entries[loser] = lost
    state.entries[winner] = kept
    changed.formUnion([loser, winner])
  }

  private func settle(_ changed: inout Set<RecordID>) {
    var again = true
    while again {
      again = settleUniqueness(&changed)
      if settleDeny(&changed) { again = true }
    }
  }

  private struct Key: Hashable {
    let entity: String
    let constraint: [String]
    let values: [SyncValue]
  }

  private func settleUniqueness(_ changed: inout Set<RecordID>) -> Bool {
    var seen: [Key: RecordID] = [:]
    var again = false
    for id in state.entries.keys.sorted() {
      for constraint in schema.entities[state.entries[id]?.entity ?? ""]?.uniqueness ?? [] {
        guard let entry = state.entries[id], entry.alias == nil, isAlive(id) == true else { break }
        let values = constraint.map { entry.registers[$0]?.value.value ?? .null }
        guard !values.contains(.null) else { continue }
        let key = Key(entity: entry.entity, constraint: constraint, values: values)
        if let other = seen[key] {
          merge(id, other, &changed)
          again = true
        } else {
          seen[key] = id
        }
      }
    }
    return again
  }

  private func settleDeny(_ changed: inout Set<RecordID>) -> Bool {
    var again = false
    for id in state.entries.keys.sorted() {
      guard let entry = state.entries[id], entry.alias == nil else { continue }
      for (name, reference) in schema.entities[entry.entity]?.references ?? [:]
      where reference.rule == .deny {
        guard let target = target(of: entry, name).map({ resolve($0) }),
          isAlive(target) == false, isAlive(id, sparing: target) == true
        else { continue }
        let dead = deadOnes(above: target)
        guard dead.allSatisfy({ state.entries[$0]?.registers.isEmpty == false }) else { continue }
        for id in dead.sorted() {
          guard var owner = state.entries[id] else { continue }
          revive(&owner)
          state.entries[id] = owner
          changed.insert(id)
        }
        decisions += 1
        again = true
      }
    }
    return again
  }

  // MARK: - Pull

  func pull(_ request: PullRequest) -> Pulled {
    func answer(_ outcome: Pulled.Outcome) -> Pulled {
      Pulled(outcome: outcome, epoch: epoch, now: UInt64(now))
    }
    if let known = request.epoch, known != epoch { return answer(.otherEpoch) }
    if request.cursor > state.seq { return answer(.otherEpoch) }
    if request.cursor > 0, request.safe < state.horizon { return answer(.reset) }
    var rows: [(seq: Int64, row: Page.Row)] = []
    for (id, entry) in state.entries where entry.seq > request.cursor {
      rows.append((entry.seq, .record(row(id, entry, above: request.base))))
    }
    for (pair, pairing) in state.pairs where pairing.seq > request.cursor {
      let change = PairChange(pair: pair, clock: pairing.clock, isOn: pairing.isOn)
      rows.append((pairing.seq, .pair(change)))
    }
    rows.sort { $0.seq < $1.seq }
    let isDone = rows.count <= request.limit
    rows = Array(rows.prefix(request.limit))
    let wanted = request.wanted.compactMap { id -> Page.Row? in
      let id = resolve(id)
      return state.entries[id].map { .record(row(id, $0, above: 0)) }
    }
    return answer(
      .page(
        Page(
          rows: rows.map(\.row) + wanted, cursor: isDone ? state.seq : rows.last!.seq,
          head: state.seq, isDone: isDone)))
  }

  private func row(_ id: RecordID, _ entry: Entry, above base: Int64) -> RecordRow {
    let registers = entry.registers.filter { $0.value.seq > base }
    return RecordRow(
      id: id, entity: entry.entity, alias: entry.alias, life: entry.life?.value,
      registers: registers.mapValues(\.value),
      facts: entry.facts.values.filter { $0.seq > base }.map(\.value).sorted { $0.name < $1.name },
      isWhole: base == 0, unseen: entry.unseen.intersection(registers.keys))
  }

  // MARK: - Compaction

  /// Forgets tombstones, and what is dead with them.
  func compact() {
    let dead = state.entries.keys.filter { state.entries[$0]?.alias == nil && isAlive($0) == false }
    for id in dead { state.entries[id] = nil }
    state.graves.formUnion(dead)
    let aliases = state.entries.filter {
      $0.value.alias != nil && state.graves.contains(resolve($0.key))
    }
    for id in aliases.keys { state.entries[id] = nil }
    state.graves.formUnion(aliases.keys)
    var groups: [Pair: [(Pair, Pairing)]] = [:]
    for (pair, pairing) in state.pairs {
      let resolved = Pair(
        relationship: pair.relationship, first: resolve(pair.first), second: resolve(pair.second))
      groups[resolved, default: []].append((pair, pairing))
    }
    for (resolved, members) in groups {
      // A pair under an alias must not come back when the newer removal is forgotten.
      let last = members.max { ($0.1.clock, $0.0) < ($1.1.clock, $1.0) }!
      let isBuried = state.graves.contains(resolved.first) || state.graves.contains(resolved.second)
      for (pair, pairing) in members where isBuried || !last.1.isOn || !pairing.isOn {
        state.pairs[pair] = nil
      }
    }
    state.horizon = state.seq
  }
}
