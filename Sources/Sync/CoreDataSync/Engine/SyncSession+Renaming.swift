import CoreData

extension SyncSession {
  /// Finds the objects of entities that the model calls otherwise than before, or did not have, by
  /// their new URIs. Objects whose rows the migration has dropped are no longer there: their
  /// records stay.
  ///
  /// - Parameter known: the properties that the model had, as `Entity.property`.
  /// - Returns: whether the values of dropped rows are missing.
  func adoptNewEntities(into changed: inout ReplicaState, knowing known: Set<String>) throws -> Bool
  {
    let former = Set(known.compactMap { $0.split(separator: ".").first.map(String.init) })
    var moved: [String: [RecordID: String]] = [:]
    for id in changed.records.keys {
      guard let record = changed[id], let uri = record.object,
        let entity = map.entities[record.entity],
        let renamed = GraphContext.uri(uri, ofEntity: entity.description.name ?? ""),
        renamed != uri || !former.contains(record.entity)
      else { continue }
      moved[record.entity, default: [:]][id] = renamed
    }
    guard !moved.isEmpty else { return false }
    return try graph.context.performAndWait {
      graph.reset()
      defer { graph.reset() }
      let news = try state.standing.token.flatMap { try graph.savedChanges(after: $0) }
      var isMissing = false
      for (name, uris) in moved.sorted(by: { $0.key < $1.key }) {
        guard let entity = map.entities[name] else { continue }
        graph.read(uris.values)
        let kept = kept(uris, since: news?.origins, in: changed)
        for (id, uri) in uris {
          guard var record = changed[id] else { continue }
          if kept.contains(id) {
            record.object = uri
          } else {
            record.object = nil
            record.shown = [:]
            record.keepUnsent(changed.sent(id), in: entity)
            isMissing = true
          }
          changed[id] = record
        }
      }
      return isMissing
    }
  }

  /// The records of one entity whose objects a migration has kept. What the history names as new
  /// has taken the number of a dropped row. Without a history, the migration has kept the rows if
  /// half of those that are there show what they showed: it keeps all of an entity, or none.
  private func kept(
    _ uris: [RecordID: String], since news: Origins?, in state: ReplicaState
  ) -> Set<RecordID> {
    if let news {
      return Set(
        uris.filter { _, uri in
          !news.wasInserted(uri) && (news.wasDeleted(uri) || graph.object(uri) != nil)
        }.keys)
    }
    let found = uris.filter { graph.object($0.value) != nil }
    let alike = found.filter { id, uri in
      state[id]?.shown.allSatisfy { name, shown in
        switch (shown, graph.value(of: name, ofObject: uri)) {
        case (.print(let print), let value?): value.fingerprint == print
        case (.total(let total), let value?): value == total
        default: true
        }
      } ?? false
    }
    return !found.isEmpty && alike.count * 2 >= found.count ? Set(uris.keys) : []
  }

  /// An attribute, a counter or a relationship to one that the model calls otherwise than before.
  private struct Renaming {
    let old: String
    let new: String
  }

  /// Takes what was known of a property by the name that it had before for what is known by its new
  /// one: with the old clocks, so that every device that is updated says the same.
  func adoptNewNames(into changed: inout ReplicaState, knowing known: Set<String>) {
    let renamings = map.entities.mapValues { self.renamings(of: $0, knowing: known) }
      .filter { !$0.value.isEmpty }
    guard !renamings.isEmpty else { return }
    graph.context.performAndWait {
      graph.reset()
      for id in changed.records.keys {
        guard var record = changed[id], let renamings = renamings[record.entity] else { continue }
        for renaming in renamings {
          record.rename(renaming.old, to: renaming.new)
          record.rename(ModelMap.position(renaming.old), to: ModelMap.position(renaming.new))
          record.renameCounter(renaming.old, to: renaming.new)
          noteEdit(of: renaming.new, in: &record, changing: &changed)
          noteIncrement(of: renaming.new, &record)
        }
        changed[id] = record
      }
      graph.reset()
    }
  }

  private func renamings(of entity: ModelMap.Entity, knowing known: Set<String>) -> [Renaming] {
    let name = entity.name
    let properties = entity.description.propertiesByName
    let names =
      [String](entity.attributes.keys) + entity.counters.keys + entity.references.keys
    return names.sorted().compactMap { new in
      guard !known.contains("\(name).\(new)"), let old = properties[new]?.renamingIdentifier,
        old != new, properties[old] == nil, known.contains("\(name).\(old)")
      else { return nil }
      return Renaming(old: old, new: new)
    }
  }

  /// An edit of before the update that has not been scanned: the history has it by the old name.
  private func noteEdit(
    of name: String, in record: inout ReplicaRecord, changing changed: inout ReplicaState
  ) {
    guard let object = record.object, case .print(let print)? = record.shown[name],
      let value = graph.value(of: name, ofObject: object), value.fingerprint != print
    else { return }
    record.clocks[name] = changed.stamp(
      at: clock() + changed.standing.offset, over: record.clocks[name])
    record.unsent[name] = value
    record.shown[name] = .print(value.fingerprint)
    record.unsentRegisters.insert(name)
  }

  private func noteIncrement(of name: String, _ record: inout ReplicaRecord) {
    guard let object = record.object, case .total(let total)? = record.shown[name],
      let value = graph.value(of: name, ofObject: object)
    else { return }
    let amount = value + -total
    record.shown[name] = .total(value)
    guard !amount.isZero else { return }
    let fact = Fact(property: name, name: newID(), amount: amount)
    record.facts[fact.name] = fact
    record.unsentFacts.insert(fact.name)
  }
}

extension ReplicaRecord {
  /// Every increment is one of the new counter, too, by a name that each device makes of the old
  /// one.
  fileprivate mutating func renameCounter(_ old: String, to new: String) {
    for fact in facts.values.sorted(by: { $0.name < $1.name }) where fact.property == old {
      let renamed = Fact(
        property: new, name: RecordID(named: "\(fact.name) \(new)", entity: ""),
        amount: fact.amount)
      facts[renamed.name] = renamed
      unsentFacts.insert(renamed.name)
      if !unsentFacts.contains(fact.name) { facts[fact.name] = nil }
    }
    if case .total? = shown[old] { (shown[new], shown[old]) = (shown[old], nil) }
  }

  fileprivate mutating func rename(_ old: String, to new: String) {
    guard let clock = clocks[old], clocks[new] == nil else { return }
    clocks[new] = clock
    unsentRegisters.insert(new)
    (references[new], references[old]) = (references[old], nil)
    (positions[new], positions[old]) = (positions[old], nil)
    (parked[new], parked[old]) = (parked[old], nil)
    (shown[new], shown[old]) = (shown[old], nil)
    unsent[new] = unsent[old]
    // What is unsent goes by the old name, too, for devices that are not updated.
    guard unsent[old] == nil else { return }
    clocks[old] = nil
    unsentRegisters.remove(old)
  }
}
