/// Objects that would collide with others are held until the server has decided.
extension Derivation {
  private struct Key: Hashable {
    let constraint: ModelMap.Constraint
    let values: [SyncValue]
  }

  mutating func settleUniqueness() {
    var moving = result.objects.keys.filter { isMoving($0) }
    while !moving.isEmpty {
      var groups: [Key: Set<RecordID>] = [:]
      for id in moving {
        for key in keys(of: id) { groups[key, default: []].insert(id) }
      }
      for key in groups.keys { groups[key]?.formUnion(holders(of: key)) }
      let clashes = groups.filter { $0.value.count > 1 }
      if clashes.isEmpty { break }
      for (key, ids) in clashes {
        let alive = ids.sorted().filter { result.objects[$0] != nil || !isInScope($0) }
        let keeper = alive.first { shownKey(of: $0, key.constraint) == key } ?? alive.first
        for id in alive where id != keeper && isInScope(id) { revert(id, .uniqueness) }
      }
      moving = result.objects.keys.filter { isMoving($0) }
    }
  }

  private func isInScope(_ id: RecordID) -> Bool { scope?.contains(id) ?? true }

  /// Whether the object gets values that another may have.
  private func isMoving(_ id: RecordID) -> Bool {
    guard let record = state[id], let entity = state.entity(of: record),
      let object = result.objects[id]
    else { return false }
    return entity.constraints.contains { constraint in
      record.object == nil
        || constraint.properties.contains {
          object.attributes[PropertyPath($0).property] != nil
        }
    }
  }

  private func keys(of id: RecordID) -> [Key] {
    guard let record = state[id], let entity = state.entity(of: record) else { return [] }
    return entity.constraints.compactMap { key(of: id, record, $0) }
  }

  /// The values that an object will have; nil if one is nil, which is never unique.
  private func key(of id: RecordID, _ record: ReplicaRecord, _ constraint: ModelMap.Constraint)
    -> Key?
  {
    let object = result.objects[id]
    let values = constraint.properties.map(PropertyPath.init).map { path in
      path.value(
        in: object?.attributes[path.property]
          ?? record.object.flatMap { graph.value(of: path.property, ofObject: $0) })
    }
    return values.contains(.null) ? nil : Key(constraint: constraint, values: values)
  }

  private func shownKey(of id: RecordID, _ constraint: ModelMap.Constraint) -> Key? {
    guard let object = state[id]?.object else { return nil }
    let values = constraint.properties.map(PropertyPath.init).map { path in
      path.value(in: graph.value(of: path.property, ofObject: object))
    }
    return Key(constraint: constraint, values: values)
  }

  /// The objects that have the values now, and will go on having them.
  private func holders(of key: Key) -> [RecordID] {
    let values = Dictionary(zip(key.constraint.properties, key.values)) { first, _ in first }
    return graph.objects(of: key.constraint.owner, where: values).compactMap { uri in
      guard let id = state.record(ofObject: uri), let record = state[id] else { return nil }
      guard isInScope(id) else { return id }
      guard result.objects[id] != nil else { return nil }
      return self.key(of: id, record, key.constraint) == key ? id : nil
    }
  }
}
