extension Scan {
  mutating func delete(_ deletion: SavedChanges.Deletion) {
    let gone = Dictionary(
      deletion.objects.compactMap { uri in state.record(ofObject: uri).map { ($0, uri) } }
    ) { first, _ in first }
    for (id, uri) in gone.sorted(by: { $0.key < $1.key }) {
      deleted[id] = uri
      delete(id, with: Set(gone.keys), at: deletion.time)
    }
  }

  /// - Parameter others: what the same transaction deleted.
  private mutating func delete(_ id: RecordID, with others: Set<RecordID>, at time: Int64) {
    guard var record = state[id], let entity = state.entity(of: record) else { return }
    record.object = nil
    record.shown = [:]
    record.keepUnsent(state.sent(id), in: entity)
    let hangsOnDead = entity.lifelines.contains { name in
      entity.references[name]?.rule != .deny
        && record.references[name].map { others.contains(state.resolve($0)) } ?? false
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
}
