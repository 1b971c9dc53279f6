extension ReplicaState {
  /// Moves what is unsent to a message, as much as one may hold; nothing if there is nothing.
  ///
  /// - Parameters:
  ///   - limit: the most records, and the most pairs.
  ///   - bytes: the most bytes, about; one record may be more.
  mutating func freeze(named id: RecordID, zone: String, limit: Int, bytes: Int = .max) {
    let records = unsentRecords.filter { !isAlias($0) }.sorted()
    let pairs = unsentPairs.sorted()
    var isLast = records.count <= limit && pairs.count <= limit
    let mayOffer = isLast && !offeredAliases.isEmpty
    guard !records.isEmpty || !pairs.isEmpty || mayOffer else { return }
    var message = PushMessage(
      zone: zone, id: id, replica: standing.replica, previous: standing.chain,
      epoch: standing.epoch,
      safe: standing.safe, records: [])
    var size = 0
    for id in records.prefix(limit) {
      guard var record = self[id] else { continue }
      let change = record.freeze(id, in: entity(of: record), graph)
      if change.isEmpty {
        self[id] = record
        continue
      }
      size += change.size
      if size > bytes, !message.records.isEmpty {
        isLast = false
        break
      }
      message.records.append(change)
      self[id] = record
    }
    if isLast { message.aliases = offeredAliases }
    guard !message.records.isEmpty || !pairs.isEmpty || !message.aliases.isEmpty else { return }
    for pair in pairs.prefix(limit) {
      guard var state = self[pair] else { continue }
      message.pairs.append(PairChange(pair: pair, clock: state.clock, isOn: state.isOn))
      state.isUnsent = false
      self[pair] = state
    }
    standing.message = message
    standing.hasOfferedAliases = standing.hasOfferedAliases || isLast
  }

  /// The aliases, where a restored server may lack them.
  private var offeredAliases: [Alias] {
    guard !standing.hasOfferedAliases else { return [] }
    return aliases.keys.sorted().compactMap { loser in
      guard let winner = aliases[loser], let entity = self[resolve(winner)]?.entity else {
        return nil
      }
      return Alias(loser: loser, winner: winner, entity: entity)
    }
  }

  /// Takes back a message that has not been accepted, and never will be.
  mutating func unfreeze() {
    guard let message = standing.message else { return }
    standing.message = nil
    if !message.aliases.isEmpty { standing.hasOfferedAliases = false }
    for change in message.records {
      guard var record = self[change.id] else { continue }
      record.unfreeze(change, in: entity(of: record))
      self[change.id] = record
    }
    for change in message.pairs {
      guard var state = self[change.pair], state.clock == change.clock else { continue }
      state.isUnsent = true
      self[change.pair] = state
    }
  }
}

extension ReplicaRecord {
  /// What is unsent of the record, which is unsent no more.
  fileprivate mutating func freeze(
    _ id: RecordID, in map: ModelMap.Entity?, _ graph: (any GraphReading)?
  ) -> RecordChange {
    var change = RecordChange(id: id, entity: entity)
    if isLifeUnsent { change.life = life }
    // Of an object that has just been deleted, which the next scan sees.
    var unread: Set<String> = []
    for register in unsentRegisters {
      guard let clock = clocks[register], let map else { continue }
      let value =
        unsent[register] ?? parked[register] ?? structuralValue(of: register, in: map)
        ?? object.flatMap { graph?.value(of: register, ofObject: $0) }
      if let value {
        change.registers[register] = Register(clock: clock, value: value)
      } else if object != nil {
        unread.insert(register)
      }
    }
    change.facts = unsentFacts.sorted().compactMap { facts[$0] }
    isLifeUnsent = false
    unsentRegisters = unread
    unsent = [:]
    unsentFacts = []
    return change
  }

  fileprivate mutating func unfreeze(_ change: RecordChange, in map: ModelMap.Entity?) {
    if let life = change.life, life.clock == self.life.clock { isLifeUnsent = true }
    for (register, sent) in change.registers where clocks[register] == sent.clock {
      unsentRegisters.insert(register)
      if map?.attributes[register] != nil { unsent[register] = sent.value }
    }
    unsentFacts.formUnion(change.facts.map(\.name))
  }
}

extension RecordChange {
  fileprivate var isEmpty: Bool { life == nil && registers.isEmpty && facts.isEmpty }

  /// The bytes that it takes to send, about.
  fileprivate var size: Int {
    registers.reduce(64 + 32 * facts.count) { $0 + $1.key.utf8.count + 16 + $1.value.value.size }
  }
}

extension SyncValue {
  fileprivate var size: Int {
    switch self {
    case .text(let text), .url(let text), .decimal(let text): text.utf8.count
    case .data(let data): data.count
    case .composite(let parts): parts.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    default: 16
    }
  }
}
