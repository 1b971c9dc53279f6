extension FetchedList {
  /// Applies the edit of one object of a list without section names, as a batch of that object
  /// would.
  ///
  /// Returns nil, with the list unchanged, if a batch is needed: the object is not in the list, its
  /// neighbours are out of order, or `known` has no entry for an object that the search meets.
  func move(
    _ entry: ListEntry, reader: some ListReader, known: (UInt64) -> ListEntry?
  ) -> ListChanges? {
    guard !hasSectionNames, let rank = order.rank(of: entry.word) else { return nil }
    var before: ListEntry?
    var after: ListEntry?
    if rank > 0 {
      before = known(order[rank - 1])
      if before == nil { return nil }
    }
    if rank + 1 < count {
      after = known(order[rank + 1])
      if after == nil { return nil }
    }
    if let before, let after, !reader.isOrdered(before, after) { return nil }
    var changes = ListChanges()
    let followsBefore = before.map { reader.isOrdered($0, entry) } ?? true
    let precedesAfter = after.map { reader.isOrdered(entry, $0) } ?? true
    if followsBefore, precedesAfter {
      changes.updates = [Self.move(entry.word, from: rank, to: rank)]
      return changes
    }
    order.remove(at: rank)
    guard let place = place(of: entry, reader, known: known) else {
      order.insert(entry.word, at: rank)
      return nil
    }
    order.insert(entry.word, at: place)
    changes.moves = [Self.move(entry.word, from: rank, to: place)]
    return changes
  }

  private static func move(_ word: UInt64, from old: Int, to new: Int) -> ListChanges.Move {
    .init(
      word: word, oldPath: ListPath(section: 0, row: old), newPath: ListPath(section: 0, row: new),
      oldRank: old, newRank: new)
  }

  private func place(
    of entry: ListEntry, _ reader: some ListReader, known: (UInt64) -> ListEntry?
  ) -> Int? {
    if count == 0 { return 0 }
    var search = order.search()
    // The ends of the list are no pivots, but improve the first guess.
    var (low, high) = (known(order[0]), known(order[count - 1]))
    while search.advance() {
      var share: Double?
      if search.takesGuess, let low, let high { share = entry.share(from: low, to: high) }
      guard let pivot = known(search.choosePivot(share)) else { return nil }
      let precedes = reader.isOrdered(pivot, entry)
      if precedes { low = pivot } else { high = pivot }
      search.answer(precedes)
    }
    return search.rank
  }
}
