/// Ordered relationships: by key where it is meant for this list, the others at the end, by ID.
extension Derivation {
  mutating func fillLists() {
    for id in result.objects.keys {
      guard let entity = entity(of: id) else { continue }
      for (list, reference) in entity.lists {
        let row = members(of: id, reference)
        result.objects[id]?.lists[list] = row
      }
    }
  }

  private func members(of owner: RecordID, _ reference: String) -> [RecordID] {
    state.referrers(of: owner).compactMap { id -> Place? in
      guard refers(id, by: reference, to: owner) else { return nil }
      let position = state[id]?.positions[ModelMap.position(reference)]
      let isMeant = position?.list.map { state.resolve($0) == owner } ?? false
      return Place(id: id, key: isMeant ? position?.key : nil)
    }
    .sorted().map(\.id)
  }

  private func refers(_ id: RecordID, by reference: String, to owner: RecordID) -> Bool {
    if let object = result.objects[id] { return object.references[reference] == owner }
    guard let scope, !scope.contains(id), let record = state[id], record.object != nil,
      case .reference(let target?)? = record.shown[reference]
    else { return false }
    return state.resolve(target) == owner
  }

  private struct Place: Comparable {
    let id: RecordID
    let key: String?

    static func < (one: Place, other: Place) -> Bool {
      switch (one.key, other.key) {
      case (let key?, let otherKey?): (key, one.id) < (otherKey, other.id)
      case (nil, nil): one.id < other.id
      case (let key, _): key != nil
      }
    }
  }
}
