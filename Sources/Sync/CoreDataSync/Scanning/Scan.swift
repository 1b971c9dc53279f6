import CoreData

/// Makes clocks and unsent values of what applications have saved.
struct Scan {
  var state: ReplicaState
  let graph: GraphContext
  var changes: SavedChanges
  /// The server's time minus this device's.
  let offset: Int64
  /// This device's time.
  let now: Int64
  let newID: () -> RecordID
  let deletedBy: [String: Int64?]
  /// The records whose objects were deleted, with these.
  var deleted: [RecordID: String] = [:]
  /// Objects of which this scan has made records.
  var inserted: Set<String> = []
  /// New objects whose name another object has, by the record of each.
  var twins: [RecordID: RecordID] = [:]
  /// Lists whose order may have changed: owner and relationship, and when that was last saved.
  var lists: [SavedChanges.Property: Int64] = [:]

  init(
    _ changes: SavedChanges, state: ReplicaState, graph: GraphContext, now: Int64,
    newID: @escaping () -> RecordID
  ) {
    self.changes = changes
    self.state = state
    self.graph = graph
    self.now = now
    self.newID = newID
    offset = state.standing.offset
    deletedBy = changes.deletingTransactions
  }

  /// Scans in the order in which the parts need each other.
  mutating func run() -> ReplicaState {
    graph.read(Set(changes.named.keys.map(\.object)).union(changes.inserted.keys))
    if let relearning = changes.relearning { bind(relearning) }
    // First: a new object may have the name of a deleted one, and is that record then.
    for deletion in changes.deletions { delete(deletion) }
    // Taken, not copied: there may be millions.
    var named = changes.named
    changes.named = [:]
    for (uri, time) in changes.inserted.sorted(by: { $0.key < $1.key })
    where state.record(ofObject: uri) == nil {
      insert(uri, at: time, named: named)
      name(uri, at: time, in: &named)
    }
    if let relearning = changes.relearning {
      for property in relearning.written { named[property] = nil }
      adopt(relearning, except: named)
      if relearning.countersAreUnknown {
        named = named.filter { !isKnownCounter($0.key) }
      }
    }
    for (property, naming) in named.sorted(by: { $0.key < $1.key }) { look(at: property, naming) }
    for (list, time) in lists.sorted(by: { $0.key < $1.key }) { scanOrder(of: list, at: time) }
    uniteTwins()
    if let relearning = changes.relearning { state.noteUnexplained(relearning.unexplained) }
    noteEnd()
    return state
  }

  /// Notes where the history was read to.
  mutating func noteEnd() {
    if let token = changes.token { state.standing.token = token }
    if let last = changes.last { state.standing.scanned = last }
  }

  /// Whether a counter was adopted as it is.
  private func isKnownCounter(_ property: SavedChanges.Property) -> Bool {
    guard !inserted.contains(property.object), let object = graph.object(property.object) else {
      return false
    }
    return graph.entity(of: object)?.counters[property.name] != nil
  }

  /// A new clock, later than every one before; of the time that the history says, where it is read
  /// a second time, or copies of the store read it, too: what others have written since is later.
  mutating func stamp(at time: Int64, over old: Clock? = nil) -> Clock {
    guard changes.relearning != nil || changes.isFirst else {
      return state.stamp(at: time + offset, over: old)
    }
    let last = state.standing.lastTicks
    state.standing.lastTicks = 0
    defer { state.standing.lastTicks = max(last, state.standing.lastTicks) }
    return state.stamp(at: time + offset, over: old)
  }

  // MARK: - Insertions

  /// Makes a record of an object, unless it has one, with its attributes.
  ///
  /// - Parameter named: when attributes were edited since, as far as that counts.
  mutating func insert(
    _ uri: String, at time: Int64, named: [SavedChanges.Property: SavedChanges.Naming]
  ) {
    guard let object = graph.object(uri), let entity = graph.entity(of: object) else { return }
    let grave = state.open(uri)
    if let grave, returnToLife(uri, entity, from: grave, at: time) {
      for name in entity.attributes.keys {
        let property = SavedChanges.Property(object: uri, name: name)
        look(at: property, named[property] ?? SavedChanges.Naming(time: time, transaction: nil))
      }
      return
    }
    // Another device may have taken it off what was deleted: it is there then.
    let returned = grave.map { state.resolve($0.id) }.flatMap { isInStore($0) ? $0 : nil }
    let wanted =
      graph.identity(ofObject: uri, entity).map { state.resolve($0) } ?? returned
      ?? changes.names[uri].map { state.resolve($0) }
    let known = state.record(ofObject: uri)
    let id = known ?? wanted.flatMap { isFree($0) ? $0 : nil } ?? newID()
    if let wanted, id != wanted, let other = state[wanted], other.object != nil,
      other.entity == entity.name
    {
      twins[id] = wanted
    }
    if known != nil { return }
    inserted.insert(uri)
    var record = state[id] ?? ReplicaRecord(entity: entity.name)
    let isNew = state[id] == nil
    record.entity = entity.name
    record.object = uri
    let clock = stamp(at: time, over: ([record.life.clock] + record.clocks.values).max())
    record.life = Life(isDead: false, clock: clock)
    record.isLifeUnsent = true
    record.isWhole = record.isWhole || isNew
    // Of an object that was there before, what it referred to counts as shown.
    record.shown = record.references.mapValues { .reference($0) }
    for name in entity.attributes.keys {
      let value = graph.value(of: name, ofObject: uri) ?? .null
      let property = SavedChanges.Property(object: uri, name: name)
      if changes.relearning?.written.contains(property) ?? false {
        record.shown[name] = .print(value.fingerprint)
      } else if let naming = named[property] {
        record.set(name, to: value, at: stamp(at: naming.time, over: clock))
      } else {
        record.set(name, to: value, at: clock)
      }
    }
    state[id] = record
  }

  /// Has the other properties of a new object looked at.
  private func name(
    _ uri: String, at time: Int64, in named: inout [SavedChanges.Property: SavedChanges.Naming]
  ) {
    guard let object = graph.object(uri), let entity = graph.entity(of: object) else { return }
    let naming = SavedChanges.Naming(
      time: time, transaction: nil, origin: changes.names[uri]?.description)
    for name in entity.properties where entity.attributes[name] == nil {
      let property = SavedChanges.Property(object: uri, name: name)
      if changes.relearning != nil, named[property] != nil { continue }
      named[property] = naming
    }
  }

  private func isFree(_ id: RecordID) -> Bool {
    guard let record = state[id] else { return true }
    return record.object == nil && state.entity(of: record) != nil
  }

  // MARK: - Properties

  mutating func look(at property: SavedChanges.Property, _ naming: SavedChanges.Naming) {
    guard let id = state.record(ofObject: property.object), let record = state[id],
      let object = graph.object(property.object), let entity = graph.entity(of: object)
    else { return }
    let name = property.name
    if entity.attributes[name] != nil {
      lookAtAttribute(name, id: id, record: record, entity: entity, naming: naming)
    } else if entity.counters[name] != nil {
      lookAtCounter(name, id: id, record: record, naming: naming)
    } else if let reference = entity.references[name] {
      lookAtReference(
        name, reference: reference, id: id, record: record, object: object, naming: naming)
    } else if let side = entity.sides[name] {
      if side.isFirst {
        lookAtMembers(name, side: side, id: id, record: record, object: object, naming: naming)
      }
    } else if entity.lists[name] != nil {
      noteOrder(of: property, at: naming.time)
    }
  }

  private mutating func lookAtAttribute(
    _ name: String, id: RecordID, record: ReplicaRecord, entity: ModelMap.Entity,
    naming: SavedChanges.Naming
  ) {
    guard let uri = record.object, let value = graph.value(of: name, ofObject: uri) else { return }
    let print: UInt32? =
      if case .print(let print)? = record.shown[name] { print } else { entity.defaults[name] }
    guard value.fingerprint != print else { return }
    var record = record
    record.set(name, to: value, at: stamp(at: naming.time, over: record.clocks[name]))
    state[id] = record
  }

  /// An increment is a fact with a name of its own, which never changes.
  private mutating func lookAtCounter(
    _ name: String, id: RecordID, record: ReplicaRecord, naming: SavedChanges.Naming
  ) {
    guard let uri = record.object, let value = graph.value(of: name, ofObject: uri) else { return }
    let shown: SyncValue = if case .total(let total)? = record.shown[name] { total } else { .null }
    let amount = value + -shown
    var record = record
    record.shown[name] = .total(value)
    // Where nothing is not zero, a zero is told.
    let counter = state.entity(of: record)?.counters[name]
    let isFirstZero =
      shown == .null && value != .null && counter?.isOptional == true
      && counter?.defaultValue == nil
    if !amount.isZero || isFirstZero {
      let factName = graph.name(of: "\(id) \(name)", from: naming.origin)
      let isFree = factName.map { record.facts[$0] == nil } ?? false
      let fact = Fact(
        property: name, name: isFree ? factName ?? newID() : newID(), amount: amount)
      record.facts[fact.name] = fact
      record.unsentFacts.insert(fact.name)
      if record.isUnexplained, changes.relearning == nil { record.since.facts.insert(fact.name) }
    }
    state[id] = record
  }

  /// Whether the store has the object of a record.
  func isInStore(_ id: RecordID) -> Bool {
    guard let uri = state[id]?.object else { return false }
    return graph.object(uri) != nil
  }
}

extension ReplicaRecord {
  /// A person set a reference or a place of an object that is still like its record.
  mutating func noteSince(register: String) {
    if isUnexplained { since.registers.insert(register) }
  }

  /// A person set an attribute.
  fileprivate mutating func set(_ name: String, to value: SyncValue, at clock: Clock) {
    clocks[name] = clock
    unsentRegisters.insert(name)
    unsent[name] = value
    parked[name] = nil
    shown[name] = .print(value.fingerprint)
    isUnexplained = false
  }
}
