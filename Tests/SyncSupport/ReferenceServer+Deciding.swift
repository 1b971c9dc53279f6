import CoreDataSync

extension ReferenceServer {
  package func resolve(_ id: RecordID) -> RecordID {
    var id = id
    while let alias = records[id]?.alias { id = alias }
    return id
  }

  /// Nil: something that it lives by is not known.
  package func isAlive(_ id: RecordID, but spared: RecordID? = nil, path: Set<RecordID> = [])
    -> Bool?
  {
    let id = resolve(id)
    if id == spared || path.contains(id) { return true }
    guard let record = records[id] else { return nil }
    guard let life = record.life, !life.isDead else { return false }
    var answer: Bool? = true
    for (property, reference) in schema.entities[record.entity]!.references
    where reference.isRequired || reference.rule == .cascade {
      guard case .reference(let target)? = record.registers[property]?.value.value else { continue }
      switch isAlive(target, but: spared, path: path.union([id])) {
      case false?: return false
      case nil: answer = nil
      default: break
      }
    }
    return answer
  }

  /// The deleted ones that a record is dead by.
  private func collectDead(
    above id: RecordID, _ path: Set<RecordID>, _ dead: inout Set<RecordID>
  ) {
    let id = resolve(id)
    guard !path.contains(id), let record = records[id] else { return }
    if record.life?.isDead ?? true { dead.insert(id) }
    for (property, reference) in schema.entities[record.entity]!.references
    where reference.isRequired || reference.rule == .cascade {
      guard case .reference(let target)? = record.registers[property]?.value.value else { continue }
      collectDead(above: target, path.union([id]), &dead)
    }
  }

  mutating func merge(
    _ loser: RecordID, _ winner: RecordID, _ changed: inout Set<RecordID>
  ) {
    events["merged", default: 0] += 1
    let a = records[loser]!
    var w = records[winner]!
    for (property, one) in a.registers {
      let former = w.registers[property]?.value
      if former.map({ Self.after(one.value, $0) }) ?? true {
        w.registers[property] = Numbered(value: one.value, number: -1)
        w.unseen.remove(property)
        w.taken.remove(property)
      }
      if let former, former.value != one.value.value { w.unseen.insert(property) }
    }
    for (name, one) in a.facts where w.facts[name] == nil {
      w.facts[name] = Numbered(value: one.value, number: -1)
    }
    if let life = a.life, !life.isDead, w.life == nil || life.clock > w.life!.clock {
      w.life = life
      w.lifeNumber = -1
    }
    records[winner] = w
    records[loser]!.alias = winner
    records[loser]!.registers = [:]
    records[loser]!.unseen = []
    records[loser]!.taken = []
    records[loser]!.facts = [:]
    changed.formUnion([loser, winner])
  }

  mutating func settle(_ changed: inout Set<RecordID>) {
    var goesOn = true
    while goesOn {
      goesOn = false
      var seen: [[SyncValue]: RecordID] = [:]
      for id in records.keys.sorted() {
        guard records[id]!.alias == nil, isAlive(id) == true else { continue }
        for constraint in schema.entities[records[id]!.entity]!.uniqueness {
          let values = constraint.map { records[id]!.registers[$0]?.value.value ?? .null }
          guard !values.contains(.null) else { continue }
          let key = [.text(records[id]!.entity)] + constraint.map { .text($0) } + values
          if let winner = seen[key] {
            // It may have been merged by another constraint since.
            merge(id, resolve(winner), &changed)
            goesOn = true
            break
          }
          seen[key] = id
        }
      }
      for id in records.keys.sorted() where records[id]!.alias == nil {
        let references = schema.entities[records[id]!.entity]!.references
        for (property, reference) in references.sorted(by: { $0.key < $1.key })
        where reference.rule == .deny {
          guard case .reference(let raw)? = records[id]!.registers[property]?.value.value
          else { continue }
          let target = resolve(raw)
          guard records[target] != nil, isAlive(target) == false, isAlive(id, but: target) == true
          else { continue }
          var dead: Set<RecordID> = []
          collectDead(above: target, [], &dead)
          guard dead.allSatisfy({ records[$0]!.life != nil && !records[$0]!.registers.isEmpty })
          else { continue }
          for id in dead.sorted() {
            records[id]!.life = revived(records[id]!.life!)
            records[id]!.lifeNumber = -1
            changed.insert(id)
          }
          events["denied", default: 0] += 1
          goesOn = true
        }
      }
    }
  }
}
