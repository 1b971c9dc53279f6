import CoreData
import CoreDataSync
import Foundation

/// The work on one zone between two saves: records are loaded when they are asked for, changed
/// in memory, and written all together.
///
/// It reads the zone's row first and always writes it. Whoever else has written it meanwhile,
/// another process on the same database as well, makes the save fail with a conflict: the
/// transaction is dropped and tried anew. So numbers come in the order of commits, and whatever
/// was read besides is of the state that the zone's row says.
///
/// Confined to its context's queue.
final class ZoneTransaction {
  /// A reference, seen from the record at its end.
  struct Referrer: Hashable {
    let record: RecordID
    let property: String
  }

  /// An increment's name among those of its record.
  struct FactName: Hashable {
    let property: String
    let name: RecordID
  }

  struct StoredFact {
    let amount: SyncValue
    var number: Int64
    let object: NSManagedObject
  }

  struct StoredPair {
    var change: PairChange
    var number: Int64
    var object: NSManagedObject?
  }

  let context: NSManagedObjectContext
  private let row: NSManagedObject
  let zone: Int64
  /// The server's time, in milliseconds since 1970.
  let now: UInt64
  private(set) var rules: SchemaRules
  private(set) var epoch: RecordID
  var head: Int64
  var horizon: Int64
  /// The last clock that was given to one too far ahead.
  var ceiling: UInt64
  /// The last clock of the server's own.
  var tick: UInt64

  var records: [RecordID: LedgerRecord] = [:]
  private var absent: Set<RecordID> = []
  private var graves: Set<RecordID> = []
  var facts: [RecordID: [FactName: StoredFact]] = [:]
  private var wholeFacts: Set<RecordID> = []
  private var factNames: Set<RecordID> = []
  var pairs: [Pair: StoredPair] = [:]
  var referrers = LayeredIndex<RecordID, Referrer>()
  var uniques = LayeredIndex<Int64, RecordID>()
  /// Records to be numbered.
  var changed: Set<RecordID> = []
  /// Records whose own life, alias, or references that they live by have changed, or into which
  /// one was merged.
  var moved: Set<RecordID> = []
  var changedPairs: Set<Pair> = []
  var moves: [Move] = []

  /// - Returns: nil without a zone of this name.
  init?(_ context: NSManagedObjectContext, zone name: String, now: UInt64) throws {
    guard let row = try context.all("Zone", where: "name == %@", arguments: [name]).first else {
      return nil
    }
    self.context = context
    self.row = row
    self.now = now
    zone = row.integer("number")
    rules = SchemaRules(try SyncSchema(encodedMessage: row.data("schema")))
    epoch = row.id("epoch") ?? RecordID(high: 0, low: 0)
    head = row.integer("head")
    horizon = row.integer("horizon")
    ceiling = UInt64(bitPattern: row.integer("ceiling"))
    tick = UInt64(bitPattern: row.integer("tick"))
  }

  func renewEpoch(_ epoch: RecordID) { self.epoch = epoch }
  func use(_ schema: SyncSchema) { rules = SchemaRules(schema) }

  /// The zone's row is written even if nothing of it is new.
  func storeZone() {
    row.set([
      "epoch": UUID(epoch), "head": head, "horizon": horizon,
      "ceiling": Int64(bitPattern: ceiling), "tick": Int64(bitPattern: tick),
      "pushes": row.integer("pushes") &+ 1, "schema": rules.schema.encodedMessage(),
    ])
  }

  // MARK: - Records

  /// Loads records, or notes that they are absent.
  func load(_ ids: some Sequence<RecordID>) throws {
    let unknown = Set(ids.filter { records[$0] == nil && !absent.contains($0) })
    guard !unknown.isEmpty else { return }
    for object in try context.all("Record", zone: zone, where: "identifier", isIn: unknown) {
      let record = try LedgerRecord(object)
      records[record.id] = record
    }
    let missing = unknown.filter { records[$0] == nil }
    guard !missing.isEmpty else { return }
    absent.formUnion(missing)
    for grave in try context.all("Grave", zone: zone, where: "identifier", isIn: missing) {
      if let id = grave.id("identifier") { graves.insert(id) }
    }
  }

  func record(_ id: RecordID) throws -> LedgerRecord? {
    if let record = records[id] { return record }
    try load([id])
    return records[id]
  }

  func isForgotten(_ id: RecordID) throws -> Bool {
    try load([id])
    return graves.contains(id)
  }

  func add(_ record: LedgerRecord) {
    records[record.id] = record
    absent.remove(record.id)
  }

  func forget(_ id: RecordID) {
    records[id] = nil
    absent.insert(id)
    graves.insert(id)
  }

  /// What a record was merged into, in the end.
  func resolve(_ id: RecordID) throws -> RecordID {
    var id = id
    while let alias = try record(id)?.alias { id = alias }
    return id
  }

  // MARK: - Lives

  enum Standing { case alive, dead, waiting }

  /// Whether a record is alive: dead if itself or anything that it lives by has been deleted,
  /// waiting if anything that it lives by is not known.
  ///
  /// - Parameter spared: a record that counts as alive whatever it is.
  func standing(_ id: RecordID, sparing spared: RecordID? = nil) throws -> Standing {
    var seen: Set<RecordID> = []
    var rest = [try resolve(id)]
    var result = Standing.alive
    while let id = rest.popLast() {
      guard id != spared, seen.insert(id).inserted else { continue }
      guard let record = try record(id) else {
        result = .waiting
        continue
      }
      if record.isDead { return .dead }
      for property in rules[record.entity].lives {
        if let target = record.reference(property) { rest.append(try resolve(target)) }
      }
    }
    return result
  }

  // MARK: - Indexes

  /// The references to these records, by record at their end.
  func referrers(to ids: some Collection<RecordID>) throws -> [RecordID: [Referrer]] {
    let missing = referrers.missing(ids)
    referrers.load(missing)
    for object in try context.all("Reference", zone: zone, where: "target", isIn: missing) {
      guard let record = object.id("record"), let target = object.id("target") else { continue }
      referrers.note(
        target, of: record, entry: Referrer(record: record, property: object.text("property")))
    }
    return Dictionary(
      uniqueKeysWithValues: ids.map { id in (id, referrers.entries(id).values.flatMap { $0 }) })
  }

  /// The records with one of these keys.
  func holders(of keys: some Collection<Int64>) throws -> [Int64: Set<RecordID>] {
    let missing = uniques.missing(keys)
    uniques.load(missing)
    var rest = Array(missing)[...]
    while !rest.isEmpty {
      let step = Array(rest.prefix(500))
      rest = rest.dropFirst(500)
      for object in try context.all(
        "Unique", where: "zone == %@ AND key IN %@", arguments: [zone, step])
      {
        guard let record = object.id("record") else { continue }
        uniques.note(object.integer("key"), of: record, entry: record)
      }
    }
    return Dictionary(
      uniqueKeysWithValues: Set(keys).map { ($0, Set(uniques.entries($0).keys)) })
  }

  /// Notes in the indexes what a record's registers say now.
  func index(_ record: LedgerRecord) throws {
    var references: [RecordID: Set<Referrer>] = [:]
    for property in record.registers.keys {
      guard let target = record.reference(property) else { continue }
      let referrer = Referrer(record: record.id, property: property)
      references[try resolve(target), default: []].insert(referrer)
    }
    referrers.set(record.id, to: references)
    var keys: [Int64: Set<RecordID>] = [:]
    for constraint in rules[record.entity].uniqueness {
      if let (key, _) = UniqueKey.make(record, for: constraint) { keys[key] = [record.id] }
    }
    uniques.set(record.id, to: keys)
  }

  // MARK: - Facts and pairs

  /// Loads the facts of these names.
  func loadFacts(named names: some Sequence<RecordID>) throws {
    let unknown = Set(names).subtracting(factNames)
    factNames.formUnion(unknown)
    try note(context.all("Fact", zone: zone, where: "name", isIn: unknown))
  }

  /// Loads all facts of these records.
  func loadFacts(of ids: some Sequence<RecordID>) throws {
    let unknown = Set(ids).subtracting(wholeFacts).filter { records[$0]?.hasFacts ?? false }
    wholeFacts.formUnion(unknown)
    try note(context.all("Fact", zone: zone, where: "record", isIn: unknown))
  }

  private func note(_ objects: [NSManagedObject]) throws {
    for object in objects {
      guard let record = object.id("record"), let name = object.id("name") else { continue }
      let fact = FactName(property: object.text("property"), name: name)
      guard facts[record]?[fact] == nil else { continue }
      facts[record, default: [:]][fact] = StoredFact(
        amount: try RegistersBlob.value(object.data("amount")), number: object.integer("number"),
        object: object)
    }
  }

  /// The facts of a record above a number.
  func facts(of record: LedgerRecord, after base: Int64) throws -> [Fact] {
    guard record.hasFacts else { return [] }
    try loadFacts(of: [record.id])
    return (facts[record.id] ?? [:]).filter { $0.value.number > base }
      .map { Fact(property: $0.key.property, name: $0.key.name, amount: $0.value.amount) }
      .sorted { ($0.property, $0.name) < ($1.property, $1.name) }
  }

  func loadPairs(_ wanted: some Collection<Pair>) throws {
    var rest = wanted.filter { pairs[$0] == nil }[...]
    while !rest.isEmpty {
      let step = rest.prefix(500)
      rest = rest.dropFirst(500)
      let objects = try context.all(
        "Pair", where: "zone == %@ AND firstRecord IN %@ AND secondRecord IN %@",
        arguments: [zone, step.map { UUID($0.first) }, step.map { UUID($0.second) }])
      for object in objects {
        guard let pair = StoredPair(object), pairs[pair.change.pair] == nil else { continue }
        pairs[pair.change.pair] = pair
      }
    }
  }
}

extension ZoneTransaction.StoredPair {
  init?(_ object: NSManagedObject) {
    guard let first = object.id("firstRecord"), let second = object.id("secondRecord") else {
      return nil
    }
    change = PairChange(
      pair: Pair(relationship: object.text("relationship"), first: first, second: second),
      clock: Clock(stored: object.integer("ticks"), object.integer("replica")),
      isOn: object.flag("isOn"))
    number = object.integer("number")
    self.object = object
  }
}
