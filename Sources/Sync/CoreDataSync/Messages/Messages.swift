/// What a replica says of one record in a push.
public struct RecordChange: Hashable, Sendable {
  public var id: RecordID
  /// The name of the entity.
  public var entity: String
  /// The life, where this replica wrote it. An insertion always says it.
  public var life: Life?
  /// Values with their clocks, by property.
  public var registers: [String: Register]
  /// Increments of counters.
  public var facts: [Fact]

  /// Makes a value of its parts.
  public init(
    id: RecordID, entity: String, life: Life? = nil, registers: [String: Register] = [:],
    facts: [Fact] = []
  ) {
    self.id = id
    self.entity = entity
    self.life = life
    self.registers = registers
    self.facts = facts
  }
}

/// Whether two records belong together in a many-to-many relationship.
public struct Pair: Hashable, Sendable {
  /// "Entity.relationship" of the side that comes first by that name.
  public var relationship: String
  /// The record of that side, and the other.
  public var first: RecordID
  /// The record of the other side.
  public var second: RecordID

  /// Makes a value of its parts.
  public init(relationship: String, first: RecordID, second: RecordID) {
    self.relationship = relationship
    self.first = first
    self.second = second
  }
}

/// A pair, on or off, with its clock.
public struct PairChange: Hashable, Sendable {
  /// The two records.
  public var pair: Pair
  /// When it was written, and by whom.
  public var clock: Clock
  /// Whether the two belong together.
  public var isOn: Bool

  /// Makes a value of its parts.
  public init(pair: Pair, clock: Clock, isOn: Bool) {
    self.pair = pair
    self.clock = clock
    self.isOn = isOn
  }
}

/// A record that was merged into another, by uniqueness.
public struct Alias: Hashable, Sendable {
  /// The record that is no longer one of its own.
  public var loser: RecordID
  /// The record that it is now part of.
  public var winner: RecordID
  /// The name of the entity.
  public var entity: String

  /// Makes a value of its parts.
  public init(loser: RecordID, winner: RecordID, entity: String) {
    self.loser = loser
    self.winner = winner
    self.entity = entity
  }
}

/// Edits of one replica, accepted whole in one transaction, once.
public struct PushMessage: Hashable, Sendable {
  /// The name of the zone.
  public var zone: String
  public var id: RecordID
  /// Who wrote it.
  public var replica: ReplicaID
  /// The replica's push before this one, which the server must have as its last.
  public var previous: RecordID?
  /// The server's epoch, as the replica knows it.
  public var epoch: RecordID?
  /// The number up to which the replica has everything.
  public var safe: Int64
  /// What is said of records.
  public var records: [RecordChange]
  /// What is said of many-to-many relationships.
  public var pairs: [PairChange]
  /// Merged records that the server may have lost.
  public var aliases: [Alias]

  /// Makes a value of its parts.
  public init(
    zone: String, id: RecordID, replica: ReplicaID, previous: RecordID?, epoch: RecordID?,
    safe: Int64, records: [RecordChange], pairs: [PairChange] = [], aliases: [Alias] = []
  ) {
    self.zone = zone
    self.id = id
    self.replica = replica
    self.previous = previous
    self.epoch = epoch
    self.safe = safe
    self.records = records
    self.pairs = pairs
    self.aliases = aliases
  }
}

/// What the server made of a push.
public struct Pushed: Hashable, Sendable {
  /// What a request leads to.
  public enum Outcome: Hashable, Sendable {
    case accepted(Acceptance)
    /// The push before is not the replica's last one: somebody else writes under its name.
    case fork
    /// The replica has been away for longer than the server remembers: it must attach again.
    case reset
    /// The server's state is another than the one that the replica knows: it was restored.
    case otherEpoch
  }
  /// What became of it.
  public var outcome: Outcome
  /// The server's epoch, as the replica knows it.
  public var epoch: RecordID
  /// The server's time, in milliseconds since 1970.
  public var now: UInt64

  /// Makes a value of its parts.
  public init(outcome: Outcome, epoch: RecordID, now: UInt64) {
    self.outcome = outcome
    self.epoch = epoch
    self.now = now
  }
}

/// What a server says of a push that it took.
public struct Acceptance: Hashable, Sendable {
  /// Clocks that were too far ahead, and what they became.
  public var clamped: [Clock: Clock]
  /// Records that the server has forgotten: edits of them are void.
  public var gone: [RecordID]
  /// Records that this replica may not write, and why; what is true of them is in `truth`.
  public var denied: [RecordID: String]
  /// What the server has of the records that were denied.
  public var truth: [RecordRow]
  /// Pairs that this replica may not write, as the server has them: off and with the clock `never`
  /// where it has none.
  public var deniedPairs: [PairChange]
  /// Why pairs were denied, by the names of their relationships.
  public var pairDenials: [String: String]

  /// Makes a value of its parts.
  public init(
    clamped: [Clock: Clock] = [:], gone: [RecordID] = [], denied: [RecordID: String] = [:],
    truth: [RecordRow] = [], deniedPairs: [PairChange] = [], pairDenials: [String: String] = [:]
  ) {
    self.clamped = clamped
    self.gone = gone
    self.denied = denied
    self.truth = truth
    self.deniedPairs = deniedPairs
    self.pairDenials = pairDenials
  }
}

/// What a replica asks for.
public struct PullRequest: Hashable, Sendable {
  /// The name of the zone.
  public var zone: String
  /// The number after which records are asked for; 0 means that nothing has come yet.
  public var cursor: Int64
  /// The number after which registers are asked for.
  public var base: Int64
  /// The number up to which everything is here.
  public var safe: Int64
  /// The server's epoch, as the replica knows it.
  public var epoch: RecordID?
  /// The most rows of a page.
  public var limit: Int
  /// Records that are wanted whole beside the page.
  public var wanted: [RecordID]

  /// Makes a value of its parts.
  public init(
    zone: String, cursor: Int64, base: Int64, safe: Int64, epoch: RecordID?, limit: Int,
    wanted: [RecordID] = []
  ) {
    self.zone = zone
    self.cursor = cursor
    self.base = base
    self.safe = safe
    self.epoch = epoch
    self.limit = limit
    self.wanted = wanted
  }
}

/// The answer to a request for a page.
public struct Pulled: Hashable, Sendable {
  /// What a request leads to.
  public enum Outcome: Hashable, Sendable {
    case page(Page)
    case reset
    case otherEpoch
  }
  /// What became of it.
  public var outcome: Outcome
  /// The server's epoch, as the replica knows it.
  public var epoch: RecordID
  /// The server's time, in milliseconds since 1970.
  public var now: UInt64

  /// Makes a value of its parts.
  public init(outcome: Outcome, epoch: RecordID, now: UInt64) {
    self.outcome = outcome
    self.epoch = epoch
    self.now = now
  }
}

/// A share of what is new in a zone.
public struct Page: Hashable, Sendable {
  /// A row of a page.
  public enum Row: Hashable, Sendable {
    case record(RecordRow)
    case pair(PairChange)
  }
  /// Records and pairs in the order of their numbers.
  public var rows: [Row]
  /// The number to ask after next.
  public var cursor: Int64
  /// The zone's latest number.
  public var head: Int64
  /// Whether nothing is left beyond this page.
  public var isDone: Bool

  /// Makes a value of its parts.
  public init(rows: [Row], cursor: Int64, head: Int64, isDone: Bool) {
    self.rows = rows
    self.cursor = cursor
    self.head = head
    self.isDone = isDone
  }
}

/// A record as the server has it: all of it, or what has a number above the request's base.
public struct RecordRow: Hashable, Sendable {
  public var id: RecordID
  /// The name of the entity.
  public var entity: String
  /// The record that it was merged into.
  public var alias: RecordID?
  /// The life, where it is among what was asked for.
  public var life: Life?
  /// Values with their clocks, by property.
  public var registers: [String: Register]
  /// Increments of counters.
  public var facts: [Fact]
  /// Whether all registers of the record are here.
  public var isWhole: Bool
  /// The registers that replaced what their writers had not seen: whose value lost by that tells
  /// it.
  public var unseen: Set<String>
  /// The registers that went with what somebody deleted who had not seen them, or lead to it: who
  /// wrote them tells it.
  public var taken: Set<String>

  /// Makes a value of its parts.
  public init(
    id: RecordID, entity: String, alias: RecordID? = nil, life: Life?,
    registers: [String: Register], facts: [Fact] = [], isWhole: Bool, unseen: Set<String> = [],
    taken: Set<String> = []
  ) {
    self.id = id
    self.entity = entity
    self.alias = alias
    self.life = life
    self.registers = registers
    self.facts = facts
    self.isWhole = isWhole
    self.unseen = unseen
    self.taken = taken
  }
}
