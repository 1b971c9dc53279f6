// A record, in order: entity, object, life, clocks, references, positions, parked, unsent, unsent
// registers, facts, unsent facts, shown, flags, seen (0 for nothing, 1 and what it is, or 2 and the
// attachment where the server had what the record says); registers and facts that were edited
// since it is unexplained, where the flags say so. Clocks are near the one of its life.

extension StoredWriter {
  mutating func write(_ record: ReplicaRecord) {
    let near = record.life.clock.ticks
    write(name: record.entity)
    write(object: record.object)
    write(record.life.isDead)
    write(record.life.clock, near: 0)
    write(record.clocks) {
      $0.write(name: $1.key)
      $0.write($1.value, near: near)
    }
    write(record.references) {
      $0.write(name: $1.key)
      $0.write($1.value)
    }
    write(record.positions) {
      $0.write(name: $1.key)
      $0.write($1.value.value)
    }
    write(values: record.parked)
    write(values: record.unsent)
    write(record.unsentRegisters) { $0.write(name: $1) }
    write(record.facts.values) { $0.write($1) }
    write(record.unsentFacts) { $0.write($1) }
    write(record.shown) {
      $0.write(name: $1.key)
      $0.write($1.value, known: record.references[$1.key])
    }
    let flags = [
      record.isLifeUnsent, record.isKnown, record.isWhole, record.isUnexplained,
      !record.since.isEmpty,
    ]
    write(flags.reversed().reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) })
    write(record.seen, of: record)
    if record.since.isEmpty { return }
    write(record.since.registers) { $0.write(name: $1) }
    write(record.since.facts) { $0.write($1) }
  }

  mutating func write(values: Named<SyncValue>) {
    write(values) {
      $0.write(name: $1.key)
      $0.write($1.value)
    }
  }

  mutating func write(_ fact: Fact) {
    write(name: fact.property)
    write(fact.name)
    write(fact.amount)
  }

  private mutating func write(_ shown: Shown, known reference: RecordID?) {
    switch shown {
    case .reference(let target?) where target == reference: write(4 as UInt8)
    case .print(let print):
      write(0 as UInt8)
      write(number: UInt64(print))
    case .total(let value):
      write(1 as UInt8)
      write(value)
    case .reference(let target):
      write(2 as UInt8)
      write(target) { $0.write($1) }
    case .members(let members):
      write(3 as UInt8)
      write(members) { $0.write($1) }
    }
  }

  private mutating func write(_ seen: ReplicaRecord.Seen?, of record: ReplicaRecord) {
    guard let seen else { return write(0 as UInt8) }
    let isAllOfIt = seen == ReplicaRecord.Seen(attachment: seen.attachment, having: record)
    write(isAllOfIt ? 2 : 1 as UInt8)
    write(signed: seen.attachment)
    if isAllOfIt { return }
    let ticks = record.life.clock.ticks
    write(seen.life) { $0.write($1, near: ticks) }
    write(seen.registers) {
      $0.write(name: $1.key)
      $0.write($1.value, near: ticks)
    }
    write(seen.facts) { $0.write($1) }
  }

  mutating func write(_ pair: ReplicaPair) {
    write(pair.clock, near: 0)
    write(pair.isOn)
    write(pair.isUnsent)
    write(pair.seen) {
      $0.write(signed: $1.attachment)
      $0.write($1.clock, near: 0)
    }
  }
}

extension ReplicaRecord.Seen {
  /// What a page says that has all that a record says.
  fileprivate init(attachment: Int64, having record: ReplicaRecord) {
    self.init(
      attachment: attachment, life: record.life.clock, registers: record.clocks,
      facts: Set(record.facts.keys))
  }
}

extension StoredReader {
  mutating func record() throws -> ReplicaRecord {
    var record = ReplicaRecord(entity: try name())
    record.object = try object()
    record.life.isDead = try flag()
    record.life.clock = try clock(near: 0)
    let near = record.life.clock.ticks
    record.clocks = try named { (try $0.name(), try $0.clock(near: near)) }
    record.references = try named { (try $0.name(), try $0.id()) }
    record.positions = try named { reader in
      let name = try reader.name()
      guard case .position(let list, let key) = try reader.value() else { throw Damage() }
      return (name, ReplicaRecord.Position(list: list, key: key))
    }
    record.parked = try values()
    record.unsent = try values()
    record.unsentRegisters = Set(try items { try $0.name() })
    record.facts = try dictionary { reader in
      let fact = try reader.fact()
      return (fact.name, fact)
    }
    record.unsentFacts = Set(try items { try $0.id() })
    let references = record.references
    record.shown = try named { reader in
      let name = try reader.name()
      return (name, try reader.shown(known: references[name]))
    }
    let flags = try byte()
    record.isLifeUnsent = flags & 1 != 0
    record.isKnown = flags & 2 != 0
    record.isWhole = flags & 4 != 0
    record.isUnexplained = flags & 8 != 0
    switch try byte() {
    case 0: break
    case 1: record.seen = try seen(near: near)
    case 2: record.seen = ReplicaRecord.Seen(attachment: try signed(), having: record)
    default: throw Damage()
    }
    if flags & 16 != 0 {
      record.since.registers = Set(try items { try $0.name() })
      record.since.facts = Set(try items { try $0.id() })
    }
    return record
  }

  mutating func values() throws -> Named<SyncValue> {
    try named { (try $0.name(), try $0.value()) }
  }

  private mutating func named<Value>(
    _ read: (inout StoredReader) throws -> (String, Value)
  ) throws -> Named<Value> {
    Named(ordered: try items { try read(&$0) })
  }

  mutating func dictionary<Key: Hashable, Value>(
    _ read: (inout StoredReader) throws -> (Key, Value)
  ) throws -> [Key: Value] {
    Dictionary(try items(read)) { first, _ in first }
  }

  mutating func fact() throws -> Fact {
    Fact(property: try name(), name: try id(), amount: try value())
  }

  private mutating func shown(known reference: RecordID?) throws -> Shown {
    switch try byte() {
    case 0: .print(UInt32(truncatingIfNeeded: try number()))
    case 1: .total(try value())
    case 2: .reference(try optional { try $0.id() })
    case 3: .members(Set(try items { try $0.id() }))
    case 4: .reference(reference)
    default: throw Damage()
    }
  }

  private mutating func seen(near ticks: UInt64) throws -> ReplicaRecord.Seen {
    var seen = ReplicaRecord.Seen(attachment: try signed())
    seen.life = try optional { try $0.clock(near: ticks) }
    seen.registers = try named { (try $0.name(), try $0.clock(near: ticks)) }
    seen.facts = Set(try items { try $0.id() })
    return seen
  }

  mutating func pair() throws -> ReplicaPair {
    ReplicaPair(
      clock: try clock(near: 0), isOn: try flag(), isUnsent: try flag(),
      seen: try optional {
        ReplicaPair.Seen(attachment: try $0.signed(), clock: try $0.clock(near: 0))
      })
  }
}
