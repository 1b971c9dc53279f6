import CoreDataSync

extension ReferenceServer {
  struct Move {
    let id: RecordID
    let property: String
    let former: SyncValue
    let place: SyncValue?
  }

  /// A move that closes a circle is undone, if what it came from is alive and no part of one.
  mutating func undoCircles(_ moves: [Move], _ changed: inout Set<RecordID>) {
    for move in moves.sorted(by: { ($0.id, $0.property) < ($1.id, $1.property) }) {
      guard let record = records[move.id], record.alias == nil,
        case .reference(let target)? = record.registers[move.property]?.value.value,
        way(from: target, move.property).contains(move.id)
      else { continue }
      if case .reference(let former) = move.former {
        let isAlive = isAlive(former) == true
        guard isAlive, !way(from: former, move.property).contains(move.id) else { continue }
      }
      events["circle undone", default: 0] += 1
      put(move.former, move.property, move.id)
      records[move.id]!.unseen.insert(move.property)
      if let place = move.place { put(place, move.property + ".position", move.id) }
      changed.insert(move.id)
    }
  }

  private mutating func put(_ value: SyncValue, _ property: String, _ id: RecordID) {
    tick = max(tick + 1, now * 65536)
    let last = records[id]!.registers[property]?.value.clock.ticks ?? 0
    let clock = Clock(ticks: max(tick, last + 1), replica: ReplicaID(UInt64.max))
    records[id]!.registers[property] = Numbered(
      value: Register(clock: clock, value: value), number: -1)
    records[id]!.unseen.remove(property)
    records[id]!.taken.remove(property)
  }

  /// The records that references of one name lead through.
  private func way(from start: RecordID, _ property: String) -> [RecordID] {
    var way = [resolve(start)]
    while let record = records[way.last!], record.life?.isDead == false,
      case .reference(let target)? = record.registers[property]?.value.value
    {
      let next = resolve(target)
      if way.contains(next) { break }
      way.append(next)
    }
    return way
  }
}
