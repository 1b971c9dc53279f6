/// Objects that the application has given one name are one object, on one device as on several.
extension Scan {
  /// Unites each new object whose name another object has with that one: the later value of each
  /// property stays, and what lost is told.
  mutating func uniteTwins() {
    for (twin, id) in twins.sorted(by: { $0.key < $1.key }) {
      guard let lost = state[twin], let kept = state[id],
        let entity = state.entity(of: kept)
      else { continue }
      tellLosers(of: lost, kept: kept, entity: entity)
      state.moveReferences(of: twin, to: id)
      state.takeAlias(twin, of: id)
      state.setAlias(id, for: twin)
      state.standing.offerAliases()
    }
  }

  private mutating func tellLosers(
    of lost: ReplicaRecord, kept: ReplicaRecord, entity: ModelMap.Entity
  ) {
    for name in entity.attributes.keys.sorted() {
      let values = [lost, kept].map { record in
        record.object.flatMap { graph.value(of: name, ofObject: $0) } ?? .null
      }
      guard values[0] != values[1], let clock = lost.clocks[name] else { continue }
      let value = kept.clocks[name].map { clock > $0 } ?? true ? values[1] : values[0]
      guard value != .null else { continue }
      state.losses.append(
        SyncLoss(
          entity: kept.entity, object: kept.object, property: name, value: value,
          reason: .overwritten))
    }
  }
}

extension ReplicaState {
  /// What a record that is united with another refers to, where it was set later.
  fileprivate mutating func moveReferences(of loser: RecordID, to winner: RecordID) {
    guard var lost = self[loser], var kept = self[winner] else { return }
    for name in lost.references.keys {
      guard let clock = lost.clocks[name], kept.clocks[name].map({ clock > $0 }) ?? true else {
        continue
      }
      kept.references[name] = lost.references[name]
      kept.clocks[name] = clock
      if lost.unsentRegisters.contains(name) { kept.unsentRegisters.insert(name) }
    }
    lost.references = [:]
    self[loser] = lost
    self[winner] = kept
  }
}
