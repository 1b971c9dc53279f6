import CoreData

extension Scan {
  /// Binds objects to their records, before insertions and edits are looked at.
  mutating func bind(_ relearning: Relearning) {
    for uri in relearning.strangers.sorted() {
      guard let id = state.record(ofObject: uri), var record = state[id],
        let entity = state.entity(of: record)
      else { continue }
      record.object = nil
      record.shown = [:]
      record.keepUnsent(state.sent(id), in: entity)
      state[id] = record
    }
    for (uri, name) in relearning.deleted {
      var record = state[name.record] ?? ReplicaRecord(entity: name.entity)
      guard record.object == nil else { continue }
      record.object = uri
      record.isKnown = true
      state[name.record] = record
    }
    for (uri, id) in relearning.records.sorted(by: { $0.key < $1.key }) {
      guard let object = graph.object(uri), let entity = graph.entity(of: object) else { continue }
      var record = state[id] ?? ReplicaRecord(entity: entity.name)
      guard record.entity == entity.name else { continue }
      if let former = record.object {
        // Its object was deleted, and came back as another.
        guard graph.object(former) == nil else { continue }
        record.shown = [:]
        record.keepUnsent(state.sent(id), in: entity)
      }
      record.object = uri
      record.isKnown = true
      state[id] = record
    }
  }

  /// Takes what objects show for what the server has, but for what applications edited.
  mutating func adopt(
    _ relearning: Relearning, except named: [SavedChanges.Property: SavedChanges.Naming]
  ) {
    for uri in relearning.objects {
      guard let id = state.record(ofObject: uri), let object = graph.object(uri),
        let entity = graph.entity(of: object)
      else { continue }
      let isNew = inserted.contains(uri)
      for name in entity.properties {
        let property = SavedChanges.Property(object: uri, name: name)
        let isNamed = named[property] != nil
        if isNew, !relearning.written.contains(property) { continue }
        if let side = entity.sides[name] {
          if side.isFirst {
            adoptMembers(name, side: side, of: id, object: object, isNamed: isNamed)
          }
        } else if entity.counters[name] != nil {
          if !isNamed || relearning.countersAreUnknown {
            adoptTotal(name, of: id, uri: uri, isNamed: isNamed)
          }
        } else if !isNamed {
          adopt(name, of: id, object: object, entity: entity)
        }
      }
    }
  }

  private mutating func adopt(
    _ name: String, of id: RecordID, object: NSManagedObject, entity: ModelMap.Entity
  ) {
    guard var record = state[id] else { return }
    if entity.attributes[name] != nil {
      guard let value = graph.value(of: name, ofObject: GraphContext.uri(of: object)) else {
        return
      }
      record.adopt(name, print: value.fingerprint, sent: state.sent(id))
    } else if entity.references[name] != nil {
      let target = graph.target(of: name, of: object).flatMap { state.record(ofObject: $0) }
      record.adopt(name, target: target, sent: state.sent(id))
    } else if entity.lists[name] != nil {
      record.shown[name] = Shown.order(
        graph.members(of: name, of: object).compactMap { state.record(ofObject: $0) })
    }
    state[id] = record
  }

  /// Pairs that nobody has written are there until somebody says otherwise. What an application has
  /// removed comes again: it may also be what the store never had.
  private mutating func adoptMembers(
    _ name: String, side: ModelMap.Side, of id: RecordID, object: NSManagedObject,
    isNamed: Bool
  ) {
    guard var record = state[id] else { return }
    var now = Set(graph.members(of: name, of: object).compactMap { state.record(ofObject: $0) })
    if isNamed {
      if case .members(let before)? = record.shown[name] {
        now.formIntersection(before)
      } else {
        now = []
      }
    }
    record.shown[name] = .members(now)
    state[id] = record
    if isNamed { return }
    for other in now {
      let pair = state.canonical(
        Pair(relationship: side.relationship, first: id, second: other))
      guard state[pair] == nil else { continue }
      state[pair] = ReplicaPair(clock: .never, isOn: true, isUnsent: false)
    }
  }

  private mutating func adoptTotal(
    _ name: String, of id: RecordID, uri: String, isNamed: Bool
  ) {
    guard var record = state[id], let value = graph.value(of: name, ofObject: uri) else { return }
    if isNamed {
      state.losses.append(
        SyncLoss(
          entity: record.entity, object: uri, property: name, value: value, reason: .overwritten))
    }
    record.shown[name] = .total(value)
    state[id] = record
  }
}

extension ReplicaRecord {
  /// The store shows a value that is not the one that was known, and no edit: what is true comes
  /// from the server, unless it waits to be sent.
  fileprivate mutating func adopt(_ name: String, print: UInt32, sent: RecordChange?) {
    guard shown[name] != .print(print) else { return }
    shown[name] = .print(print)
    if let value = unsent[name] {
      parked[name] = value
    } else if let register = sent?.registers[name], register.clock == clocks[name] {
      parked[name] = register.value
    } else if parked[name] == nil {
      clocks[name] = nil
      unsentRegisters.remove(name)
    }
  }

  fileprivate mutating func adopt(_ name: String, target: RecordID?, sent: RecordChange?) {
    guard (shown[name] ?? .reference(nil)) != .reference(target) else { return }
    shown[name] = .reference(target)
    let isSent = sent?.registers[name].map { $0.clock == clocks[name] } ?? false
    guard !isSent, !unsentRegisters.contains(name) else { return }
    references[name] = target
    clocks[name] = nil
  }
}
