import CoreDataSync

extension ReferenceServer {
  /// Everything that is dead now.
  package mutating func compact() {
    let dead = records.keys.filter { records[$0]!.alias == nil && isAlive($0) == false }
    for id in dead { records[id] = nil }
    graves.formUnion(dead)
    let aliases = records.keys.filter { records[$0]!.alias != nil && graves.contains(resolve($0)) }
    for id in aliases { records[id] = nil }
    graves.formUnion(aliases)
    struct Ends: Hashable {
      let relationship: String
      let first: RecordID
      let second: RecordID
    }
    let groups = Dictionary(grouping: pairs) {
      Ends(
        relationship: $0.key.relationship, first: resolve($0.key.first),
        second: resolve($0.key.second))
    }
    for (end, group) in groups {
      let last = group.max {
        ($0.value.value.clock, $0.value.number) < ($1.value.value.clock, $1.value.number)
      }!
      for (pair, one) in group
      where graves.contains(end.first) || graves.contains(end.second) || !last.value.value.isOn
        || !one.value.isOn
      {
        pairs[pair] = nil
      }
    }
    horizon = head
    for (id, end) in ends where end <= horizon && !last.values.contains(id) {
      ends[id] = nil
      answers[id] = nil
    }
  }
}
