extension ReplicaState {
  /// Moves what is unsent to a message, as much as one may hold; nothing if there is nothing.
  ///
  /// - Parameters:
  ///   - limit: the most records, pairs and aliases together.
  ///   - bytes: the bytes, about, above which no other record is added.
  ///   - longest: the most bytes that the server takes. A value that is longer stays unsent.
  mutating func freeze(
    named id: RecordID, zone: String, limit: Int, bytes: Int = .max, longest: Int = .max
  ) {
    oversized = [:]
    guard hasUnsent || !standing.hasOfferedAliases else { return }
    var message = PushMessage(
      zone: zone, id: id, replica: standing.replica, previous: standing.chain,
      epoch: standing.epoch,
      safe: standing.safe, records: [])
    // Neither records nor pairs wait for all of the others.
    let most = max(limit - unsentPairs.count, (limit + 1) / 2)
    let isFull = addRecords(to: &message, limit: most, bytes: bytes, longest: longest)
    addPairs(to: &message, limit: limit - message.records.count)
    if !isFull, unsentPairs.isEmpty {
      addAliases(to: &message, limit: limit - message.count)
    }
    if message.count > 0 { standing.message = message }
  }

  /// Adds what is unsent of records. Returns true if one of them found no room.
  private mutating func addRecords(
    to message: inout PushMessage, limit: Int, bytes: Int, longest: Int
  ) -> Bool {
    if add(names(limit), to: &message, limit: limit, bytes: bytes, longest: longest) { return true }
    // A folder before its notes: whoever gets them in this order shows each note once. One that is
    // deleted comes after them: what was taken off it before would seem to hang on it.
    var tried = Set(message.records.map(\.id))
    var areAllTried = true
    for (records, withEnds) in [(unsentTargets, true), (unsentRecords, false), (unsentEnds, true)] {
      let first = records.smallest(2 * limit) {
        !isAlias($0) && !tried.contains($0) && (withEnds || !unsentEnds.contains($0))
      }
      if add(first, to: &message, limit: limit, bytes: bytes, longest: longest) { return true }
      tried.formUnion(first)
      areAllTried = areAllTried && first.count < 2 * limit
    }
    // Those that are too long stay among the first.
    if areAllTried { return false }
    let rest = unsentRecords.smallest(unsentRecords.count) { !isAlias($0) && !tried.contains($0) }
    return add(rest, to: &message, limit: limit, bytes: bytes, longest: longest)
  }

  /// What frees a unique value, or takes one: in one message, as far as there is room, or the
  /// server would unite two objects that trade their names. What is deleted is first.
  private func names(_ limit: Int) -> [RecordID] {
    [true, false].flatMap { isDead in
      unsentNames.smallest(limit) { !isAlias($0) && self[$0]?.life.isDead == isDead }
    }
  }

  private mutating func addPairs(to message: inout PushMessage, limit: Int) {
    for pair in unsentPairs.smallest(limit) {
      guard var state = self[pair] else { continue }
      message.pairs.append(PairChange(pair: pair, clock: state.clock, isOn: state.isOn))
      state.isUnsent = false
      self[pair] = state
    }
  }

  /// Adds aliases, where a restored server may lack them.
  private mutating func addAliases(to message: inout PushMessage, limit: Int) {
    guard !standing.hasOfferedAliases else { return }
    let aliases = aliasesToOffer
    message.aliases = Array(aliases.prefix(limit))
    standing.hasOfferedAliases = aliases.count <= limit
    standing.lastOffered =
      standing.hasOfferedAliases ? nil : message.aliases.last?.loser ?? standing.lastOffered
  }

  /// Adds what is unsent of records, in their order. Returns true if one of them found no room.
  private mutating func add(
    _ records: some Sequence<RecordID>, to message: inout PushMessage, limit: Int, bytes: Int,
    longest: Int
  ) -> Bool {
    var size = message.records.reduce(0) { $0 + $1.size }
    for id in records {
      guard message.records.count < limit else { return true }
      guard var record = self[id] else { continue }
      let (change, rest) = record.freeze(id, in: entity(of: record), graph: graph, longest: longest)
      if !rest.isEmpty { oversized[id] = rest }
      if change.isEmpty {
        if record != self[id] { self[id] = record }
        continue
      }
      size += change.size
      if size > bytes, !message.records.isEmpty { return true }
      message.records.append(change)
      self[id] = record
    }
    return false
  }

  private var aliasesToOffer: [Alias] {
    aliases.keys.filter { loser in standing.lastOffered.map { loser > $0 } ?? true }.sorted()
      .compactMap { loser in
        guard let winner = aliases[loser], let entity = self[resolve(winner)]?.entity else {
          return nil
        }
        return Alias(loser: loser, winner: winner, entity: entity)
      }
  }

  /// Takes what the message on its way has for sent: the sync store may have the records as they
  /// were before.
  mutating func freezeAgain() {
    guard let message = standing.message else { return }
    for change in message.records {
      guard var record = self[change.id] else { continue }
      record.freeze(again: change)
      self[change.id] = record
    }
    for change in message.pairs {
      guard var state = self[change.pair], state.clock == change.clock else { continue }
      state.isUnsent = false
      self[change.pair] = state
    }
  }

  /// Takes back a message that has not been accepted, and never will be.
  mutating func unfreeze() {
    guard let message = standing.message else { return }
    standing.message = nil
    if !message.aliases.isEmpty { standing.offerAliases() }
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
  /// What is unsent of the record, which is unsent no more, but for what is too long: that is in
  /// the second result, in words.
  fileprivate mutating func freeze(
    _ id: RecordID, in map: ModelMap.Entity?, graph: (any GraphReading)?, longest: Int
  ) -> (RecordChange, tooLong: [String: String]) {
    var change = RecordChange(id: id, entity: entity)
    if isLifeUnsent { change.life = life }
    change.facts = unsentFacts.sorted().compactMap { facts[$0] }
    // Of an object that has just been deleted, which the next scan sees; and what does not fit.
    var rest: Set<String> = []
    var values: [(register: String, value: SyncValue, clock: Clock)] = []
    for register in unsentRegisters {
      guard let clock = clocks[register], let map else { continue }
      let value =
        unsent[register] ?? parked[register] ?? structuralValue(of: register, in: map)
        ?? object.flatMap { graph?.value(of: register, ofObject: $0) }
      if let value {
        values.append((register, value, clock))
      } else if object != nil {
        rest.insert(register)
      }
    }
    // Names, clocks and the message itself take some.
    let room = longest - longest / 16
    var size = change.size
    var tooLong: [String: String] = [:]
    for (register, value, clock) in values.sorted(by: {
      ($0.value.size, $0.register) < ($1.value.size, $1.register)
    }) {
      if value.size > room {
        tooLong[register] = Self.words(value.size, most: room)
        rest.insert(register)
      } else if size + value.size > room {
        rest.insert(register)  // goes with the next message
      } else {
        size += value.size
        change.registers[register] = Register(clock: clock, value: value)
      }
    }
    isLifeUnsent = false
    unsentRegisters = rest
    unsent = unsent.filter { rest.contains($0.key) }
    unsentFacts = []
    return (change, tooLong)
  }

  private static func words(_ size: Int, most: Int) -> String {
    """
    The value has \(size) bytes, and the server takes \(most) at once: it stays on this device, as \
    does every longer one.
    """
  }

  fileprivate mutating func freeze(again change: RecordChange) {
    if let life = change.life, life.clock == self.life.clock { isLifeUnsent = false }
    for (register, sent) in change.registers where clocks[register] == sent.clock {
      unsentRegisters.remove(register)
      unsent[register] = nil
    }
    unsentFacts.subtract(change.facts.map(\.name))
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

extension PushMessage {
  /// Records, pairs and aliases: what a server counts.
  var count: Int { records.count + pairs.count + aliases.count }
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
