extension ReplicaState {
  /// Takes over a page: what it says of records that are asked for, register by register.
  mutating func merge(_ page: Page) {
    for row in page.rows {
      switch row {
      case .record(let record): merge(record)
      case .pair(let pair): merge(pair)
      }
    }
    guard !standing.wanted.isEmpty else { return }
    let whole = Set(
      page.rows.compactMap { row in
        if case .record(let record) = row, record.isWhole { record.id } else { nil }
      })
    standing.wanted = standing.wanted.filter {
      !whole.contains($0) && !whole.contains(resolve($0))
    }
  }

  private mutating func merge(_ change: PairChange) {
    guard map.pairRelationships.contains(change.pair.relationship) else { return }
    let pair = canonical(change.pair)
    let former = self[pair]
    var state = former ?? ReplicaPair(clock: change.clock, isOn: change.isOn, isUnsent: false)
    if change.clock > state.clock {
      state = ReplicaPair(clock: change.clock, isOn: change.isOn, isUnsent: false)
    } else if change.clock < state.clock {
      state.isUnsent = true  // the server has something older: it was restored
    } else if state.isUnsent, change.isOn != state.isOn {
      state.clock = stamp(at: 0, over: change.clock)
    }
    if let attachment = standing.attachment {
      state.seen = ReplicaPair.Seen(attachment: attachment.number, clock: change.clock)
    }
    if state != former { self[pair] = state }
  }

  /// Takes over what the server says of one record.
  mutating func merge(_ row: RecordRow) {
    // What this model does not know is not kept: the server has it, and a larger model asks again.
    guard let map = map.entities[row.entity] else { return }
    if let winner = row.alias {
      note(row)
      if self[row.id] != nil, !isAlias(row.id) {
        noteUnion(of: row.id, with: winner)
        takeAlias(row.id, of: winner)
      }
      setAlias(winner, for: row.id)
      return
    }
    match(row, in: map)
    if self[row.id] == nil {
      var record = ReplicaRecord(entity: row.entity)
      record.isWhole = true
      self[row.id] = record
    }
    if isAlias(row.id) { setAlias(nil, for: row.id) }  // a restored server does not know of it
    note(row)
    guard let former = self[row.id] else { return }
    var record = former
    record.isKnown = true
    record.isWhole = record.isWhole || row.isWhole
    if let life = row.life {
      if life.clock < record.life.clock {
        record.isLifeUnsent = true
      } else if life.clock > record.life.clock {
        record.life = life
        record.isLifeUnsent = false
        if life.isDead { noteDeletion(of: record, row.id, madeAt: former.life.clock) }
      } else if record.isLifeUnsent, life.isDead != record.life.isDead {
        record.life.clock = stamp(at: 0, over: life.clock)
      }
    }
    for (name, register) in row.registers.sorted(by: { $0.key < $1.key }) {
      let isUnseen = row.unseen.contains(name)
      if row.taken.contains(name) {
        noteTaken(name, of: record, id: row.id, map: map, with: register)
      }
      merge(
        register, named: name, into: &record, id: row.id, map: map, isUnseen: isUnseen,
        madeAt: former.life.clock)
    }
    for fact in row.facts where map.counters[fact.property] != nil {
      record.facts[fact.name] = fact
    }
    // What this device has sent comes back: nothing is to be derived, or saved, for it.
    if record != former { self[row.id] = record }
  }

  private mutating func merge(
    _ register: Register, named name: String, into record: inout ReplicaRecord, id: RecordID,
    map: ModelMap.Entity, isUnseen: Bool, madeAt: Clock
  ) {
    let position = ModelMap.reference(ofPosition: name).flatMap { map.references[$0]?.list }
    guard map.attributes[name] != nil || map.references[name] != nil || position != nil else {
      return
    }
    let print = record.fingerprint(of: name, in: map)
    if let old = record.clocks[name], print != nil {
      // A clock whose value is not here counts for nothing.
      if register.clock < old {
        record.unsentRegisters.insert(name)
        return
      }
      if register.clock == old, let print {
        guard register.value.fingerprint != print else { return }
        if record.unsentRegisters.contains(name) {
          // A copy of this replica wrote something else at the same time: this is the later one.
          record.clocks[name] = stamp(at: 0, over: old)
          return
        }
        guard register.value.fingerprint > print else { return }
      }
    }
    noteOverwriting(
      name, of: record, id: id, map: map, by: register, isUnseen: isUnseen, madeAt: madeAt)
    record.clocks[name] = register.clock
    record.unsentRegisters.remove(name)
    record.unsent[name] = nil
    switch register.value {
    case .position(let list, let key):
      if position != nil { record.positions[name] = ReplicaRecord.Position(list: list, key: key) }
    case .reference(let target) where map.references[name] != nil:
      record.references[name] = target
    case .null where map.references[name] != nil:
      record.references[name] = nil
    default:
      if map.attributes[name] != nil { record.parked[name] = register.value }
    }
  }

  private mutating func note(_ row: RecordRow) {
    guard let attachment = standing.attachment, var record = self[row.id] else { return }
    var seen =
      record.seen.flatMap { $0.attachment == attachment.number ? $0 : nil }
      ?? ReplicaRecord.Seen(attachment: attachment.number)
    seen.life = row.life?.clock ?? seen.life
    seen.registers.merge(row.registers.mapValues(\.clock)) { _, new in new }
    seen.facts.formUnion(row.facts.map(\.name))
    record.seen = seen
    self[row.id] = record
  }

  // MARK: - What a person loses

  private mutating func noteOverwriting(
    _ name: String, of record: ReplicaRecord, id: RecordID, map: ModelMap.Entity,
    by register: Register, isUnseen: Bool, madeAt: Clock
  ) {
    guard map.attributes[name] != nil || map.references[name] != nil,
      let value = ownValue(of: name, in: record, id: id)
        ?? (isUnseen ? acknowledgedValue(of: name, in: record, map: map) : nil),
      value != register.value, !record.isAsMade(name, value, at: madeAt, in: map)
    else { return }
    noteOverwritten(value, of: name, record.entity, record.object)
  }

  /// Of several records that become one, one may have had the value from another.
  private mutating func noteOverwritten(
    _ value: SyncValue, of name: String, _ entity: String, _ object: String?
  ) {
    let loss = SyncLoss(
      entity: entity, object: object, property: name, value: value, reason: .overwritten)
    if !losses.contains(loss) { losses.append(loss) }
  }

  /// Of two records that the server has made one, the later value of each property stays.
  private mutating func noteUnion(of loser: RecordID, with winner: RecordID) {
    guard let lost = self[loser], let kept = self[winner],
      let map = map.entities[lost.entity]
    else { return }
    // What has made them one is the same on both.
    let same = map.constraints.count == 1 ? Set(map.constraints[0].properties) : []
    for (name, clock) in lost.clocks.sorted(by: { $0.key < $1.key })
    where !same.contains(name) && (map.attributes[name] != nil || map.references[name] != nil) {
      guard let other = kept.clocks[name], let own = currentValue(of: name, in: lost, map: map),
        let theirs = currentValue(of: name, in: kept, map: map), own != theirs
      else { continue }
      // As the server has it.
      let isLost = clock == other ? own.fingerprint < theirs.fingerprint : clock < other
      // A reference that is here and not there comes with the winner, which says so itself.
      guard isLost || map.attributes[name] != nil else { continue }
      let (earlier, value) = isLost ? (lost, own) : (kept, theirs)
      guard earlier.clocks[name]?.replica == standing.replica, value != .null,
        !earlier.isAsMade(name, value, at: earlier.life.clock, in: map)
      else { continue }
      noteOverwritten(value, of: name, lost.entity, kept.object ?? lost.object)
    }
  }

  /// What this replica wrote and others may not have seen.
  private func ownValue(of name: String, in record: ReplicaRecord, id: RecordID) -> SyncValue? {
    if record.unsentRegisters.contains(name), let value = record.unsent[name] { return value }
    guard record.clocks[name]?.replica == standing.replica else { return nil }
    return recentlySent[id]?[name]
  }

  /// What this replica wrote and the server has, as long as nobody has written it since.
  private func acknowledgedValue(
    of name: String, in record: ReplicaRecord, map: ModelMap.Entity
  ) -> SyncValue? {
    guard record.clocks[name]?.replica == standing.replica else { return nil }
    return currentValue(of: name, in: record, map: map)
  }

  private func currentValue(
    of name: String, in record: ReplicaRecord, map: ModelMap.Entity
  ) -> SyncValue? {
    record.unsent[name] ?? record.parked[name] ?? record.structuralValue(of: name, in: map)
      ?? shownValue(of: name, record)
  }

  /// What this replica wrote went with an object that somebody deleted without having seen it.
  private mutating func noteTaken(
    _ name: String, of record: ReplicaRecord, id: RecordID, map: ModelMap.Entity,
    with register: Register
  ) {
    guard map.attributes[name] != nil || map.references[name] != nil,
      record.clocks[name] == register.clock,
      register.clock.replica == standing.replica, register.value != .null,
      let object = record.object ?? removed[id],
      !record.isAsMade(name, register.value, at: record.life.clock, in: map)
    else { return }
    let loss = SyncLoss(
      entity: record.entity, object: object, property: name, value: register.value,
      reason: .deleted)
    if losses.contains(loss) { return }
    // With a page before this one, the object may have gone.
    if record.object == nil { losses.append(loss) } else { taken[id, default: []].insert(loss) }
  }

  /// Everything has come: what leads to something deleted, of objects that go on without it, is
  /// told.
  mutating func tellTakenReferences() {
    for (id, losses) in taken.sorted(by: { $0.key < $1.key }) {
      guard let record = self[id], record.object != nil else { continue }
      for loss in losses.sorted(by: { ($0.property ?? "") < ($1.property ?? "") }) {
        guard let name = loss.property, case .reference(let target) = loss.value,
          record.references[name].map({ resolve($0) }) == resolve(target),
          self[resolve(target)]?.life.isDead ?? true
        else { continue }
        self.losses.append(loss)
      }
    }
    (taken, removed) = ([:], [:])
  }

  private mutating func noteDeletion(
    of record: ReplicaRecord, _ id: RecordID, madeAt: Clock
  ) {
    for name in record.clocks.keys.sorted() {
      guard let value = ownValue(of: name, in: record, id: id), let map = entity(of: record),
        map.attributes[name] != nil || map.references[name] != nil,
        !record.isAsMade(name, value, at: madeAt, in: map)
      else { continue }
      losses.append(
        SyncLoss(
          entity: record.entity, object: record.object, property: name, value: value,
          reason: .deleted))
    }
  }

  // MARK: - Aliases

  /// A record was merged into another: what is here of it, and its object, become the other's.
  mutating func takeAlias(_ loser: RecordID, of winner: RecordID) {
    guard var lost = self[loser] else { return }
    var kept =
      self[winner]
      ?? {
        var made = ReplicaRecord(entity: lost.entity)
        made.isKnown = true
        if !lost.life.isDead { made.life.clock = lost.life.clock }
        standing.wanted.insert(winner)
        return made
      }()
    let entity = map.entities[lost.entity]
    for (name, clock) in lost.clocks where entity?.attributes[name] != nil {
      guard let value = lost.unsent[name] ?? lost.parked[name] ?? shownValue(of: name, lost)
      else { continue }
      if let other = kept.clocks[name] {
        guard clock >= other else { continue }
        // As the server has it.
        let print = entity.flatMap { kept.fingerprint(of: name, in: $0) } ?? 0
        if clock == other, value.fingerprint <= print { continue }
      }
      kept.clocks[name] = clock
      kept.parked[name] = value
      if lost.unsentRegisters.contains(name) {
        kept.unsentRegisters.insert(name)
        kept.unsent[name] = value
      }
    }
    kept.facts.merge(lost.facts) { _, new in new }
    kept.unsentFacts.formUnion(lost.unsentFacts)
    if lost.isLifeUnsent, lost.life.isDead, lost.life.clock > kept.life.clock {
      kept.life = lost.life
      kept.isLifeUnsent = true
    }
    lost.isLifeUnsent = false
    lost.unsentRegisters = []
    lost.unsentFacts = []
    lost.unsent = [:]
    if let object = lost.object, kept.object == nil {
      // The object stays the same one for the application.
      kept.object = object
      kept.shown = lost.shown
      lost.object = nil
      lost.shown = [:]
    }
    self[loser] = lost
    self[winner] = kept
  }

  private func shownValue(of name: String, _ record: ReplicaRecord) -> SyncValue? {
    record.object.flatMap { graph?.value(of: name, ofObject: $0) }
  }
}

extension ReplicaRecord {
  /// Whether a value is the model's, of an object that was made at this time: nobody wrote it.
  func isAsMade(
    _ name: String, _ value: SyncValue, at clock: Clock, in map: ModelMap.Entity
  ) -> Bool {
    clocks[name] == clock && value.fingerprint == map.defaults[name]
  }
}
