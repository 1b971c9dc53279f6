extension FetchedResultsEngine: ContextObserver {
  func contextDidProcess(_ changes: ContextChanges) {
    for missed in missed { missed.changes.append(changes) }
    reader?.forget(changes)
    guard isTracking, !isStale, list != nil else { return }
    if options.obtainsPermanentIDs { obtainPermanentIDs(changes.inserted) }
    follow(changes)
  }

  /// The objects that a refresh of all objects must reach. Apple's controller keeps the objects of
  /// a list without a batch size alive, so such a refresh reaches them. This engine makes them
  /// instead, so that views of their values are notified that the values may be outdated.
  var objectsOnShow: [NSManagedObject] {
    guard isTracking, !isStale, request.fetchBatchSize == 0, let list else { return [] }
    return list.order.words(in: 0..<list.count).map(object)
  }

  /// Applies the context's changes to the list.
  ///
  /// Reads the current state of the objects, so changes that the list already has do no harm.
  func follow(_ changes: ContextChanges) {
    if followAlone(changes) { return }
    var candidates = Candidates()
    collect(changes, candidates: &candidates)
    considerFollowers(changes, candidates: &candidates)
    if changes.cameFromElsewhere { recheckMisfits(&candidates) }
    if !candidates.batch.isEmpty || concernsLimit(changes) { holdLimit(&candidates) }
    apply(candidates)
    if let list, !candidates.batch.isEmpty, list.count >= options.leastReadAhead {
      reader?.readAhead(count: list.count)
    }
  }

  /// Applies the edit of a single object to a list whose sort keys are known. Returns false,
  /// without any change, if the event needs the general way.
  private func followAlone(_ changes: ContextChanges) -> Bool {
    guard let object = changes.onlyUpdate, let list, let reader, reader.knowsMost, watch == nil,
      !options.keepsFetchLimit, matchTest?.concerns(object.layout) == true,
      object.lifecycle.isPresent, matchTest?.matches(.object(object)) == true,
      object.lifecycle.isPresent
    else { return false }
    let entry = reader.namedEntry(of: .object(object))
    guard let moved = list.move(entry, reader: reader, known: reader.known) else { return false }
    fetchedObjects = nil
    deliver(moved, objects: .one(entry.word, object))
    return true
  }

  func contextDidAssignPermanentIDs(_ pairs: [AssignedIdentity]) {
    guard let list else { return }
    var renamed: [UInt64] = []
    for pair in pairs where list.order.contains(pair.temporary.bits) {
      list.order.replace(pair.temporary.bits, by: pair.permanent.bits)
      renamed.append(pair.permanent.bits)
      if misfits.remove(pair.temporary.bits) != nil { misfits.insert(pair.permanent.bits) }
    }
    guard !isStale, isTracking else { return }
    if !renamed.isEmpty {
      deliverRenames(pairs)
      settleTies(renamed)
    }
    if let matchTest, pairs.contains(where: { matchTest.concerns($0.objectID.layout) }) {
      settleLimit()
    }
  }

  /// Reports the identities that clients know by their temporary form.
  private func deliverRenames(_ pairs: [AssignedIdentity]) {
    let renames = pairs.compactMap { pair -> Rename? in
      guard let temporary = temporaryIDs.removeValue(forKey: pair.temporary.bits),
        let rank = list?.order.rank(of: pair.permanent.bits)
      else { return nil }
      return Rename(rank: rank, temporary: temporary, permanent: pair.objectID)
    }
    if !renames.isEmpty { deliver(renames) }
  }

  /// Makes the new objects' IDs permanent. An object that no store accepts keeps its temporary ID,
  /// and the error is logged.
  private func obtainPermanentIDs(_ objects: [NSManagedObject]) {
    let new = objects.filter {
      $0.packedIdentity.isTemporary && matchTest?.concerns($0.layout) == true
    }
    do { try context.obtainPermanentIDs(for: new) } catch {
      FetchedResultsLog.error("New objects got no permanent IDs: \(error)")
    }
  }

  /// The objects of the list are invalid; the list stays unchanged until the next fetch.
  func contextDidReset(_ identities: [NSManagedObjectID]) {
    isStale = true
    for missed in missed { missed.isReset = true }
    forgetObjects()
  }

  // MARK: - Candidates

  /// The changed objects that are in the list or belong in it.
  struct Candidates {
    var batch = ListBatch()
    /// The objects of the batch, for the delegate: the context no longer has a deleted object.
    var objects: [UInt64: NSManagedObject] = [:]
    var seen: Set<UInt64> = []
  }

  private func collect(_ changes: ContextChanges, candidates: inout Candidates) {
    for object in changes.deleted { leave(object, candidates: &candidates) }
    for object in changes.invalidated { leave(object, candidates: &candidates) }
    for objects in [changes.inserted, changes.updated, changes.refreshed] {
      for object in objects { consider(object, candidates: &candidates) }
    }
    for row in changes.unregistered { consider(row, candidates: &candidates) }
    for identity in changes.unregisteredDeletions { leave(identity, candidates: &candidates) }
  }

  /// Also passes an object that was not registered to the delegate: as deleted, with the values
  /// that are still cached.
  private func leave(_ identity: NSManagedObjectID, candidates: inout Candidates) {
    let word = identity.packed.bits
    guard list?.order.contains(word) == true, candidates.seen.insert(word).inserted else { return }
    candidates.batch.leaving.append(word)
    candidates.objects[word] = remains(of: identity)
  }

  private func remains(of identity: NSManagedObjectID) -> NSManagedObject {
    let object = context.object(with: identity)
    if object.current == nil { object.current = identity.cachedRow ?? Row.empty(identity) }
    object.flags.remove(.fault)
    object.flags.insert(.goneFromStore)
    object.lifecycle = .deleted
    return object
  }

  private func leave(_ object: NSManagedObject, candidates: inout Candidates) {
    let word = object.packedIdentity.bits
    guard matchTest?.concerns(object.layout) == true, list?.order.contains(word) == true,
      candidates.seen.insert(word).inserted
    else { return }
    candidates.batch.leaving.append(word)
    candidates.objects[word] = object
  }

  private func consider(_ object: NSManagedObject, candidates: inout Candidates) {
    guard matchTest?.concerns(object.layout) == true else { return }
    let matches = object.lifecycle.isPresent && matchTest?.matches(.object(object)) == true
    // The predicate may have fired a fault and found that the row is gone.
    guard matches, object.lifecycle.isPresent, let reader else {
      return leave(object, candidates: &candidates)
    }
    let entry = reader.namedEntry(of: .object(object))
    guard candidates.seen.insert(entry.word).inserted else { return }
    candidates.batch.present.append(entry)
    candidates.objects[entry.word] = object
  }

  private func consider(_ row: Row, candidates: inout Candidates) {
    let word = row.packed.bits
    guard let reader, let matchTest, matchTest.concerns(row.layout),
      !isStranger(row, matchTest: matchTest), let subject = reader.subject(row)
    else { return }
    if case .object(let object) = subject { return consider(object, candidates: &candidates) }
    if matchTest.matches(subject) {
      guard candidates.seen.insert(word).inserted else { return }
      let entry = reader.namedEntry(of: subject)
      reader.keep(entry)
      candidates.batch.present.append(entry)
      candidates.objects[word] = context.object(for: row)
    } else if list?.order.contains(word) == true, candidates.seen.insert(word).inserted {
      candidates.batch.leaving.append(word)
      candidates.objects[word] = context.object(for: row)
    }
  }

  /// Whether the row alone shows that its object is not in the list and does not enter it: no
  /// object need be made.
  private func isStranger(_ row: Row, matchTest: MatchTest) -> Bool {
    matchTest.excludes(row) && list?.order.contains(row.packed.bits) == false
      && context.registeredObject(row.packed)?.current == nil
  }

  // MARK: - Related objects

  private func considerFollowers(_ changes: ContextChanges, candidates: inout Candidates) {
    for object in watch?.followers(changes, of: request, in: context) ?? [] {
      reader?.forget(object.packedIdentity.bits)
      consider(object, candidates: &candidates)
    }
  }

  /// Moves the rows that lead to unsaved changes: the store has sorted them by saved values.
  func catchUpWithRelatedObjects() {
    guard watch != nil, let list, let reader else { return }
    var changes = ContextChanges()
    changes.updated = Array(context.updatedObjects)
    var candidates = Candidates()
    considerFollowers(changes, candidates: &candidates)
    if !candidates.batch.isEmpty { _ = change(list, reader: reader, candidates: &candidates) }
  }

  // MARK: - Rechecked objects

  private func recheckMisfits(_ candidates: inout Candidates) {
    let words = misfits
    misfits = []
    recheck(Array(words), candidates: &candidates)
  }

  private func recheck(_ words: [UInt64], candidates: inout Candidates) {
    guard let list, let reader, !words.isEmpty else { return }
    let known = words.filter { list.order.contains($0) && !candidates.seen.contains($0) }
    for entry in reader.namedEntries(of: known) {
      candidates.seen.insert(entry.word)
      candidates.batch.present.append(entry)
      candidates.batch.recheckedOnly.insert(entry.word)
    }
  }

  /// Moves objects whose permanent identity changes their order among objects with equal sort keys.
  /// If one is out of order, its neighbours may be too, even without an older object beside them.
  private func settleTies(_ renamed: [UInt64]) {
    guard renamed.contains(where: isOutOfPlace) else { return }
    var candidates = Candidates()
    recheck(renamed, candidates: &candidates)
    apply(candidates)
  }

  private func isOutOfPlace(_ word: UInt64) -> Bool {
    guard let list, let reader, let rank = list.order.rank(of: word) else { return false }
    let before = rank > 0 ? list.order[rank - 1] : nil
    let after = rank + 1 < list.count ? list.order[rank + 1] : nil
    return !reader.areOrdered(before, word) || !reader.areOrdered(word, after)
  }

  /// Applies the limit again: a permanent identity may move an object across it.
  private func settleLimit() {
    var candidates = Candidates()
    holdLimit(&candidates)
    apply(candidates)
  }

  private func apply(_ candidates: Candidates) {
    guard let list, let reader, !candidates.batch.isEmpty else { return }
    var candidates = candidates
    let changes = change(list, reader: reader, candidates: &candidates)
    guard !changes.isEmpty else { return }
    fetchedObjects = nil
    if !changes.deletedSections.isEmpty || !changes.insertedSections.isEmpty { sectionInfos = nil }
    deliver(changes, objects: .several(candidates.objects))
  }

  /// Changes the list. Objects around the candidates that turn out to be out of order join the
  /// batch.
  private func change(
    _ list: FetchedList, reader: ContextListReader, candidates: inout Candidates
  ) -> ListChanges {
    var isComplete = false
    // Doubled each time, because stretches of such objects may be long.
    var reach = 1
    while true {
      var strays: [UInt64] = []
      let changes = reader.reading { () -> ListChanges? in
        let preparation = list.prepare(candidates.batch, reader: reader, reach: reach)
        strays = preparation.strays
        return strays.isEmpty || isComplete
          ? list.apply(preparation, reader: reader, misplaced: noteMisfit) : nil
      }
      if let changes { return changes }
      let count = candidates.batch.present.count
      recheck(strays, candidates: &candidates)
      reach *= 2
      // Strays whose rows are gone have no sort keys and cannot be moved.
      isComplete = candidates.batch.present.count == count
    }
  }

  private func noteMisfit(_ misplacement: FetchedList.Misplacement) {
    misfits.insert(misplacement.word)
    FetchedResultsLog.error(
      SectionScanner.outOfOrderText(misplacement.rank, name: misplacement.name))
  }
}

extension ContextListReader {
  /// Whether two neighbours of a list are in order; nil stands for the end of the list. Mostly
  /// decided by their identities alone, without reading: the sort keys were in order before.
  func areOrdered(_ first: UInt64?, _ second: UInt64?) -> Bool {
    guard let first, let second else { return true }
    let ties = [first, second].map { PackedIdentity(bits: $0).tieOrder }
    if ties[0] < ties[1] { return true }
    let entries = entries(of: [first, second])
    return isOrdered(entries[0], entries[1])
  }
}

extension ContextChanges {
  /// The updated object if its edit is the only change.
  fileprivate var onlyUpdate: NSManagedObject? {
    guard updated.count == 1, inserted.isEmpty, deleted.isEmpty, refreshed.isEmpty,
      invalidated.isEmpty, unregistered.isEmpty, unregisteredDeletions.isEmpty
    else { return nil }
    return updated[0]
  }

  /// Whether newer rows may have replaced rows of the list.
  fileprivate var cameFromElsewhere: Bool {
    !unregistered.isEmpty || !refreshed.isEmpty || !unregisteredDeletions.isEmpty
  }
}
