/// The records that have to be derived when some have changed.
struct DerivationScope {
  private let state: ReplicaState
  private(set) var records: Set<RecordID> = []
  private var queue: [RecordID] = []
  private var expanded: Set<RecordID> = []

  /// - Parameter former: the state that the store shows.
  init(of changed: Set<RecordID>, from former: ReplicaState, to state: ReplicaState) {
    self.state = state
    let staying = changed.filter { staysAsItIs($0, from: former) }
    for id in changed.subtracting(staying) { follow(id) }
    for id in state.standing.held.keys { follow(id) }
    while let id = queue.popLast() { expand(id) }
    for id in staying where !expanded.contains(id) { expand(id, withReferrers: false) }
  }

  /// A record of which everything may have changed, its life included.
  private mutating func follow(_ id: RecordID) {
    records.insert(id)
    for id in [id, state.resolve(id)] where expanded.insert(id).inserted { queue.append(id) }
  }

  /// A record of which a relationship may have changed.
  private mutating func touch(_ id: RecordID) { records.insert(state.resolve(id)) }

  /// Whether a record shows, lives and hangs where it did, whatever else of it has changed: a
  /// folder that is renamed needs none of its notes.
  private func staysAsItIs(_ id: RecordID, from former: ReplicaState) -> Bool {
    guard let record = state[id], let object = record.object, former[id]?.object == object,
      !record.life.isDead,
      state.standing.held[id] == nil, !state.isAlias(id), state.names(of: id).count == 1,
      let entity = state.entity(of: record), !entity.constraints.contains(where: \.isShared)
    else { return false }
    return entity.references.allSatisfy { name, reference in
      guard reference.isAcyclic || entity.lifelines.contains(name) else { return true }
      return (record.shown[name] ?? .reference(nil))
        == .reference(record.references[name].map { state.resolve($0) })
    }
  }

  private mutating func expand(_ id: RecordID, withReferrers: Bool = true) {
    records.insert(id)
    if withReferrers { expandReferrers(of: id) }
    touchTargets(of: id)
    followClaimants(of: id)
    for pair in state.pairs(of: id) {
      touch(pair.first)
      touch(pair.second)
    }
  }

  private mutating func expandReferrers(of id: RecordID) {
    for referrer in state.referrers(of: id) {
      guard let record = state[referrer], let entity = state.entity(of: record) else { continue }
      let names = entity.references.keys.filter { name in
        record.references[name].map { state.resolve($0) } == id
      }
      // Lives and circles go on from here; what merely refers, does not.
      let isBound = names.contains { name in
        entity.lifelines.contains(name) || entity.references[name]?.isAcyclic ?? false
      }
      if isBound { follow(referrer) } else { touch(referrer) }
    }
  }

  /// Objects of other entities that the store shows with values which this one has, and which are
  /// unique among both: one of the two is hidden.
  private mutating func followClaimants(of id: RecordID) {
    guard let graph = state.graph, let record = state[id], let entity = state.entity(of: record)
    else { return }
    for constraint in entity.constraints where constraint.isShared {
      let values = UniqueValues(constraint) { attribute in
        record.parked[attribute]
          ?? record.object.flatMap { graph.value(of: attribute, ofObject: $0) }
      }
      for uri in values?.objects(in: graph) ?? [] {
        if let holder = state.record(ofObject: uri) { follow(holder) }
      }
    }
  }

  /// Other ends of one-to-ones and owners of lists, before and now.
  private mutating func touchTargets(of id: RecordID) {
    guard let record = state[id], let entity = state.entity(of: record) else { return }
    for (name, reference) in entity.references
    where reference.inverse != nil || reference.list != nil {
      if let target = record.references[name] { touch(target) }
      if case .reference(let target?)? = record.shown[name] { touch(target) }
    }
  }
}
