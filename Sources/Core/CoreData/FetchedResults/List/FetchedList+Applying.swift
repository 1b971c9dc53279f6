extension FetchedList {
  /// Applies a batch and returns its changes. O(k log n) for k objects.
  ///
  /// Objects that are still in order between their unchanged neighbours stay; the others are
  /// removed and inserted at the rank that a search by their sort keys finds.
  package func apply(
    _ batch: ListBatch, reader: some ListReader, misplaced: (Misplacement) -> Void = { _ in }
  ) -> ListChanges {
    apply(prepare(batch, reader: reader), reader: reader, misplaced: misplaced)
  }

  /// A batch, compared with the list but not yet applied.
  package struct Preparation {
    let batch: ListBatch
    let old: Old
    /// The words that are out of order between their neighbours, or in the wrong section.
    var displaced: Set<UInt64> = []
    /// Objects around those of the batch that are out of order themselves, since their values
    /// changed without notice. They must be added to the batch.
    package var strays: [UInt64] = []
  }

  /// Compares a batch with the objects around it; changes nothing.
  ///
  /// - Parameter reach: the number of objects that count as strays on each side of a disorder.
  package func prepare(
    _ batch: ListBatch, reader: some ListReader, reach: Int = 1
  ) -> Preparation {
    var preparation = Preparation(batch: batch, old: recordOld(batch))
    compareNeighbours(&preparation, reader: reader, reach: reach)
    return preparation
  }

  package func apply(
    _ preparation: Preparation, reader: some ListReader,
    misplaced: (Misplacement) -> Void = { _ in }
  ) -> ListChanges {
    let (batch, old) = (preparation.batch, preparation.old)
    remove(old, displaced: preparation.displaced)
    let made = insert(
      batch, old: old, displaced: preparation.displaced, reader: reader, misplaced: misplaced)
    var changes = ListChanges()
    changes.deletedSections = purge(old)
    changes.insertedSections = made.map { (sections.index(of: $0), $0) }.sorted { $0.0 < $1.0 }
    describe(batch, old: old, changes: &changes)
    return changes
  }

  /// An object whose section name does not match its position in the order.
  package struct Misplacement {
    package let word: UInt64
    package let rank: Int
    package let name: String
  }

  // MARK: - Old positions

  /// The positions of a batch's objects before it is applied.
  struct Old {
    struct Place {
      let word: UInt64
      let rank: Int
      let path: ListPath
      let section: FetchedSection
      /// nil for an object that leaves.
      let entry: ListEntry?
    }

    /// Sorted by rank.
    var places: [Place] = []
    var indexByWord: [UInt64: Int] = [:]
    var sectionIndices: [ObjectIdentifier: (index: Int, section: FetchedSection)] = [:]

    func place(of word: UInt64) -> Place? { indexByWord[word].map { places[$0] } }
  }

  private func recordOld(_ batch: ListBatch) -> Old {
    var old = Old()
    let words = batch.leaving + batch.present.map(\.word)
    let entries = batch.leaving.map { _ in nil } + batch.present.map(Optional.some)
    old.places.reserveCapacity(words.count)
    for (index, rank) in order.ranks(of: words).enumerated() {
      if let rank { record(words[index], rank: rank, entry: entries[index], old: &old) }
    }
    old.places.sort { $0.rank < $1.rank }
    old.indexByWord.reserveCapacity(words.count)
    for (index, place) in old.places.enumerated() { old.indexByWord[place.word] = index }
    return old
  }

  private func record(_ word: UInt64, rank: Int, entry: ListEntry?, old: inout Old) {
    let (section, row) = sections.section(containing: rank)
    let identifier = ObjectIdentifier(section)
    let index: Int
    if let last = old.places.last, last.section === section {
      index = last.path.section
    } else {
      index = old.sectionIndices[identifier]?.index ?? sections.index(of: section)
      old.sectionIndices[identifier] = (index, section)
    }
    let path = ListPath(section: index, row: row)
    old.places.append(
      .init(word: word, rank: rank, path: path, section: section, entry: entry))
  }

  // MARK: - Displaced objects

  /// Compares the objects of a batch with the unchanged objects around them, and the latter with
  /// each other.
  ///
  /// Any two objects that become neighbours have thus been compared, by values at least as new as
  /// the last reported ones. So the list is in order once every change has been reported.
  private func compareNeighbours(
    _ preparation: inout Preparation, reader: some ListReader, reach: Int
  ) {
    let places = preparation.old.places
    let runs = runs(of: places)
    var ends = reader.entries(of: runs.flatMap(\.ends)).makeIterator()
    for run in runs {
      var before = run.before.flatMap { _ in ends.next() }
      let after = run.after.flatMap { _ in ends.next() }
      if let before, let after, areStrays(before, after: after, reader: reader) {
        let first = places[run.places.lowerBound].rank
        let next = places[run.places.upperBound - 1].rank + 1
        preparation.strays += order.words(in: max(0, first - reach)..<first)
        preparation.strays += order.words(in: next..<min(count, next + reach))
      }
      for place in places[run.places] {
        guard let entry = place.entry else { continue }
        if stays(entry, place: place, before: before, after: after, reader: reader) {
          before = entry
        } else {
          preparation.displaced.insert(place.word)
        }
      }
    }
  }

  /// False if the row of either object is gone: its keys are unknown, and its deletion is yet to be
  /// reported.
  private func areStrays(
    _ before: ListEntry, after: ListEntry, reader: some ListReader
  ) -> Bool {
    before.hasKeys && after.hasKeys && !reader.isOrdered(before, after)
  }

  /// Changed objects at consecutive ranks, and the unchanged ones before and after them.
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
      var end = start + 1
      while end < places.count, places[end].rank == places[end - 1].rank + 1 { end += 1 }
      let first = places[start].rank
      let next = places[end - 1].rank + 1
      runs.append(
        Run(
          places: start..<end, before: first > 0 ? order[first - 1] : nil,
          after: next < count ? order[next] : nil))
      start = end
    }
    return runs
  }

  private func stays(
    _ entry: ListEntry, place: Old.Place, before: ListEntry?, after: ListEntry?,
    reader: some ListReader
  ) -> Bool {
    if hasSectionNames, entry.sectionName != place.section.name { return false }
    if let before, !reader.isOrdered(before, entry) { return false }
    if let after, !reader.isOrdered(entry, after) { return false }
    return true
  }

  // MARK: - Changing the list

  private func remove(_ old: Old, displaced: Set<UInt64>) {
    for place in old.places.reversed()
    where place.entry == nil || displaced.contains(place.word) {
      order.remove(at: place.rank)
      sections.resize(place.section, by: -1)
    }
  }

  private func insert(
    _ batch: ListBatch, old: Old, displaced: Set<UInt64>, reader: some ListReader,
    misplaced: (Misplacement) -> Void
  ) -> [FetchedSection] {
    let homeless = batch.present.filter {
      displaced.contains($0.word) || old.indexByWord[$0.word] == nil
    }
    var placed: [UInt64: ListEntry] = [:]
    for entry in batch.present where !displaced.contains(entry.word) { placed[entry.word] = entry }
    let sorted = homeless.sorted(by: reader.isOrdered)
    var made: [FetchedSection] = []
    for (place, inserted) in zip(places(of: sorted, placed, reader: reader), sorted.indices) {
      // The entries inserted so far have shifted the rank.
      let rank = place + inserted
      let section = section(for: sorted[inserted], rank, made: &made, misplaced: misplaced)
      order.insert(sorted[inserted].word, at: rank)
      sections.resize(section, by: 1)
    }
    return made
  }

  /// The ranks of sorted entries in the current list.
  ///
  /// The searches advance together, so that the pivots of one level are read at once; neighbouring
  /// searches often share pivots. Neighbours of a pivot that the store also keeps beside it are
  /// read as well: if the guess was good, they end the search.
  private func places(
    of entries: [ListEntry], _ placed: [UInt64: ListEntry], reader: some ListReader
  ) -> [Int] {
    var searches = entries.map { Search(entry: $0, place: order.search()) }
    var open = Array(searches.indices)
    while true {
      var words: [UInt64] = []
      var steps: [Step] = []
      func add(_ word: UInt64) -> Int {
        if words.last != word { words.append(word) }
        return words.count - 1
      }
      for index in open {
        guard let pivot = searches[index].nextPivot() else { continue }
        let (before, after) = searches[index].place.neighbours
        func close(_ word: UInt64?) -> UInt64? {
          word.flatMap { Self.areClose($0, pivot) ? $0 : nil }
        }
        let first = close(before).map(add)
        let middle = add(pivot)
        steps.append(
          Step(search: index, before: first, pivot: middle, after: close(after).map(add)))
      }
      if steps.isEmpty { return searches.map(\.place.rank) }
      let met = met(words, placed: placed, reader: reader)
      for step in steps {
        searches[step.search].compare(
          met[step.pivot], before: step.before.map { met[$0] }, after: step.after.map { met[$0] },
          reader: reader)
      }
      open = steps.map(\.search)
    }
  }

  /// The next comparison of a search: indices into the words that are read for all searches.
  private struct Step {
    let search: Int
    let before: Int?
    let pivot: Int
    let after: Int?
  }

  /// Whether the rows of two objects are close together in the store.
  private static func areClose(_ first: UInt64, _ second: UInt64) -> Bool {
    max(first, second) - min(first, second) <= 4
  }

  /// The search for the rank of an entry.
  private struct Search {
    let entry: ListEntry
    var place: RankSearch
    /// The nearest entries on both sides that were compared.
    private var low: ListEntry?
    private var high: ListEntry?

    init(entry: ListEntry, place: RankSearch) {
      self.entry = entry
      self.place = place
    }

    mutating func nextPivot() -> UInt64? {
      guard place.advance() else { return nil }
      return place.choosePivot(place.takesGuess ? share : nil)
    }

    private var share: Double? {
      guard let low, let high else { return nil }
      return entry.share(from: low, to: high)
    }

    mutating func compare(
      _ pivot: ListEntry, before: ListEntry?, after: ListEntry?, reader: some ListReader
    ) {
      let precedes = reader.isOrdered(pivot, entry)
      note(pivot, precedes: precedes)
      place.answer(precedes)
      guard let neighbour = precedes ? after : before else { return }
      let neighbourPrecedes = reader.isOrdered(neighbour, entry)
      note(neighbour, precedes: neighbourPrecedes)
      place.answer(neighbour: neighbourPrecedes, after: precedes)
    }

    private mutating func note(_ met: ListEntry, precedes: Bool) {
      if precedes { low = met } else { high = met }
    }
  }

  /// The entries of pivots, from the batch for the objects that it contains.
  private func met(
    _ pivots: [UInt64], placed: [UInt64: ListEntry], reader: some ListReader
  ) -> [ListEntry] {
    guard !placed.isEmpty else { return reader.entries(of: pivots) }
    var unchanged = reader.entries(of: pivots.filter { placed[$0] == nil }).makeIterator()
    return pivots.compactMap { placed[$0] ?? unchanged.next() }
  }

  /// Removes the emptied sections.
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
