import CoreData

extension GraphContext {
  /// What applications did in the store that sync's own store does not know, and what else there
  /// is to learn.
  ///
  /// - Parameters:
  ///   - known: the objects that sync's store knows.
  ///   - isNews: whether sync's store does not know of a transaction.
  func relearned(
    knowing known: Set<String>, at time: Int64, countersAreUnknown: Bool,
    isNews: (Standing.Transaction) -> Bool
  ) throws -> SavedChanges {
    var changes = SavedChanges()
    changes.token = try currentToken()
    guard changes.token != nil else { throw SyncError.noHistory }
    let objects = try allObjects()
    let present = Set(objects)
    var relearning = Relearning()
    relearning.objects = objects
    relearning.countersAreUnknown = countersAreUnknown
    changes.relearning = relearning
    var names: [String: RecordID] = [:]
    var reused: Set<String> = []
    for transaction in try transactions(since: .distantPast) {
      let last = Standing.Transaction(transaction)
      changes.last = last
      let isNew = isNews(last)
      let made = records(madeBy: transaction)
      names.merge(made) { _, new in new }
      guard isNew else { continue }
      reused.formUnion(made.keys)
      relearn(transaction, into: &changes)
      guard transaction.author != Self.author else { continue }
      for change in transaction.changes ?? [] where change.changeType == .delete {
        let uri = Self.uri(of: change.changedObjectID)
        guard !known.contains(uri), let name = names[uri],
          let entity = map.entity(named: change.changedObjectID.entity.name)
        else { continue }
        changes.relearning?.deleted[uri] = (name, entity.name)
      }
    }
    // What was deleted and came back is not deleted.
    let back = Set(objects.compactMap { names[$0] })
    for (uri, name) in changes.relearning?.deleted ?? [:] where back.contains(name.record) {
      changes.relearning?.deleted[uri] = nil
    }
    let deleted = changes.deletions.reduce(into: Set<String>()) { $0.formUnion($1.objects) }
    changes.relearning?.strangers = known.filter {
      reused.contains($0) || !present.contains($0) && !deleted.contains($0)
    }
    for uri in objects where !known.contains(uri) || reused.contains(uri) {
      if changes.inserted[uri] != nil { continue }
      if let name = names[uri] {
        changes.relearning?.records[uri] = name
      } else {
        changes.inserted[uri] = time
        changes.names[uri] = nameByValues(of: uri)
        changes.relearning?.unexplained.insert(uri)
      }
    }
    return changes
  }

  private func relearn(
    _ transaction: NSPersistentHistoryTransaction, into changes: inout SavedChanges
  ) {
    guard transaction.author == Self.author else {
      add(transaction, to: &changes)
      for property in properties(namedBy: transaction) {
        changes.relearning?.written.remove(property)
      }
      return
    }
    for property in properties(namedBy: transaction) { changes.note(writtenBySync: property) }
  }

  private func properties(
    namedBy transaction: NSPersistentHistoryTransaction
  ) -> [SavedChanges.Property] {
    (transaction.changes ?? []).flatMap { change in
      (change.updatedProperties ?? []).map {
        SavedChanges.Property(object: Self.uri(of: change.changedObjectID), name: $0.name)
      }
    }
  }

  /// The records of the objects that a transaction inserted.
  private func records(madeBy transaction: NSPersistentHistoryTransaction) -> [String: RecordID] {
    let made = (transaction.changes ?? []).filter { $0.changeType == .insert }
      .map { Self.uri(of: $0.changedObjectID) }.sorted()
    guard transaction.author == Self.author else {
      return made.reduce(into: [:]) { $0[$1] = name(of: $1, from: origin(transaction)) }
    }
    guard let note = CommitNote(contextName: transaction.contextName),
      note.records.count == made.count
    else { return [:] }
    return Dictionary(zip(made, note.records)) { first, _ in first }
  }
}
