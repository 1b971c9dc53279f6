extension ReplicaState {
  /// Asks for everything again. What is here stays, until it is known what the server has.
  mutating func beginAttachment(
    _ reason: Standing.AttachmentReason, epoch: RecordID?, newReplica: ReplicaID
  ) {
    standing.lastAttachment += 1
    standing.attachment = Standing.Attachment(
      reason: standing.attachment?.reason == .epoch ? .epoch : reason,
      number: standing.lastAttachment)
    standing.cursor = 0
    standing.base = 0
    standing.epoch = epoch
    guard reason == .epoch else { return }
    standing.chain = nil
    standing.replica = newReplica
    restamp()
  }

  /// Everything has come. What is newer here than there is offered again; what the server has
  /// forgotten is forgotten here, unless a restored server has.
  mutating func endAttachment() {
    guard let attachment = standing.attachment else { return }
    standing.attachment = nil
    unexplained = [:]
    for id in records.sortedKeys where !isAlias(id) {
      guard var record = self[id] else { continue }
      let before = record
      compare(id, record: &record, with: attachment)
      if record.life == .forgotten, before.life != .forgotten { noteUnsent(of: before) }
      record.isUnexplained = false
      record.since = ReplicaRecord.Since()
      if record == before { continue }  // as is nearly every one: what was seen needs no save to go
      record.seen = nil
      self[id] = record
    }
    for pair in pairs.keys {
      guard var state = self[pair] else { continue }
      let seen = state.seen.flatMap { $0.attachment == attachment.number ? $0 : nil }
      let before = state
      if seen == nil, state.clock == .never, isOffered(pair.first), isOffered(pair.second) {
        self[pair] = ReplicaPair(
          clock: Clock(ticks: 1, replica: standing.replica), isOn: true, isUnsent: true)
      } else if seen == nil, attachment.reason == .horizon {
        if !state.isUnsent { self[pair] = nil } else { self[pair] = state }
      } else {
        if seen.map({ state.clock > $0.clock }) ?? true { state.isUnsent = true }
        if state == before { continue }
        state.seen = nil
        self[pair] = state
      }
    }
    if attachment.reason == .epoch { standing.offerAliases() }
  }

  private func compare(
    _ id: RecordID, record: inout ReplicaRecord, with attachment: Standing.Attachment
  ) {
    let seen = record.seen.flatMap { $0.attachment == attachment.number ? $0 : nil }
    if seen == nil, record.object != nil, record.life == Life(isDead: false, clock: .never) {
      if let entity = entity(of: record) { record.offer(id, in: entity, by: standing.replica) }
      return
    }
    if seen == nil, attachment.reason == .horizon {
      if record.isKnown, !record.isLifeUnsent { record.forget() }
      return
    }
    let map = entity(of: record)
    if seen == nil, record.object == nil, !record.life.isDead,
      map?.attributes.keys.contains(where: { record.parked[$0] == nil && record.unsent[$0] == nil })
        ?? true
    {
      record.forget()  // its values are nowhere any more
      return
    }
    let isForgotten = record.life == .forgotten
    if let life = seen?.life {
      if record.life.clock > life { record.isLifeUnsent = true }
    } else if !isForgotten {
      record.isLifeUnsent = true
    }
    for (register, clock) in record.clocks {
      if seen?.registers[register].map({ clock > $0 }) ?? true {
        record.unsentRegisters.insert(register)
      }
    }
    record.unsentFacts.formUnion(Set(record.facts.keys).subtracting(seen?.facts ?? []))
  }

  /// Whether a record is offered with the first clock of all.
  private func isOffered(_ id: RecordID) -> Bool { self[id]?.life.clock.ticks == 1 }
}

extension ReplicaRecord {
  /// What the object shows is sent with the first clock of all, if the server does not know of it
  /// and nothing else does.
  fileprivate mutating func offer(
    _ id: RecordID, in entity: ModelMap.Entity, by replica: ReplicaID
  ) {
    let first = Clock(ticks: 1, replica: replica)
    life.clock = first
    isLifeUnsent = true
    for name in [String](entity.attributes.keys) + entity.references.keys
    where clocks[name] == nil {
      clocks[name] = first
      unsentRegisters.insert(name)
    }
    for name in entity.counters.keys.sorted() {
      guard case .total(let total)? = shown[name], !total.isZero,
        !facts.values.contains(where: { $0.property == name })
      else { continue }
      let fact = Fact(
        property: name, name: RecordID(named: "\(id) \(name)", entity: ""), amount: total)
      facts[fact.name] = fact
      unsentFacts.insert(fact.name)
    }
  }
}
