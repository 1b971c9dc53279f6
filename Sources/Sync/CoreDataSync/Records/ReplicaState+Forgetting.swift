extension ReplicaState {
  /// Makes a record one of which nothing is known but its name.
  mutating func forget(_ id: RecordID) {
    guard var record = self[id] else { return }
    record.forget()
    self[id] = record
  }
}

extension Life {
  /// Of a record that the server has forgotten.
  static let forgotten = Life(isDead: true, clock: .never)
}

extension ReplicaState {
  /// What was edited, and not sent, goes with its object.
  mutating func noteUnsent(of record: ReplicaRecord) {
    for (name, value) in record.unsent.sorted(by: { $0.key < $1.key }) where value != .null {
      if let map = entity(of: record),
        record.isAsMade(name, value, at: record.life.clock, in: map)
      {
        continue
      }
      losses.append(
        SyncLoss(
          entity: record.entity, object: record.object, property: name, value: value,
          reason: .deleted))
    }
  }
}

extension ReplicaRecord {
  mutating func forget() {
    let old = self
    self = ReplicaRecord(entity: old.entity)
    object = old.object
    shown = old.shown
    seen = old.seen
    isKnown = old.isKnown
    life = .forgotten
  }

  /// Keeps of an object that is going what nobody else has yet. `sent` is what the message in
  /// flight says of it.
  mutating func keepUnsent(_ sent: RecordChange?, in entity: ModelMap.Entity) {
    isWhole = false
    for name in entity.attributes.keys {
      if let value = unsent[name] {
        parked[name] = value
      } else if let register = sent?.registers[name], register.clock == clocks[name] {
        parked[name] = register.value
      } else {
        clocks[name] = nil
        parked[name] = nil
        unsentRegisters.remove(name)
      }
    }
  }
}

extension ReplicaState {
  /// What the message in flight says of a record.
  func sent(_ id: RecordID) -> RecordChange? {
    standing.message?.records.first { $0.id == id }
  }
}
