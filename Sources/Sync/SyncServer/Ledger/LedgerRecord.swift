import CoreData
import CoreDataSync
import Foundation

/// A record of a zone while a transaction works on it.
///
/// Confined to its transaction's context.
final class LedgerRecord {
  /// A register with the number of the change that wrote it.
  struct Numbered: Hashable {
    var register: Register
    var number: Int64
    /// Whether it replaced what its writer had not seen: whose that was is told.
    var isUnseen = false
    /// Whether it went with what somebody deleted who had not seen it: its writer is told.
    var isTaken = false
  }

  /// The number of what is changed and not yet numbered.
  static let pending: Int64 = -1

  let id: RecordID
  let entity: String
  var life: Life?
  var lifeNumber: Int64 = 0
  /// The record that it was merged into. An alias has no registers and no facts.
  var alias: RecordID?
  var number: Int64 = 0
  var registers: [String: Numbered] = [:]
  var hasFacts = false
  /// Nil for a record that this transaction has made.
  var object: NSManagedObject?

  init(id: RecordID, entity: String) {
    self.id = id
    self.entity = entity
  }

  /// The bytes of its values, as they are stored.
  var storedSize: Int { object?.data("registers").count ?? 0 }

  var isDead: Bool { life?.isDead ?? true }

  func value(_ property: String) -> SyncValue? { registers[property]?.register.value }

  /// The value of what a constraint names: of a property, or of an element of its value.
  func value(at text: String) -> SyncValue {
    if let value = value(text) { return value }
    let path = PropertyPath(text)
    return path.elements.isEmpty ? .null : path.value(in: value(path.property))
  }

  func reference(_ property: String) -> RecordID? {
    if case .reference(let target) = value(property) { target } else { nil }
  }

  /// Takes a register over if it follows the one that is here.
  func merge(_ register: Register, of property: String, by writer: PushWriter? = nil) -> Bool {
    let own = registers[property]
    if let own, !register.follows(own.register) { return false }
    let isUnseen =
      own.map { writer?.hasNotSeen($0) ?? false && $0.register.value != register.value } ?? false
    registers[property] = Numbered(
      register: register, number: Self.pending, isUnseen: isUnseen)
    return true
  }

  /// Marks a register that goes with something deleted; it is numbered anew.
  func markTaken(_ property: String) {
    registers[property]?.isTaken = true
    registers[property]?.number = Self.pending
  }

  /// What of it has a number above `base`; all of it for 0.
  func row(after base: Int64, facts: [Fact]) -> RecordRow {
    let registers = registers.filter { $0.value.number > base }
    return RecordRow(
      id: id, entity: entity, alias: alias, life: life,
      registers: registers.mapValues(\.register), facts: facts, isWhole: base == 0,
      unseen: Set(registers.filter(\.value.isUnseen).keys),
      taken: Set(registers.filter(\.value.isTaken).keys))
  }
}

extension Register {
  /// By clock, then by the value: twins may have used one clock for two values.
  func follows(_ other: Register) -> Bool {
    if clock != other.clock { return clock > other.clock }
    return value.fingerprint > other.value.fingerprint
  }
}

// MARK: - Stored form

extension LedgerRecord {
  convenience init(_ object: NSManagedObject) throws {
    self.init(
      id: object.id("identifier") ?? RecordID(high: 0, low: 0), entity: object.text("entity"))
    if object.flag("hasLife") {
      life = Life(
        isDead: object.flag("isDead"),
        clock: Clock(stored: object.integer("lifeTicks"), object.integer("lifeReplica")))
    }
    lifeNumber = object.integer("lifeNumber")
    alias = object.id("alias")
    number = object.integer("number")
    registers = try RegistersBlob.read(object.data("registers"))
    hasFacts = object.flag("hasFacts")
    self.object = object
  }

  func store(in context: NSManagedObjectContext, zone: Int64) {
    let object =
      object
      ?? context.insert(
        "Record", values: ["zone": zone, "identifier": UUID(id), "entity": entity])
    self.object = object
    object.set([
      "hasLife": life != nil, "isDead": life?.isDead ?? false,
      "lifeTicks": life?.clock.storedTicks ?? 0, "lifeReplica": life?.clock.replica.stored ?? 0,
      "lifeNumber": lifeNumber, "alias": alias.map { UUID($0) }, "number": number,
      "registers": RegistersBlob.data(registers), "hasFacts": hasFacts,
    ])
  }
}

extension ReplicaID {
  var stored: Int64 { Int64(bitPattern: number) }
  init(stored: Int64) { self.init(UInt64(bitPattern: stored)) }
}

extension Clock {
  var storedTicks: Int64 { Int64(bitPattern: ticks) }
  init(stored ticks: Int64, _ replica: Int64) {
    self.init(ticks: UInt64(bitPattern: ticks), replica: ReplicaID(stored: replica))
  }
}
