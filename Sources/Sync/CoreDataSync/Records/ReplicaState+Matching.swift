/// Objects of which nobody knows any more which records they are, because sync's own store is gone
/// and the history with it: each is taken for a record of the server that has its values.
extension ReplicaState {
  /// An entity with the values of its attributes.
  struct Likeness: Hashable {
    let entity: String
    let prints: [UInt32]
  }

  /// Notes which records have such an object. They do until the server has said everything, also if
  /// the program ends before.
  mutating func noteUnexplained(_ objects: Set<String>) {
    for id in objects.compactMap({ record(ofObject: $0) }) { self[id]?.isUnexplained = true }
    indexUnexplained()
  }

  mutating func indexUnexplained() {
    unexplained = [:]
    for id in records.sortedKeys.reversed() {
      guard let record = self[id], record.isUnexplained, record.object != nil,
        let entity = entity(of: record)
      else { continue }
      unexplained[Self.likeness(of: record, entity), default: []].append(id)
    }
  }

  private static func likeness(of record: ReplicaRecord, _ entity: ModelMap.Entity) -> Likeness {
    let prints = entity.attributes.keys.sorted().map { name in
      if case .print(let print)? = record.shown[name] { print } else { entity.defaults[name] ?? 0 }
    }
    return Likeness(entity: record.entity, prints: prints)
  }

  /// Makes an object that is like this record its object, before the record is merged.
  mutating func match(_ row: RecordRow, in map: ModelMap.Entity) {
    guard !unexplained.isEmpty, self[row.id] == nil, row.isWhole, row.life?.isDead == false else {
      return
    }
    let prints = map.attributes.keys.sorted().map { name in
      row.registers[name]?.value.fingerprint ?? map.defaults[name] ?? 0
    }
    let likeness = Likeness(entity: row.entity, prints: prints)
    // One whose attributes were edited since it was noted is no longer what the server has.
    guard let id = unexplained[likeness]?.popLast(), var lost = self[id], lost.isUnexplained,
      lost.object != nil || lost.life.isDead
    else { return }
    let since = lost.since
    let edits = lost.references.filter { since.registers.contains($0.key) }
    let places = lost.positions.filter { since.registers.contains($0.key) }
    let clocks = lost.clocks.filter { since.registers.contains($0.key) }
    lost.isUnexplained = false
    lost.since = ReplicaRecord.Since()
    // What nobody has edited is as the server says.
    lost.clocks = [:]
    lost.unsent = [:]
    lost.unsentRegisters = []
    lost.facts = lost.facts.filter { since.facts.contains($0.key) }
    lost.unsentFacts.formIntersection(since.facts)
    if !lost.life.isDead { lost.isLifeUnsent = false }
    self[id] = lost
    takeAlias(id, of: row.id)
    if var kept = self[row.id] {
      for (register, clock) in clocks {
        kept.clocks[register] = clock
        kept.unsentRegisters.insert(register)
        kept.references[register] = edits[register]
        kept.positions[register] = places[register]
      }
      self[row.id] = kept
    }
    standing.wanted.remove(row.id)
    setAlias(row.id, for: id)
    standing.offerAliases()
  }
}
