/// Derives the graph from the records.
///
/// The whole of it, or of a part of the records; what is outside of the part is taken to show as it
/// does.
struct Derivation {
  let state: ReplicaState
  let graph: any GraphReading
  /// The records to derive; nil for all.
  let scope: Set<RecordID>?
  /// Objects that the store has refused with their new values, and why.
  let refused: [RecordID: String]
  var result = DesiredGraph()
  private var lives: [RecordID: Bool?] = [:]
  /// How often a way up has come back to where it was: what was found on it holds for that way
  /// only.
  private var circles = 0

  init(
    of state: ReplicaState, graph: any GraphReading, scope: Set<RecordID>? = nil,
    refused: [RecordID: String] = [:]
  ) {
    self.state = state
    self.graph = graph
    self.scope = scope
    self.refused = refused
  }

  mutating func run() -> DesiredGraph {
    for id in scope ?? Set(state.records.keys) where !state.isAlias(id) { propose(id) }
    for (id, reason) in refused.sorted(by: { $0.key < $1.key }) where result.objects[id] != nil {
      revert(id, for: .validation(reason))
    }
    settleFamilies()
    settleUniqueness()
    settleRequirements()
    let edges = acyclicEdges()
    for id in result.objects.keys { connect(id, by: edges) }
    for id in result.objects.keys { fillMembers(of: id) }
    fillLists()
    return result
  }

  // MARK: - Lives

  /// Whether a record lives, with what it hangs on: nil if that has not come yet, or never will.
  private mutating func isAlive(_ id: RecordID, path: [RecordID] = []) -> Bool? {
    let id = state.resolve(id)
    if path.contains(id) {
      circles += 1
      return true
    }
    if let known = lives[id] { return known }
    guard let record = state[id], let entity = state.entity(of: record) else { return nil }
    var life: Bool? = !record.life.isDead
    let circlesBefore = circles
    if life == true {
      for lifeline in entity.lifelines {
        guard let target = record.references[lifeline] else { continue }
        let parent = isAlive(target, path: path + [id])
        if parent == false {
          life = false
          break
        }
        if parent == nil { life = nil }
      }
    }
    if path.isEmpty || circles == circlesBefore { lives[id] = .some(life) }
    return life
  }

  // MARK: - Candidates

  private mutating func propose(_ id: RecordID) {
    guard isAlive(id) == true, let record = state[id], let entity = state.entity(of: record) else {
      return
    }
    var object = DesiredGraph.Object(entity: record.entity)
    for name in entity.attributes.keys {
      if let value = record.parked[name] {
        object.attributes[name] = value
      } else if record.object == nil, record.clocks[name] != nil || !record.isWhole {
        // Not shown, not here, and not merely never written.
        if record.isKnown { result.wanted.insert(id) }
        return
      }
    }
    for (name, counter) in entity.counters {
      let total = record.total(of: name)
      let isNothing = total == .null && counter.isOptional && counter.defaultValue == nil
      object.totals[name] = isNothing ? .null : AttributeCoding.zero(of: counter) + total
    }
    result.objects[id] = object
  }

  /// Leaves an object as it is shown, or out.
  mutating func revert(_ id: RecordID, for hold: Standing.Hold) {
    result.held[id] = hold
    if state[id]?.object == nil {
      result.objects[id] = nil
    } else {
      result.objects[id]?.attributes = [:]
    }
  }

  /// The entity of an object that shows, without reading its record.
  func entity(of id: RecordID) -> ModelMap.Entity? {
    result.objects[id].flatMap { state.map.entities[$0.entity] }
  }

  /// Whether the store will show a record.
  func isShown(_ id: RecordID) -> Bool {
    if let scope, !scope.contains(id) { return state[id]?.object != nil && !state.isAlias(id) }
    return result.objects[id] != nil
  }

  private mutating func settleRequirements() {
    var suspects = Set(result.objects.keys)
    while !suspects.isEmpty {
      let missing = suspects.filter { isMissingRequirement($0) }
      for id in missing {
        result.objects[id] = nil
        result.held[id] = .requirement
      }
      let dependents = missing.reduce(into: Set<RecordID>()) {
        $0.formUnion(state.referrers(of: $1))
      }
      suspects = dependents.filter { result.objects[$0] != nil }
    }
  }

  /// Whether what an object needs, or hangs on, does not show.
  private func isMissingRequirement(_ id: RecordID) -> Bool {
    guard let entity = entity(of: id), !entity.lifelines.isEmpty, let record = state[id] else {
      return false
    }
    return entity.lifelines.contains { name in
      let isRequired = entity.references[name]?.isRequired ?? false
      guard let target = record.references[name].map({ state.resolve($0) }) else {
        return isRequired
      }
      if !isShown(target) { return true }
      // The other end of a one-to-one leads elsewhere: another object has taken it.
      guard isRequired, let inverse = entity.references[name]?.inverse else { return false }
      return state[target]?.references[inverse].map { state.resolve($0) } != id
    }
  }

  // MARK: - Relationships

  private mutating func connect(_ id: RecordID, by edges: [Edge: RecordID]) {
    guard let entity = entity(of: id), !entity.references.isEmpty, let record = state[id] else {
      return
    }
    for (name, reference) in entity.references {
      var target = record.references[name].map { state.resolve($0) }
      if let found = target, !isShown(found) { target = nil }
      if reference.isAcyclic { target = edges[Edge(from: id, name: name)] }
      if let found = target, !entity.mayLead(name, to: state[found]?.entity) { target = nil }
      if let inverse = reference.inverse, let found = target {
        // It holds while both ends agree.
        let back = state[found]?.references[inverse].map { state.resolve($0) }
        if back != id { target = nil }
      }
      result.objects[id]?.references[name] = .some(target)
    }
  }

  private mutating func fillMembers(of id: RecordID) {
    guard let entity = entity(of: id) else { return }
    for (name, side) in entity.sides where side.isFirst {
      var latest: [RecordID: ReplicaPair] = [:]
      for pair in state.pairs(of: id) where pair.relationship == side.relationship {
        let resolved = state.resolve(pair)
        let isOurs = resolved.first == id || side.isSymmetric && resolved.second == id
        guard isOurs, let new = state[pair] else { continue }
        let other = resolved.first == id ? resolved.second : resolved.first
        if latest[other].map({ new.clock > $0.clock }) ?? true { latest[other] = new }
      }
      let members = latest.filter { other, pair in
        pair.isOn && isShown(other) && entity.mayLead(name, to: state[other]?.entity)
      }.keys
      result.objects[id]?.members[name] = Set(members)
    }
  }
}
