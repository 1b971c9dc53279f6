import CoreDataSync
import Foundation
import TestSupport

/// Messages at random, of every kind and with every kind of value.
struct WireSamples {
  var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }

  mutating func number(_ most: Int) -> Int { Int.random(in: 0...most, using: &generator) }
  mutating func id() -> RecordID { .random(using: &generator) }

  mutating func integer() -> Int64 {
    // Every length of a head.
    Int64(bitPattern: generator.next()) >> Int64(number(63))
  }

  mutating func replica() -> ReplicaID { chance(0.2) ? .server : ReplicaID(UInt64(number(3))) }

  mutating func clock() -> Clock {
    Clock(ticks: chance(0.1) ? generator.next() : 1 << 56 + UInt64(number(9)), replica: replica())
  }

  mutating func name() -> String { ["", "title", "Note", "größe", "a.position"][number(4)] }

  mutating func value(depth: Int = 0) -> SyncValue {
    switch number(depth < 3 ? 13 : 12) {
    case 0: .null
    case 1: .bool(chance(0.5))
    case 2: .integer(integer())
    case 3: .double(chance(0.2) ? -0.0 : Double.random(in: -1e9...1e9, using: &generator))
    case 4: .decimal("-12.50")
    case 5: .text((chance(0.2) ? "\u{FEFF}" : "") + String(repeating: "é", count: number(300)))
    case 6: .date(Double(number(1000)) / 8)
    case 7: .data(Data(repeating: 7, count: number(300)))
    case 8: .uuid(UUID(id()))
    case 9: .url("https://example.org/\(number(9))")
    case 10: .reference(id())
    case 11: .position(list: chance(0.5) ? id() : nil, key: "aV")
    case 12: .blob(hash: Data(repeating: 1, count: 32), size: integer())
    default:
      .composite(["x": value(depth: depth + 1), "y": value(depth: depth + 1)])
    }
  }

  mutating func registers() -> [String: Register] {
    var registers: [String: Register] = [:]
    for _ in 0..<number(4) { registers[name()] = Register(clock: clock(), value: value()) }
    return registers
  }

  mutating func facts() -> [Fact] {
    (0..<number(2)).map { _ in Fact(property: name(), name: id(), amount: .integer(integer())) }
  }

  mutating func life() -> Life? {
    chance(0.5) ? Life(isDead: chance(0.5), clock: clock()) : nil
  }

  mutating func pairs() -> [PairChange] {
    (0..<number(2)).map { _ in
      PairChange(
        pair: Pair(relationship: "Note.tags", first: id(), second: id()), clock: clock(),
        isOn: chance(0.5))
    }
  }

  mutating func row() -> RecordRow {
    RecordRow(
      id: id(), entity: name(), alias: chance(0.3) ? id() : nil, life: life(),
      registers: registers(), facts: facts(), isWhole: chance(0.5))
  }

  mutating func push() -> PushMessage {
    PushMessage(
      zone: name(), id: id(), replica: replica(), previous: chance(0.5) ? id() : nil,
      epoch: chance(0.5) ? id() : nil, safe: integer(),
      records: (0..<number(3)).map { _ in
        RecordChange(
          id: id(), entity: name(), life: life(), registers: registers(), facts: facts())
      }, pairs: pairs(),
      aliases: (0..<number(2)).map { _ in Alias(loser: id(), winner: id(), entity: name()) })
  }

  mutating func pushed() -> Pushed {
    let outcomes: [Pushed.Outcome] = [
      .accepted(
        Acceptance(
          clamped: [clock(): clock()], gone: [id()], denied: [id(): "no"], truth: [row()],
          deniedPairs: pairs(), pairDenials: [name(): "no"])), .accepted(Acceptance()), .fork,
      .reset, .otherEpoch,
    ]
    return Pushed(outcome: outcomes[number(4)], epoch: id(), now: generator.next())
  }

  mutating func pull() -> PullRequest {
    PullRequest(
      zone: name(), cursor: integer(), base: integer(), safe: integer(),
      epoch: chance(0.5) ? id() : nil, limit: number(1000), wanted: [id(), id()])
  }

  mutating func pulled() -> Pulled {
    let rows = (0..<number(4)).map { _ in Page.Row.record(row()) } + pairs().map { .pair($0) }
    let outcomes: [Pulled.Outcome] = [
      .page(Page(rows: rows, cursor: integer(), head: integer(), isDone: chance(0.5))), .reset,
      .otherEpoch,
    ]
    return Pulled(outcome: outcomes[number(2)], epoch: id(), now: generator.next())
  }

  mutating func greeting() -> SyncGreeting {
    SyncGreeting(
      application: "Tests", replica: replica(), zones: ["home", name()],
      schema: MessageHistory.schema)
  }

  mutating func welcome() -> SyncWelcome {
    SyncWelcome(
      now: generator.next(),
      zones: [
        "home": .init(
          epoch: id(), head: integer(), horizon: integer(), mayWrite: chance(0.5),
          readOnly: ["Note"])
      ], limits: SyncLimits(changesPerPush: 1 + number(9)))
  }
}
