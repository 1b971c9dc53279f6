/// The values of one object that no other may have.
struct UniqueValues: Hashable {
  let constraint: ModelMap.Constraint
  let values: [SyncValue]

  /// Nil if one of them is nil, which is never unique.
  init?(_ constraint: ModelMap.Constraint, value: (_ attribute: String) -> SyncValue?) {
    let values = constraint.properties.map(PropertyPath.init).map { path in
      path.value(in: value(path.property))
    }
    if values.contains(.null) { return nil }
    self.constraint = constraint
    self.values = values
  }

  /// The objects that the store shows with them.
  func objects(in graph: any GraphReading) -> [String] {
    let values = Dictionary(zip(constraint.properties, values)) { first, _ in first }
    return graph.objects(of: constraint.owner, where: values)
  }
}

/// Objects that would collide with others are held until the server has decided.
extension Derivation {
  mutating func settleUniqueness() {
    var moving = result.objects.keys.filter { isMoving($0) }
    while !moving.isEmpty {
      var groups: [UniqueValues: Set<RecordID>] = [:]
      for id in moving {
        for key in keys(of: id) { groups[key, default: []].insert(id) }
      }
      for key in groups.keys { groups[key]?.formUnion(holders(of: key).0) }
      let clashes = groups.filter { $0.value.count > 1 }
      if clashes.isEmpty { break }
      for (key, ids) in clashes {
        let alive = ids.sorted().filter { result.objects[$0] != nil || !isInScope($0) }
        let keeper = alive.first { shownKey(of: $0, key.constraint) == key } ?? alive.first
        for id in alive where id != keeper && isInScope(id) { revert(id, for: .uniqueness) }
      }
      moving = result.objects.keys.filter { isMoving($0) }
    }
  }

  func isInScope(_ id: RecordID) -> Bool { scope?.contains(id) ?? true }

  /// Whether the object gets values that another may have.
  func isMoving(_ id: RecordID) -> Bool {
    guard let entity = entity(of: id), !entity.constraints.isEmpty, let record = state[id],
      let object = result.objects[id]
    else { return false }
    return entity.constraints.contains { constraint in
      record.object == nil
        || constraint.properties.contains {
          object.attributes[PropertyPath($0).property] != nil
        }
    }
  }

  /// The values that an object will have.
  func keys(of id: RecordID) -> [UniqueValues] {
    guard let record = state[id], let entity = state.entity(of: record) else { return [] }
    return entity.constraints.compactMap { key(of: id, in: record, for: $0) }
  }

  private func key(of id: RecordID, in record: ReplicaRecord, for constraint: ModelMap.Constraint)
    -> UniqueValues?
  {
    let object = result.objects[id]
    return UniqueValues(constraint) { attribute in
      object?.attributes[attribute]
        ?? record.object.flatMap { graph.value(of: attribute, ofObject: $0) }
    }
  }

  private func shownKey(of id: RecordID, _ constraint: ModelMap.Constraint) -> UniqueValues? {
    guard let object = state[id]?.object else { return nil }
    return UniqueValues(constraint) { graph.value(of: $0, ofObject: object) }
  }

  /// The objects that have the values now, and will go on having them; whether one of them is not
  /// synced.
  func holders(of key: UniqueValues) -> ([RecordID], isForeign: Bool) {
    var isForeign = false
    let holders = key.objects(in: graph).compactMap { uri -> RecordID? in
      guard let id = state.record(ofObject: uri), let record = state[id] else {
        isForeign = true
        return nil
      }
      guard isInScope(id) else { return id }
      guard result.objects[id] != nil else { return nil }
      return self.key(of: id, in: record, for: key.constraint) == key ? id : nil
    }
    return (holders, isForeign)
  }
}
