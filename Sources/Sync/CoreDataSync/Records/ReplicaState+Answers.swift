extension ReplicaState {
  /// Takes the server's answer to the message in flight. `newReplica` is used where this replica
  /// needs another name.
  mutating func take(_ answer: Pushed, newReplica: ReplicaID) {
    guard let message = standing.message else { return }
    switch answer.outcome {
    case .otherEpoch:
      unfreeze()
      beginAttachment(.epoch, epoch: answer.epoch, newReplica: newReplica)
    case .reset:
      unfreeze()
      beginAttachment(.horizon, epoch: answer.epoch, newReplica: newReplica)
    case .fork:
      unfreeze()
      standing.replica = newReplica
      standing.chain = nil
      restamp()
    case .accepted(let acceptance):
      take(acceptance, of: message)
      standing.chain = message.id
      standing.message = nil
      if standing.epoch == nil { standing.epoch = answer.epoch }
    }
  }

  private mutating func take(_ acceptance: Acceptance, of message: PushMessage) {
    for change in message.records {
      guard var record = self[change.id] else { continue }
      record.isKnown = true
      recentlySent.add(
        change.registers.lazy.map { (key: $0.key, value: $0.value.value) }, of: change.id)
      for (register, sent) in change.registers where record.clocks[register] == sent.clock {
        if let clamped = acceptance.clamped[sent.clock] { record.clocks[register] = clamped }
      }
      if let life = change.life, record.life.clock == life.clock,
        let clamped = acceptance.clamped[life.clock]
      {
        record.life.clock = clamped
      }
      self[change.id] = record
    }
    for change in message.pairs {
      guard let clamped = acceptance.clamped[change.clock], var state = self[change.pair],
        state.clock == change.clock
      else { continue }
      state.clock = clamped
      self[change.pair] = state
    }
    for (id, reason) in acceptance.denied.sorted(by: { $0.key < $1.key }) {
      guard let record = self[id] else { continue }
      if let sent = message.records.first(where: { $0.id == id }) {
        noteDenial(of: sent, in: record, reason: reason)
      }
      forget(id)
      if let truth = acceptance.truth.first(where: { $0.id == id }) {
        self[id]?.life = Life(isDead: false, clock: .never)
        merge(truth)
      }
    }
    for change in acceptance.deniedPairs where self[canonical(change.pair)] != nil {
      if let sent = message.pairs.first(where: { $0.pair == change.pair }), sent.isOn != change.isOn
      {
        noteDenial(of: sent, acceptance.pairDenials[sent.pair.relationship])
      }
      self[canonical(change.pair)] = ReplicaPair(
        clock: change.clock, isOn: change.isOn, isUnsent: false)
    }
    for id in acceptance.gone {
      if let sent = message.records.first(where: { $0.id == id }) { noteForgotten(sent) }
      forget(id)
    }
  }

  // MARK: - What a person loses

  /// What a key may only read was written, counted or deleted.
  private mutating func noteDenial(
    of change: RecordChange, in record: ReplicaRecord, reason: String
  ) {
    func note(_ property: String?, _ value: SyncValue?) {
      losses.append(
        SyncLoss(
          entity: record.entity, object: record.object, property: property, value: value,
          reason: .denied(reason)))
    }
    if change.life?.isDead ?? false { note(nil, nil) }
    let map = entity(of: record)
    for (name, register) in change.registers.sorted(by: { $0.key < $1.key })
    where map?.attributes[name] != nil || map?.references[name] != nil {
      // What a new object has by the model nobody wrote.
      let isAsMade =
        register.clock == change.life?.clock
        && (register.value == .null || register.value.fingerprint == map?.defaults[name])
      if !isAsMade { note(name, register.value) }
    }
    for fact in change.facts { note(fact.property, fact.amount) }
  }

  /// What was edited was deleted so long ago that the server has forgotten it.
  private mutating func noteForgotten(_ change: RecordChange) {
    guard let record = self[change.id], let map = map.entities[record.entity] else { return }
    for (name, register) in change.registers.sorted(by: { $0.key < $1.key })
    where map.attributes[name] != nil && register.value != .null
      && !(register.clock == change.life?.clock
        && register.value.fingerprint == map.defaults[name])
    {
      losses.append(
        SyncLoss(
          entity: record.entity, object: record.object, property: name, value: register.value,
          reason: .deleted))
    }
  }

  /// - Parameter reason: the server's words; nil of one that does not say them.
  private mutating func noteDenial(of change: PairChange, _ reason: String?) {
    guard let record = self[change.pair.first] else { return }
    let name = change.pair.relationship.split(separator: ".").last.map(String.init)
    losses.append(
      SyncLoss(
        entity: record.entity, object: record.object, property: name,
        value: .reference(change.pair.second),
        reason: .denied(reason ?? "This key may not write \(record.entity).")))
  }
}
