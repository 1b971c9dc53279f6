import Foundation

/// What the application's store shows of a property, as sync last saw it or made it.
enum Shown: Equatable, Sendable {
  /// An attribute, by its fingerprint.
  case print(UInt32)
  /// A counter.
  case total(SyncValue)
  /// A reference, by the record that it leads to.
  case reference(RecordID?)
  /// The other ends of a relationship to many, on the side that sorts first.
  case members(Set<RecordID>)

  /// The order of a list, by a fingerprint.
  static func order(_ row: [RecordID]) -> Shown {
    let bytes = row.flatMap { id in [id.high, id.low] }
    return .print(bytes.withUnsafeBytes { SyncValue.data(Data($0)).fingerprint })
  }
}

/// A record as one replica knows it.
struct ReplicaRecord: Equatable, Sendable {
  var entity: String
  /// The URI of the object that shows it; nil while the store does not.
  var object: String?
  var life = Life(isDead: false, clock: .never)
  /// The clock of every register that is known.
  var clocks = Named<Clock>()
  /// To-one relationships, also while their targets are absent. None means nil.
  var references = Named<RecordID>()
  /// Places in lists, by register.
  var positions = Named<Position>()
  /// Values of attributes that the store does not show now.
  var parked = Named<SyncValue>()
  /// Values of attributes that have been scanned and not been frozen.
  var unsent = Named<SyncValue>()
  /// Registers to be sent.
  var unsentRegisters: Set<String> = []
  var isLifeUnsent = false
  var facts: [RecordID: Fact] = [:]
  var unsentFacts: Set<RecordID> = []
  /// What the object shows, by property; empty without one.
  var shown = Named<Shown>()
  /// Whether the server has it.
  var isKnown = false
  /// Whether every register that was ever written is here: what is not was never written.
  var isWhole = false
  /// Whether nobody knows which record of the server's its object is, and it has not been edited
  /// since: the first to come that is like it.
  var isUnexplained = false
  /// What was edited since then, of an object that is still like the record: references and places
  /// by register, counters by the names of their increments.
  var since = Since()
  /// What the server had of it in the current attachment.
  var seen: Seen?

  init(entity: String) { self.entity = entity }

  struct Since: Equatable, Sendable {
    var registers: Set<String> = []
    var facts: Set<RecordID> = []

    var isEmpty: Bool { registers.isEmpty && facts.isEmpty }
  }

  struct Position: Hashable, Sendable {
    var list: RecordID?
    var key: String
    var value: SyncValue { .position(list: list, key: key) }
  }

  /// What a page of an attachment said of the record.
  struct Seen: Equatable, Sendable {
    /// The attachment's number.
    var attachment: Int64
    var life: Clock?
    var registers = Named<Clock>()
    var facts: Set<RecordID> = []
  }

  var hasUnsent: Bool { isLifeUnsent || !unsentRegisters.isEmpty || !unsentFacts.isEmpty }

  /// The fingerprint of a register's value, wherever it is kept; nil if it is not here.
  func fingerprint(of register: String, in entity: ModelMap.Entity) -> UInt32? {
    if let value = unsent[register] ?? parked[register] { return value.fingerprint }
    if let value = structuralValue(of: register, in: entity) { return value.fingerprint }
    guard case .print(let print)? = shown[register] else { return nil }
    return print
  }

  /// The value of a reference or a position; nil for an attribute's register.
  func structuralValue(of register: String, in entity: ModelMap.Entity) -> SyncValue? {
    if entity.references[register] != nil {
      return references[register].map(SyncValue.reference) ?? .null
    }
    return positions[register]?.value
  }

  /// The sum of a counter's increments: in the order of their names, since a sum of fractions
  /// depends on it, and every device shows the same.
  func total(of counter: String) -> SyncValue {
    facts.values.filter { $0.property == counter }.sorted { $0.name < $1.name }
      .reduce(.null) { $0 + $1.amount }
  }
}

/// A pair as one replica knows it.
struct ReplicaPair: Equatable, Sendable {
  var clock: Clock
  var isOn: Bool
  var isUnsent: Bool
  /// The clock that the server had, and the attachment in which it said so.
  var seen: Seen?

  struct Seen: Equatable, Sendable {
    var attachment: Int64
    var clock: Clock
  }
}

extension Pair: Comparable {
  public static func < (one: Pair, other: Pair) -> Bool {
    (one.relationship, one.first, one.second) < (other.relationship, other.first, other.second)
  }
}
