import Foundation

extension StoredWriter {
  mutating func write(_ standing: Standing) {
    write(word: standing.replica.number)
    write(standing.token) { $0.write(blob: $1) }
    write(signed: standing.cursor)
    write(signed: standing.base)
    write(signed: standing.safe)
    write(standing.epoch) { $0.write($1) }
    write(signed: standing.offset)
    write(standing.chain) { $0.write($1) }
    write(standing.message) { $0.write($1) }
    write(number: standing.lastTicks)
    write(standing.wanted) { $0.write($1) }
    write(standing.held) {
      $0.write($1.key)
      $0.write($1.value)
    }
    write(standing.attachment) {
      $0.write($1.reason.rawValue)
      $0.write(signed: $1.number)
    }
    write(signed: standing.lastAttachment)
    write(standing.lastOffered == nil ? (standing.hasOfferedAliases ? 1 : 0) : 2 as UInt8)
    if let last = standing.lastOffered { write(last) }
    write(standing.modelProperties) { $0.write(text: $1) }
    write(standing.storeUUID) { $0.write(text: $1) }
    write(standing.scanned) {
      $0.write(signed: $1.number)
      $0.write(word: $1.time.bitPattern)
    }
    write(standing.batch) { $0.write(text: $1) }
  }

  private mutating func write(_ hold: Standing.Hold) {
    switch hold {
    case .validation(let reason):
      write(0 as UInt8)
      write(text: reason)
    case .uniqueness: write(1 as UInt8)
    case .requirement: write(2 as UInt8)
    case .claimed(let attribute):
      write(3 as UInt8)
      write(text: attribute)
    }
  }

  mutating func write(_ message: PushMessage) {
    write(text: message.zone)
    write(message.id)
    write(word: message.replica.number)
    write(message.previous) { $0.write($1) }
    write(message.epoch) { $0.write($1) }
    write(signed: message.safe)
    write(message.records) { $0.write($1) }
    write(message.pairs) {
      $0.write($1.pair)
      $0.write($1.clock, near: 0)
      $0.write($1.isOn)
    }
    write(message.aliases) {
      $0.write($1.loser)
      $0.write($1.winner)
      $0.write(name: $1.entity)
    }
  }

  mutating func write(_ pair: Pair) {
    write(name: pair.relationship)
    write(pair.first)
    write(pair.second)
  }

  private mutating func write(_ change: RecordChange) {
    write(change.id)
    write(name: change.entity)
    write(change.life) {
      $0.write($1.isDead)
      $0.write($1.clock, near: 0)
    }
    write(change.registers) {
      $0.write(name: $1.key)
      $0.write($1.value.clock, near: 0)
      $0.write($1.value.value)
    }
    write(change.facts) { $0.write($1) }
  }
}

extension StoredReader {
  mutating func standing() throws -> Standing {
    var standing = Standing(replica: ReplicaID(try word()))
    standing.token = try optional { try $0.blob() }
    standing.cursor = try signed()
    standing.base = try signed()
    standing.safe = try signed()
    standing.epoch = try optional { try $0.id() }
    standing.offset = try signed()
    standing.chain = try optional { try $0.id() }
    standing.message = try optional { try $0.message() }
    standing.lastTicks = try number()
    standing.wanted = Set(try items { try $0.id() })
    standing.held = try dictionary { (try $0.id(), try $0.hold()) }
    standing.attachment = try optional { reader in
      guard let reason = Standing.AttachmentReason(rawValue: try reader.byte()) else {
        throw Damage()
      }
      return Standing.Attachment(reason: reason, number: try reader.signed())
    }
    standing.lastAttachment = try signed()
    let offering = try byte()
    standing.hasOfferedAliases = offering == 1
    if offering == 2 { standing.lastOffered = try id() }
    standing.modelProperties = Set(try items { try $0.text() })
    standing.storeUUID = try optional { try $0.text() }
    standing.scanned = try optional {
      Standing.Transaction(number: try $0.signed(), time: Double(bitPattern: try $0.word()))
    }
    standing.batch = try optional { try $0.text() }
    return standing
  }

  private mutating func hold() throws -> Standing.Hold {
    switch try byte() {
    case 0: .validation(try text())
    case 1: .uniqueness
    case 2: .requirement
    case 3: .claimed(try text())
    default: throw Damage()
    }
  }

  mutating func message() throws -> PushMessage {
    PushMessage(
      zone: try text(), id: try id(), replica: ReplicaID(try word()),
      previous: try optional { try $0.id() }, epoch: try optional { try $0.id() },
      safe: try signed(), records: try items { try $0.change() },
      pairs: try items {
        PairChange(pair: try $0.key(), clock: try $0.clock(near: 0), isOn: try $0.flag())
      },
      aliases: try items {
        Alias(loser: try $0.id(), winner: try $0.id(), entity: try $0.name())
      })
  }

  mutating func key() throws -> Pair {
    Pair(relationship: try name(), first: try id(), second: try id())
  }

  private mutating func change() throws -> RecordChange {
    var change = RecordChange(id: try id(), entity: try name())
    change.life = try optional { Life(isDead: try $0.flag(), clock: try $0.clock(near: 0)) }
    change.registers = try dictionary {
      (try $0.name(), Register(clock: try $0.clock(near: 0), value: try $0.value()))
    }
    change.facts = try items { try $0.fact() }
    return change
  }
}
