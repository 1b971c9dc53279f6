import CoreDataSync
import SyncServer
import TestSupport

/// Messages at random, of a few replicas about a few records: with equal names, deletions, moves, clocks that are off,
/// messages that come twice, copies of replicas, and everything else that a server must expect.
struct MessageHistory {
  static let zone = "home"

  static let schema = SyncSchema(entities: [
    .init(name: "Account", attributes: ["name": false]),
    .init(
      name: "Folder", attributes: ["title": false], counters: ["count"],
      references: [
        "account": .init(target: "Account", isRequired: true, rule: .deny),
        "up": .init(target: "Folder", isRequired: false, rule: .cascade, isAcyclic: true),
      ], editWins: true),
    .init(
      name: "Note", attributes: ["title": false, "code": false],
      references: [
        "folder": .init(target: "Folder", isRequired: false, rule: .cascade, list: "notes"),
        "cover": .init(target: "Note", isRequired: false, rule: .nullify),
        "tag": .init(target: "Tag", isRequired: false, rule: .deny),
      ], uniqueness: [["title", "code"], ["code"]]),
    .init(
      name: "Tag", attributes: ["name": false], counters: ["uses"], uniqueness: [["name"]]),
  ])

  struct Replica {
    var id: ReplicaID
    var previous: RecordID?
    var safe: Int64 = 0
    var cursor: Int64 = 0
    var base: Int64 = 0
    var epoch: RecordID?
    var rights = SyncRights()
  }

  var generator: SplitMix64
  var replicas: [Replica] = []
  private let ids: [String: [RecordID]]
  private var sent: [PushMessage] = []
  private var names: [RecordID] = []

  init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var ids: [String: [RecordID]] = [:]
    for (entity, count) in [("Account", 3), ("Folder", 6), ("Note", 8), ("Tag", 5)] {
      ids[entity] = (0..<count).map { _ in RecordID.random(using: &generator) }
    }
    self.ids = ids
    for _ in 0..<3 { replicas.append(Replica(id: ReplicaID(generator.next()))) }
    if generator.next() % 4 == 0 { replicas[0].rights.readOnly = ["Account", "Note"] }
    if generator.next() % 16 == 0 { replicas[0].rights.mayWrite = false }
    self.generator = generator
  }

  mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  // MARK: - Pushes

  mutating func push(now: UInt64, head: Int64) -> (Int, PushMessage) {
    let number = Int.random(in: 0..<replicas.count, using: &generator)
    if !sent.isEmpty, chance(0.05) { return (number, pick(sent)) }
    if chance(0.03) { replicas[number].id = ReplicaID(generator.next()) }
    let replica = replicas[number]
    var previous = replica.previous
    if chance(0.03) { previous = chance(0.5) ? nil : sent.last?.id }
    var message = PushMessage(
      zone: Self.zone, id: .random(using: &generator), replica: replica.id, previous: previous,
      epoch: replica.epoch, safe: chance(0.9) ? max(replica.safe, head - 20) : replica.safe,
      records: [])
    var used: Set<RecordID> = []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let change = change(replica.id, now)
      if used.insert(change.id).inserted { message.records.append(change) }
    }
    if chance(0.3) {
      let pair = Pair(
        relationship: "Note.tags", first: pick(ids["Note"]!), second: pick(ids["Tag"]!))
      message.pairs.append(
        PairChange(pair: pair, clock: clock(replica.id, now), isOn: chance(0.6)))
    }
    if chance(0.05) {
      let entity = pick(["Note", "Tag"])
      message.aliases.append(
        Alias(loser: pick(ids[entity]!), winner: pick(ids[entity]!), entity: entity))
    }
    sent.append(message)
    return (number, message)
  }

  /// Small differences, so that clocks of several replicas are equal at times.
  private mutating func clock(_ replica: ReplicaID, _ now: UInt64) -> Clock {
    var time = now - 50 + UInt64.random(in: 0..<100, using: &generator)
    if chance(0.03) { time += 100_000_000 }
    let writer = chance(0.95) ? replica : replicas[0].id
    return Clock(ticks: time << 16, replica: writer)
  }

  private mutating func change(_ replica: ReplicaID, _ now: UInt64) -> RecordChange {
    let entity = pick(["Account", "Folder", "Folder", "Note", "Note", "Note", "Tag", "Tag"])
    let named = chance(0.97) ? entity : "Account"
    var change = RecordChange(id: pick(ids[entity]!), entity: named)
    let description = Self.schema.entities[named]!
    let isInsertion = chance(0.5)
    if isInsertion {
      change.life = Life(isDead: false, clock: clock(replica, now))
    } else if chance(0.35) {
      change.life = Life(isDead: true, clock: clock(replica, now))
    }
    for property in description.attributes.keys.sorted() where isInsertion || chance(0.4) {
      let value: SyncValue = chance(0.15) ? .null : .text(pick(["a", "b", "c", "d"]))
      change.registers[property] = Register(clock: clock(replica, now), value: value)
    }
    for (property, reference) in description.references.sorted(by: { $0.key < $1.key })
    where isInsertion || chance(0.3) {
      let target = pick(ids[reference.target]!)
      change.registers[property] = Register(
        clock: clock(replica, now), value: chance(0.2) ? .null : .reference(target))
    }
    for counter in description.counters.sorted() where chance(0.3) {
      let name = names.isEmpty || chance(0.8) ? RecordID.random(using: &generator) : pick(names)
      names.append(name)
      change.facts.append(
        Fact(property: counter, name: name, amount: .integer(Int64(names.count % 5))))
    }
    return change
  }

  mutating func note(_ pushed: Pushed, of message: PushMessage, by number: Int) {
    switch pushed.outcome {
    case .accepted:
      if replicas[number].id == message.replica { replicas[number].previous = message.id }
    case .fork, .reset, .otherEpoch:
      replicas[number] = Replica(
        id: ReplicaID(generator.next()), epoch: pushed.epoch, rights: replicas[number].rights)
    }
  }

  // MARK: - Pulls

  mutating func pull(head: Int64) -> (Int, PullRequest) {
    let number = Int.random(in: 0..<replicas.count, using: &generator)
    let replica = replicas[number]
    var request = PullRequest(
      zone: Self.zone, cursor: replica.cursor, base: replica.base, safe: replica.safe,
      epoch: replica.epoch, limit: Int.random(in: 1...12, using: &generator))
    if chance(0.1) { request.cursor = Int64.random(in: 0...head + 2, using: &generator) }
    if chance(0.2) { request.wanted = [pick(ids["Note"]!), pick(ids["Tag"]!)] }
    return (number, request)
  }

  mutating func note(_ pulled: Pulled, of request: PullRequest, by number: Int) {
    replicas[number].epoch = pulled.epoch
    switch pulled.outcome {
    case .page(let page):
      replicas[number].cursor = page.cursor
      if page.isDone {
        replicas[number].base = page.cursor
        replicas[number].safe = page.cursor
      }
    case .reset, .otherEpoch:
      (replicas[number].cursor, replicas[number].base, replicas[number].safe) = (0, 0, 0)
    }
  }
}
