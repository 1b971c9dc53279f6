extension ReplicaState {
  /// Notes that the application's store shows what was derived.
  ///
  /// - Parameters:
  ///   - scope: the records that were derived; nil for all.
  ///   - made: the URIs of new objects.
  mutating func finish(
    _ desired: DesiredGraph, by plan: GraphPlan, scope: Set<RecordID>?, made: [RecordID: String]
  ) {
    if let scope {
      standing.held = standing.held.filter { !scope.contains($0.key) }
        .merging(desired.held) { _, new in new }
    } else {
      standing.held = desired.held
    }
    standing.wanted.formUnion(desired.wanted)
    standing.wanted.subtract(desired.objects.keys)
    for (id, object) in desired.objects {
      guard var record = self[id] else { continue }
      let before = record
      if let uri = made[id] { record.object = uri }
      record.show(object, isHeld: desired.held[id] != nil, in: entity(of: record))
      if record != before { self[id] = record }
    }
    for id in plan.deleted {
      losses += (taken.removeValue(forKey: id) ?? []).sorted {
        ($0.property ?? "") < ($1.property ?? "")
      }
      if let hold = desired.held[id], case .claimed(let attribute) = hold {
        noteHiding(of: id, attribute: attribute, by: hold)
      }
      // It went with what it hangs on: whoever takes it off in time has it again.
      if desired.held[id] == nil, let record = self[id], !record.life.isDead {
        noteUnsent(of: record)
      }
      remove(id)
    }
  }

  /// An object that a person sees goes, for as long as another one has its value.
  private mutating func noteHiding(of id: RecordID, attribute: String, by hold: Standing.Hold) {
    guard let record = self[id], let uri = record.object else { return }
    losses.append(
      SyncLoss(
        entity: record.entity, object: uri, property: attribute,
        value: record.parked[attribute] ?? graph?.value(of: attribute, ofObject: uri),
        reason: .held(hold.words)))
  }

  /// The object of a record goes; the values of what may come back are kept.
  private mutating func remove(_ id: RecordID) {
    guard var record = self[id], let uri = record.object else { return }
    if let entity = entity(of: record) {
      if record.life.isDead {
        record.keepUnsent(sent(id), in: entity)
      } else {
        for name in entity.attributes.keys where record.parked[name] == nil {
          record.parked[name] = graph?.value(of: name, ofObject: uri)
        }
      }
    }
    removed[id] = uri
    record.object = nil
    record.shown = [:]
    self[id] = record
  }
}

extension ReplicaRecord {
  fileprivate mutating func show(
    _ object: DesiredGraph.Object, isHeld: Bool, in entity: ModelMap.Entity?
  ) {
    if !isHeld {
      for (name, value) in object.attributes { shown[name] = .print(value.fingerprint) }
      parked = [:]
    }
    for (name, print) in entity?.defaults ?? [:] where shown[name] == nil {
      shown[name] = .print(print)
    }
    for (name, total) in object.totals { shown[name] = .total(total) }
    for (name, target) in object.references {
      show(.reference(target), of: name, isNothing: target == nil)
    }
    for (name, members) in object.members {
      show(.members(members), of: name, isNothing: members.isEmpty)
    }
    for (name, row) in object.lists { show(.order(row), of: name, isNothing: row.isEmpty) }
  }

  /// A relationship that has never shown anything has no entry.
  private mutating func show(_ new: Shown, of name: String, isNothing: Bool) {
    if !isNothing || shown[name] != nil { shown[name] = new }
  }
}
