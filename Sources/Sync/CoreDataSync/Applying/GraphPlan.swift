/// The difference between what the application's store shows and what it should.
struct GraphPlan {
  var inserted: [RecordID] = []
  /// Of each object, what changes.
  var updated: [RecordID: DesiredGraph.Object] = [:]
  /// Records whose objects go.
  var deleted: [RecordID] = []
  /// Those of them that should stay, and went with others.
  var taken: [RecordID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// All records that the plan is about, and those that it joins them to.
  var mentioned: Set<RecordID> {
    var all = Set(deleted).union(updated.keys)
    for change in updated.values {
      all.formUnion(change.references.values.compactMap { $0 })
      for members in change.members.values { all.formUnion(members) }
      for row in change.lists.values { all.formUnion(row) }
    }
    return all
  }

  /// - Parameter scope: the records that were derived; nil for all.
  init(to desired: DesiredGraph, from state: ReplicaState, scope: Set<RecordID>?) {
    for id in (scope ?? Set(state.records.keys)).sorted() {
      guard let record = state[id] else { continue }
      if let object = desired.objects[id] {
        if record.object == nil { inserted.append(id) }
        if let change = Self.difference(object, from: record) { updated[id] = change }
      } else if record.object != nil {
        deleted.append(id)
      }
    }
  }

  private static func difference(_ desired: DesiredGraph.Object, from record: ReplicaRecord)
    -> DesiredGraph.Object?
  {
    var change = DesiredGraph.Object()
    change.attributes = desired.attributes.filter { name, value in
      record.shown[name] != .print(value.fingerprint)
    }
    change.totals = desired.totals.filter { name, total in
      if record.shown[name] == .total(total) { return false }
      guard case .total(let shown)? = record.shown[name], shown != .null else { return true }
      return !(total + -shown).isZero
    }
    change.references = desired.references.filter { name, target in
      if case .reference(let shown)? = record.shown[name] { return shown != target }
      return target != nil
    }
    change.members = desired.members.filter { name, members in
      if case .members(let shown)? = record.shown[name] { return shown != members }
      return !members.isEmpty
    }
    change.lists = desired.lists.filter { name, row in
      record.shown[name] != Shown.order(row) && !(record.shown[name] == nil && row.isEmpty)
    }
    return change == DesiredGraph.Object() ? nil : change
  }
}
