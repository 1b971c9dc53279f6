extension FetchedList {
  /// Applies a batch and tells what it did. O(k log n) for k objects.
  ///
  /// Objects that stay between their unchanged neighbours are left where they are; the others are
  /// taken out and inserted anew where the search for their sort keys ends.
  package func apply(
    _ batch: ListBatch, _ reader: some ListReader, _ misplaced: (Misplacement) -> Void = { _ in }
  ) -> ListChanges {
    let old = recordOld(batch)
    let displaced = displaced(old, reader)
    remove(old, displaced)
    let made = insert(batch, old, displaced, reader, misplaced)
    var changes = ListChanges()
    changes.deletedSections = purge(old)
    changes.insertedSections = made.map { (sections.index(of: $0), $0) }.sorted { $0.0 < $1.0 }
    describe(batch, old, &changes)
    return changes
  }

  /// An object whose section name does not fit its place.
  package struct Misplacement {
    package let rank: Int
    package let name: String
  }

  // MARK: - Before

  /// Where the objects of a batch were.
  struct Old {
    struct Place {
      let word: UInt64
      let rank: Int
      let path: ListPath
      let section: FetchedSection
      /// nil for an object that leaves.
      let entry: ListEntry?
    }

    /// By rank.
    var places: [Place] = []
    var indexByWord: [UInt64: Int] = [:]
    var sectionIndices: [ObjectIdentifier: (index: Int, section: FetchedSection)] = [:]

    func place(of word: UInt64) -> Place? { indexByWord[word].map { places[$0] } }
  }

  private func recordOld(_ batch: ListBatch) -> Old {
    var old = Old()
    for word in batch.leaving { record(word, nil, &old) }
    for entry in batch.present { record(entry.word, entry, &old) }
    old.places.sort { $0.rank < $1.rank }
    for (index, place) in old.places.enumerated() { old.indexByWord[place.word] = index }
    return old
  }

  private func record(_ word: UInt64, _ entry: ListEntry?, _ old: inout Old) {
    guard let rank = order.rank(of: word) else { return }
    let (section, row) = sections.section(containing: rank)
    let identifier = ObjectIdentifier(section)
    let index = old.sectionIndices[identifier]?.index ?? sections.index(of: section)
    old.sectionIndices[identifier] = (index, section)
    let path = ListPath(section: index, row: row)
    old.places.append(
      .init(word: word, rank: rank, path: path, section: section, entry: entry))
  }

  // MARK: - Who has to move

  /// The words that no longer stand between their neighbours, or in their section.
  private func displaced(_ old: Old, _ reader: some ListReader) -> Set<UInt64> {
    let runs = runs(of: old.places)
    var ends = reader.entries(of: runs.flatMap(\.ends)).makeIterator()
    var displaced: Set<UInt64> = []
    for run in runs {
      var before = run.before.flatMap { _ in ends.next() }
      let after = run.after.flatMap { _ in ends.next() }
      for place in old.places[run.places] {
        guard let entry = place.entry else { continue }
        if stays(entry, place, before, after, reader) {
          before = entry
        } else {
          displaced.insert(place.word)
        }
      }
    }
    return displaced
  }

  /// Changed objects that were next to each other, and the unchanged ones around them.
  private struct Run {
    let places: Range<Int>
    let before: UInt64?
    let after: UInt64?

    var ends: [UInt64] { [before, after].compactMap(\.self) }
  }

  private func runs(of places: [Old.Place]) -> [Run] {
    var runs: [Run] = []
    var start = 0
    while start < places.count {
      // Nothing is to be compared where no object stays.
      var end = start + 1
      while end < places.count, places[end].rank == places[end - 1].rank + 1 { end += 1 }
      if places[start..<end].contains(where: { $0.entry != nil }) {
        let first = places[start].rank
        let next = places[end - 1].rank + 1
        runs.append(
          Run(
            places: start..<end, before: first > 0 ? order[first - 1] : nil,
            after: next < count ? order[next] : nil))
      }
      start = end
    }
    return runs
  }

  private func stays(
    _ entry: ListEntry, _ place: Old.Place, _ before: ListEntry?, _ after: ListEntry?,
    _ reader: some ListReader
  ) -> Bool {
    if hasSectionNames, entry.sectionName != place.section.name { return false }
    if let before, !reader.isOrdered(before, entry) { return false }
    if let after, !reader.isOrdered(entry, after) { return false }
    return true
  }

  // MARK: - Changing

  private func remove(_ old: Old, _ displaced: Set<UInt64>) {
    for place in old.places.reversed()
    where place.entry == nil || displaced.contains(place.word) {
      order.remove(at: place.rank)
      sections.resize(place.section, by: -1)
    }
  }

  private func insert(
    _ batch: ListBatch, _ old: Old, _ displaced: Set<UInt64>, _ reader: some ListReader,
    _ misplaced: (Misplacement) -> Void
  ) -> [FetchedSection] {
    let homeless = batch.present.filter {
      displaced.contains($0.word) || old.indexByWord[$0.word] == nil
    }
    var placed: [UInt64: ListEntry] = [:]
    for entry in batch.present where !displaced.contains(entry.word) { placed[entry.word] = entry }
    let sorted = homeless.sorted(by: reader.isOrdered)
    var made: [FetchedSection] = []
    for (place, inserted) in zip(places(of: sorted, placed, reader), sorted.indices) {
      // Those that come earlier are in the list by now.
      let rank = place + inserted
      let section = section(for: sorted[inserted], rank, &made, misplaced)
      order.insert(sorted[inserted].word, at: rank)
      sections.resize(section, by: 1)
    }
    return made
  }

  /// The ranks where the sorted entries belong in the list as it is. The searches go side by side, so
  /// that what they meet on one level is read at once; neighbours often meet the same.
  private func places(
    of entries: [ListEntry], _ placed: [UInt64: ListEntry], _ reader: some ListReader
  ) -> [Int] {
    var searches = entries.map { _ in order.search() }
    var open = Array(searches.indices)
    while true {
      var pivots: [UInt64] = []
      var steps: [(search: Int, pivot: Int)] = []
      for index in open {
        guard let pivot = searches[index].nextPivot() else { continue }
        if pivots.last != pivot { pivots.append(pivot) }
        steps.append((index, pivots.count - 1))
      }
      if pivots.isEmpty { return searches.map(\.rank) }
      let met = met(pivots, placed, reader)
      for (index, pivot) in steps {
        searches[index].answer(reader.isOrdered(met[pivot], entries[index]))
      }
      open = steps.map(\.search)
    }
  }

  /// The entries of pivots, of which some are part of the batch.
  private func met(
    _ pivots: [UInt64], _ placed: [UInt64: ListEntry], _ reader: some ListReader
  ) -> [ListEntry] {
    guard !placed.isEmpty else { return reader.entries(of: pivots) }
    var unchanged = reader.entries(of: pivots.filter { placed[$0] == nil }).makeIterator()
    return pivots.compactMap { placed[$0] ?? unchanged.next() }
  }

  /// Takes the emptied sections out.
  private func purge(_ old: Old) -> [(index: Int, section: FetchedSection)] {
    guard hasSectionNames else { return [] }
    let emptied = old.sectionIndices.values.filter { $0.section.size == 0 }
    for (_, section) in emptied {
      sections.remove(section)
      if sectionsByName[section.name] === section { sectionsByName[section.name] = nil }
    }
    return emptied.sorted { $0.index > $1.index }
  }
}
