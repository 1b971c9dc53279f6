extension Scan {
  mutating func delete(_ deletion: SavedChanges.Deletion) {
    let gone = Dictionary(
      deletion.objects.compactMap { uri in state.record(ofObject: uri).map { ($0, uri) } }
    ) { first, _ in first }
    let all = Set(gone.keys)
    for (id, uri) in gone.sorted(by: { $0.key < $1.key }) {
      deleted[id] = uri
      delete(id, with: all, at: deletion.time)
    }
  }

  /// - Parameter others: what the same transaction deleted.
  private mutating func delete(_ id: RecordID, with others: Set<RecordID>, at time: Int64) {
    guard var record = state[id], let entity = state.entity(of: record) else { return }
    if let uri = record.object, changes.relearning == nil { state.bury(uri, record, as: id) }
    record.object = nil
    record.shown = [:]
    record.keepUnsent(state.sent(id), in: entity)
    let hangsOnDead = entity.lifelines.contains { name in
      if entity.references[name]?.rule == .deny { return false }
      if let target = record.references[name] { return others.contains(state.resolve(target)) }
      // Nobody knows any more what it hung on: a note that was deleted with a folder went with it.
      // Of a tree's nodes it is not to be seen which hung on which: each was deleted.
      return changes.relearning != nil && record.clocks[name] == nil
        && others.contains { other in
          guard let owner = state[other]?.entity, owner != record.entity else { return false }
          return entity.mayLead(name, to: owner)
        }
    }
    // What went with its parent has no tombstone of its own: whoever moves it out, keeps it. What
    // denies the deletion of its parent did not go with it, but was deleted itself.
    if !hangsOnDead {
      // Later than whatever it deletes, by whosever clock that was.
      let last = ([record.life.clock] + record.clocks.values).max()
      record.life = Life(isDead: true, clock: stamp(at: time, over: last))
      record.isLifeUnsent = true
    }
    state[id] = record
  }

  /// An undo of the deletion brings an object back: its record lives again, with what others have
  /// done to it since, and what hangs on it. False if it cannot be that record.
  mutating func returnToLife(
    _ uri: String, _ entity: ModelMap.Entity, from grave: Grave, at time: Int64
  ) -> Bool {
    guard state.record(ofObject: uri) == nil, var record = state[grave.id], record.object == nil,
      !state.isAlias(grave.id),
      entity.name == record.entity, record.life != .forgotten,
      graph.identity(ofObject: uri, entity).map({ state.resolve($0) == grave.id }) ?? true
    else { return false }
    record.object = uri
    record.shown = grave.shown
    record.isWhole = grave.isWhole
    for (name, clock) in grave.clocks where record.clocks[name] == nil {
      record.clocks[name] = clock
    }
    if record.life.isDead {
      let last = ([record.life.clock] + record.clocks.values).max()
      record.life = Life(isDead: false, clock: stamp(at: time, over: last))
      record.isLifeUnsent = true
    }
    state[grave.id] = record
    return true
  }
}
