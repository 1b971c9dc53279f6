import CoreData

extension Scan {
  mutating func lookAtReference(
    _ name: String, reference: SyncSchema.Reference, id: RecordID, record: ReplicaRecord,
    object: NSManagedObject, naming: SavedChanges.Naming
  ) {
    let uri = graph.target(of: name, of: object)
    let target = uri.flatMap { state.record(ofObject: $0) }
    // Of an object that a later transaction inserted, which names the reference again.
    if uri != nil, target == nil { return }
    if let list = reference.list, let uri {
      noteOrder(of: SavedChanges.Property(object: uri, name: list), at: naming.time)
    }
    let old: RecordID? =
      if case .reference(let target?)? = record.shown[name] { target } else { nil }
    guard target != old else { return }
    if target == nil, let old {
      switch consequence(
        name, reference: reference, old: old, id: id, record: record, naming: naming)
      {
      case .edit: break
      case .unknown: return
      case .consequence:
        var record = record
        record.shown[name] = .reference(nil)
        state[id] = record
        return
      }
    }
    setReference(name, of: id, to: target, naming: naming)
    if let inverse = reference.inverse, let target {
      setReference(inverse, of: target, to: id, naming: naming)
    }
  }

  private enum Cause {
    case edit, consequence
    /// The target has gone since, which a later scan sees.
    case unknown
  }

  /// Why a reference is nil: because somebody said so, or since its target was deleted in the same
  /// transaction, or because another took the target of a one-to-one.
  private func consequence(
    _ name: String, reference: SyncSchema.Reference, old: RecordID, id: RecordID,
    record: ReplicaRecord, naming: SavedChanges.Naming
  ) -> Cause {
    let oldID = state.resolve(old)
    if let uri = deleted[oldID] {
      // What hung on an owner that cascades would have been deleted with it, and one that denies
      // would have stayed: it was taken off before.
      if reference.rule != .nullify { return .edit }
      let transaction = deletedBy[uri] ?? nil
      return changes.isEverything || transaction == naming.transaction ? .consequence : .edit
    }
    guard let uri = state[oldID]?.object else { return .consequence }
    guard let target = graph.object(uri) else { return .unknown }
    if let inverse = reference.inverse, let holder = graph.target(of: inverse, of: target),
      holder != record.object
    {
      // What merely seems to hang on an owner that cascades would be deleted with it.
      return reference.rule == .cascade ? .edit : .consequence
    }
    return .edit
  }

  private mutating func setReference(
    _ name: String, of id: RecordID, to target: RecordID?, naming: SavedChanges.Naming
  ) {
    guard var record = state[id] else { return }
    record.references[name] = target
    record.clocks[name] = stamp(at: naming.time, over: record.clocks[name])
    record.unsentRegisters.insert(name)
    if changes.relearning == nil { record.noteSince(register: name) }
    if record.object != nil { record.shown[name] = .reference(target) }
    state[id] = record
  }

  // MARK: - Many to many

  mutating func lookAtMembers(
    _ name: String, side: ModelMap.Side, id: RecordID, record: ReplicaRecord,
    object: NSManagedObject, naming: SavedChanges.Naming
  ) {
    // Those of later transactions are named again by these.
    let now = Set(
      graph.members(of: name, of: object).compactMap { state.record(ofObject: $0) })
    let before: Set<RecordID> =
      if case .members(let members)? = record.shown[name] { members } else { [] }
    let time = naming.time + offset
    for other in now.subtracting(before).sorted() {
      state.setPair(pair(side, of: id, with: other), on: true, at: time)
      show(other, in: name, of: id, isShown: true)
      if side.isSymmetric { show(id, in: name, of: other, isShown: true) }
    }
    for other in before.subtracting(now).sorted() {
      // The pairs of what was deleted are left alone: with it they do not show.
      if isInStore(other) { state.setPair(pair(side, of: id, with: other), on: false, at: time) }
      show(other, in: name, of: id, isShown: false)
      if side.isSymmetric { show(id, in: name, of: other, isShown: false) }
    }
  }

  private func pair(_ side: ModelMap.Side, of id: RecordID, with other: RecordID) -> Pair {
    Pair(relationship: side.relationship, first: id, second: other)
  }

  private mutating func show(_ other: RecordID, in name: String, of id: RecordID, isShown: Bool) {
    guard var record = state[id], record.object != nil else { return }
    var members: Set<RecordID> =
      if case .members(let members)? = record.shown[name] { members } else { [] }
    if isShown { members.insert(other) } else { members.remove(other) }
    record.shown[name] = .members(members)
    state[id] = record
  }
}
