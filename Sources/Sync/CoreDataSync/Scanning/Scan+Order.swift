extension Scan {
  mutating func noteOrder(of list: SavedChanges.Property, at time: Int64) {
    lists[list] = max(lists[list] ?? time, time)
  }

  /// Gives keys to the members of a list that are out of order: the longest run of those that
  /// ascend keeps its keys, the others get keys in between.
  mutating func scanOrder(of list: SavedChanges.Property, at time: Int64) {
    guard let owner = state.record(ofObject: list.object), let object = graph.object(list.object),
      let reference = graph.entity(of: object)?.lists[list.name]
    else { return }
    let register = ModelMap.position(reference)
    let row = graph.members(of: list.name, of: object).compactMap { state.record(ofObject: $0) }
      .filter { member in state[member].map { refers($0, by: reference, to: owner) } ?? false }
    var places: [RecordID: Place] = [:]
    for id in row {
      guard let position = state[id]?.positions[register], let meant = position.list,
        state.resolve(meant) == owner
      else { continue }
      places[id] = Place(key: position.key, id: id)
    }
    let staying = Self.longestAscent(row.filter { places[$0] != nil }) { places[$0]! }
    // Copies of a store, which several replicas scan for the first time, get the same keys.
    let isOwn = !changes.isFirst && changes.relearning == nil
    let sign = ListKey.sign(of: isOwn ? state.standing.replica : .server)
    var low = ""
    var moving: [RecordID] = []
    func placeMoving(below high: String?) {
      for (id, key) in zip(moving, ListKey.keys(moving.count, between: low, high, sign: sign)) {
        setPosition(ReplicaRecord.Position(list: owner, key: key), in: register, of: id, at: time)
      }
      moving = []
    }
    for id in row {
      if staying.contains(id), let place = places[id], place.key > low {
        placeMoving(below: place.key)
        low = place.key
      } else {
        moving.append(id)
      }
    }
    placeMoving(below: nil)
    showOrder(row, in: list.name, of: owner)
  }

  private struct Place: Comparable {
    let key: String
    let id: RecordID

    static func < (one: Place, other: Place) -> Bool { (one.key, one.id) < (other.key, other.id) }
  }

  /// Whether the record's own reference leads there, as its object's does.
  private func refers(_ record: ReplicaRecord, by reference: String, to owner: RecordID) -> Bool {
    guard case .reference(let target?)? = record.shown[reference] else { return false }
    return state.resolve(target) == owner
  }

  private mutating func setPosition(
    _ position: ReplicaRecord.Position, in register: String, of id: RecordID, at time: Int64
  ) {
    guard var record = state[id] else { return }
    record.positions[register] = position
    record.clocks[register] = stamp(at: time, over: record.clocks[register])
    record.unsentRegisters.insert(register)
    if changes.relearning == nil { record.noteSince(register: register) }
    state[id] = record
  }

  private mutating func showOrder(_ row: [RecordID], in list: String, of owner: RecordID) {
    guard var record = state[owner] else { return }
    let shown = Shown.order(row)
    guard record.shown[list] != shown else { return }
    record.shown[list] = shown
    state[owner] = record
  }

  /// The members of the longest run that ascends, in n log n.
  static func longestAscent<Value: Comparable>(
    _ row: [RecordID], by value: (RecordID) -> Value
  ) -> Set<RecordID> {
    var ends: [RecordID] = []
    var previous: [RecordID: RecordID] = [:]
    for id in row {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if value(ends[middle]) < value(id) { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[id] = ends[low - 1] }
      if low == ends.count { ends.append(id) } else { ends[low] = id }
    }
    var run: Set<RecordID> = []
    var id = ends.last
    while let member = id {
      run.insert(member)
      id = previous[member]
    }
    return run
  }
}
