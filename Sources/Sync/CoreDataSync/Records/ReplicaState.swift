import Foundation

/// All that a replica knows: a value, of which the sync store has the last one that was saved.
///
/// A step copies it, changes the copy, and has the copy saved.
struct ReplicaState {
  var standing: Standing
  private(set) var records: PackedRecords
  private(set) var pairs: Layered<Pair, ReplicaPair>
  private(set) var aliases: Layered<RecordID, RecordID>
  let map: ModelMap
  private let names: NameTable
  /// What a person's edits lost to others', to be told once the state is saved.
  var losses: [SyncLoss] = []
  /// Attributes that were sent since everything was last received: what overrides them was written
  /// without knowing of them. Kept in memory alone.
  var recentlySent: SentValues
  /// What is lost if these records' objects go: it was added, or edited, to what somebody deleted
  /// who had not seen it. In memory alone.
  var taken: [RecordID: Set<SyncLoss>] = [:]
  /// The URIs of objects that have gone since the last page of all.
  var removed: [RecordID: String] = [:]
  /// What objects were that this device has deleted, by their URIs, as long as the engine is open:
  /// an undo brings them back under these.
  private(set) var graves: [String: Grave] = [:]
  /// Values that are longer than what the server takes, by record and attribute, in words. In
  /// memory alone.
  var oversized: [RecordID: [String: String]] = [:]
  /// Records whose objects may be those of other records, by what they are like.
  var unexplained: [Likeness: [RecordID]] = [:]
  /// Reads what the application's store shows, where the records do not say it.
  var graph: (any GraphReading)?

  /// Whether the sync store has such records.
  private var hasUnexplained = false

  // Indexes of the above.
  private var objects: ObjectIndex
  private var referrers: ReferrerIndex
  private var pairsOfEnds = Layered<RecordID, Set<Pair>>()
  private var losers = Layered<RecordID, Set<RecordID>>()
  private(set) var unsentRecords: Set<RecordID> = []
  /// Those of them that others refer to: which live, and which do not.
  private(set) var unsentTargets: Set<RecordID> = []
  private(set) var unsentEnds: Set<RecordID> = []
  private(set) var unsentPairs: Set<Pair> = []
  /// Those of the unsent records that the server knows and that free a unique value, or take one.
  private(set) var unsentNames: Set<RecordID> = []

  /// The state of a replica that knows nothing yet.
  ///
  /// - Parameters:
  ///   - names: the names and replicas that the records' bytes mention.
  ///   - recentAtMost: how many records are kept as values.
  ///   - folder: where a file without a name may be, for the records of a large store.
  init(
    standing: Standing, map: ModelMap, names: NameTable = NameTable(),
    recentAtMost: Int = PackedRecords.usualRecent, folder: URL? = nil
  ) {
    self.standing = standing
    self.map = map
    self.names = names
    let numbers = RecordNumbers()
    records = PackedRecords(
      numbers: numbers, names: names, recentAtMost: recentAtMost, folder: folder)
    pairs = Layered()
    aliases = Layered()
    objects = ObjectIndex(numbers)
    recentlySent = SentValues(names: names, folder: folder)
    referrers = ReferrerIndex(numbers)
  }

  /// Takes records over from the sync store: bytes as `PackedRecords.packed()` makes them.
  ///
  /// - Throws: `StoredReader.Damage` if some cannot be read.
  mutating func addStored(_ rows: [(id: RecordID, body: [UInt8])]) throws {
    for (id, body) in rows {
      var reader = StoredReader(body, names: names)
      let record = try reader.record()
      index(id, from: nil, to: record)
      records.addStored(id, body)
      if record.isUnexplained { hasUnexplained = true }
    }
    fold(records: [:])
  }

  /// Takes over from the sync store what is beside the records, when all of these are here.
  mutating func addStored(pairs: [Pair: ReplicaPair], aliases: [RecordID: RecordID]) {
    for (pair, state) in pairs { self[pair] = state }
    for (loser, winner) in aliases { setAlias(winner, for: loser) }
    if hasUnexplained { indexUnexplained() }
    fold(records: [:])
  }

  /// Makes what was changed the shared truth, once it is saved.
  ///
  /// - Parameter bodies: the changed records' bytes.
  mutating func fold(records bodies: [RecordID: [UInt8]]) {
    records.fold(bodies)
    pairs.fold()
    aliases.fold()
    objects.fold()
    referrers.fold()
    pairsOfEnds.fold()
    losers.fold()
    recentlySent.fold()
  }

  /// A copy to be read, not saved, with every record as a value.
  func unpacked() -> ReplicaState {
    var copy = self
    copy.records = records.unpacked()
    return copy
  }

  // MARK: - Graves

  /// More than what a person deletes and undoes.
  private static let mostGraves = 10_000

  mutating func bury(_ uri: String, _ record: ReplicaRecord, as id: RecordID) {
    if graves.count >= Self.mostGraves { graves = [:] }
    graves[uri] = Grave(
      id: id, shown: record.shown, clocks: record.clocks, isWhole: record.isWhole)
  }

  /// What was deleted with this URI, which is no grave any more.
  mutating func open(_ uri: String) -> Grave? { graves.removeValue(forKey: uri) }

  // MARK: - Access

  subscript(id: RecordID) -> ReplicaRecord? {
    get { records[id] }
    set {
      index(id, from: records[id], to: newValue)
      records[id] = newValue
    }
  }

  subscript(pair: Pair) -> ReplicaPair? {
    get { pairs[pair] }
    set {
      pairs[pair] = newValue
      for end in [pair.first, pair.second] {
        if newValue == nil {
          pairsOfEnds.remove(pair, at: end)
        } else {
          pairsOfEnds.insert(pair, at: end)
        }
      }
      if newValue?.isUnsent == true {
        unsentPairs.insert(pair)
      } else {
        unsentPairs.remove(pair)
      }
    }
  }

  mutating func setAlias(_ winner: RecordID?, for loser: RecordID) {
    if let former = aliases[loser] { losers.remove(loser, at: former) }
    aliases[loser] = winner
    if let winner { losers.insert(loser, at: winner) }
  }

  private mutating func index(_ id: RecordID, from old: ReplicaRecord?, to new: ReplicaRecord?) {
    if old?.object != new?.object {
      if let object = old?.object.map(key), objects[object] == id { objects[object] = nil }
      if let object = new?.object.map(key) { objects[object] = id }
    }
    if old?.references != new?.references {
      for (_, target) in old?.references ?? [:] { referrers.remove(id, of: target) }
      for (_, target) in new?.references ?? [:] { referrers.insert(id, of: target) }
    }
    let isUnsent = new?.hasUnsent ?? false
    let isTarget = isUnsent && new.map { map.targets.contains($0.entity) } ?? false
    let isDead = new?.life.isDead ?? false
    unsentRecords.set(id, isMember: isUnsent)
    unsentTargets.set(id, isMember: isTarget && !isDead)
    unsentEnds.set(id, isMember: isTarget && isDead)
    if let new, isRenamed(new) { unsentNames.insert(id) } else { unsentNames.remove(id) }
  }

  private func isRenamed(_ record: ReplicaRecord) -> Bool {
    guard record.hasUnsent, record.isKnown, let constraints = entity(of: record)?.constraints,
      !constraints.isEmpty
    else { return false }
    return record.isLifeUnsent && record.life.isDead
      || constraints.contains { constraint in
        constraint.properties.contains {
          record.unsentRegisters.contains(PropertyPath($0).property)
        }
      }
  }

  // MARK: - Questions

  /// The record that stands for this one: itself, unless it was merged into another.
  func resolve(_ id: RecordID) -> RecordID {
    var id = id
    var steps = 0
    while let winner = aliases[id], steps < 10_000 {
      id = winner
      steps += 1
    }
    return id
  }

  func isAlias(_ id: RecordID) -> Bool { aliases[id] != nil }

  /// The record that an object shows.
  func record(ofObject uri: String) -> RecordID? { objects[key(uri)] }

  private func key(_ uri: String) -> ObjectKey { ObjectKey(uri, names: names) }

  /// The entity of a record, as this model has it.
  func entity(of record: ReplicaRecord) -> ModelMap.Entity? { map.entities[record.entity] }

  /// A record with all that were merged into it.
  func names(of id: RecordID) -> [RecordID] {
    var all = [id]
    var next = 0
    while next < all.count, all.count < 100_000 {
      all += losers[all[next]] ?? []
      next += 1
    }
    return all
  }

  /// The records with a reference that leads to a record, or to one that was merged into it.
  func referrers(of id: RecordID) -> Set<RecordID> {
    names(of: id).reduce(into: []) { $0.formUnion(referrers[$1]) }
  }

  /// The pairs with this record, or one that was merged into it, at an end.
  func pairs(of id: RecordID) -> Set<Pair> {
    names(of: id).reduce(into: []) { $0.formUnion(pairsOfEnds[$1] ?? []) }
  }

  /// A pair of the records that its ends stand for.
  func resolve(_ pair: Pair) -> Pair {
    canonical(
      Pair(
        relationship: pair.relationship, first: resolve(pair.first), second: resolve(pair.second)))
  }

  /// Of a relationship that is its own inverse the smaller record is the first.
  func canonical(_ pair: Pair) -> Pair {
    guard pair.second < pair.first, map.symmetric.contains(pair.relationship) else { return pair }
    return Pair(relationship: pair.relationship, first: pair.second, second: pair.first)
  }

  /// Whether there is anything that the server does not have.
  var hasUnsent: Bool {
    !unsentRecords.isEmpty || !unsentPairs.isEmpty || standing.message != nil
  }

  /// How many records and pairs wait to be sent.
  var unsentCount: Int {
    unsentRecords.count + unsentPairs.count
      + (standing.message.map { $0.records.count + $0.pairs.count } ?? 0)
  }
}

/// A record as it was when this device deleted its object.
struct Grave: Equatable, Sendable {
  let id: RecordID
  let shown: Named<Shown>
  let clocks: Named<Clock>
  let isWhole: Bool
}
