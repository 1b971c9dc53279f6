/// Values that are unique among several entities, whose objects one table of the store has.
///
/// The server unites objects of one entity. Those of different entities cannot be one: the record
/// with the smallest ID shows, on every device, and the others are hidden until the value is free.
extension Derivation {
  private struct Claims {
    /// Objects that get values which others may have, those that have them, and so on.
    var claimants: Set<RecordID> = []
    /// Values of objects that are not synced.
    var foreign: Set<UniqueValues> = []
  }

  mutating func settleFamilies() {
    let claims = claims()
    var taken: [UniqueValues: RecordID] = [:]
    // What is not derived stays as it is.
    let fixed = claims.claimants.filter { !isInScope($0) }.sorted()
    for id in fixed { for value in familyValues(of: id) { taken[value] = taken[value] ?? id } }
    for id in claims.claimants.subtracting(fixed).sorted() {
      let values = familyValues(of: id)
      let claimed = values.first { value in
        claims.foreign.contains(value)
          || taken[value].map { state[$0]?.entity != state[id]?.entity } ?? false
      }
      if let claimed {
        result.objects[id] = nil
        result.held[id] = .claimed(claimed.constraint.properties.joined(separator: ", "))
      } else {
        for value in values { taken[value] = taken[value] ?? id }
      }
    }
  }

  private func claims() -> Claims {
    var queue = result.objects.keys.filter { isMoving($0) && !familyValues(of: $0).isEmpty }
    var claims = Claims(claimants: Set(queue))
    var looked: Set<UniqueValues> = []
    while let id = queue.popLast() {
      for value in familyValues(of: id) where looked.insert(value).inserted {
        let (holders, isForeign) = holders(of: value)
        if isForeign { claims.foreign.insert(value) }
        queue += holders.filter { claims.claimants.insert($0).inserted }
      }
    }
    return claims
  }

  private func familyValues(of id: RecordID) -> [UniqueValues] {
    keys(of: id).filter(\.constraint.isShared)
  }
}
