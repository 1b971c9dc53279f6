extension FetchedList {
  /// Applies a batch and tells what it did. O(k log n) for k objects.
  ///
  /// Objects that stay between their unchanged neighbours are left where they are; the others are
  /// taken out and inserted anew where the search for their sort keys ends.
  package func apply(
    _ batch: ListBatch, _ reader: some ListReader, _ misplaced: (Misplacement) -> Void = { _ in }
  ) -> ListChanges {
    apply(prepare(batch, reader), reader, misplaced)
  }

  /// A batch beside the list as it is.
  package struct Preparation {
    let batch: ListBatch
    let old: Old
    /// The words that no longer stand between their neighbours, or in their section.
    var displaced: Set<UInt64> = []
    /// Objects around those of the batch that are out of order themselves: they were placed by values
    /// that the list was not told of until now. They belong in the batch too.
    package var strays: [UInt64] = []
  }

  /// Reads what is around a batch, and changes nothing.
  ///
  /// - Parameter reach: how many objects count as strays on each side of what is out of order.
  package func prepare(
    _ batch: ListBatch, _ reader: some ListReader, reach: Int = 1
  ) -> Preparation {
    var preparation = Preparation(batch: batch, old: recordOld(batch))
    compareNeighbours(&preparation, reader, reach)
    return preparation
  }

  package func apply(
    _ preparation: Preparation, _ reader: some ListReader,
    _ misplaced: (Misplacement) -> Void = { _ in }
  ) -> ListChanges {
    let (batch, old) = (preparation.batch, preparation.old)
    remove(old, preparation.displaced)
    let made = insert(batch, old, preparation.displaced, reader, misplaced)
    var changes = ListChanges()
    changes.deletedSections = purge(old)
    changes.insertedSections = made.map { (sections.index(of: $0), $0) }.sorted { $0.0 < $1.0 }
    describe(batch, old, &changes)
    return changes
  }

  /// An object whose section name does not fit its place.
  package struct Misplacement {
    package let word: UInt64
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
    let words = batch.leaving + batch.present.map(\.word)
    let entries = batch.leaving.map { _ in nil } + batch.present.map(Optional.some)
    old.places.reserveCapacity(words.count)
    for (index, rank) in order.ranks(of: words).enumerated() {
      if let rank { record(words[index], rank, entries[index], &old) }
    }
    old.places.sort { $0.rank < $1.rank }
    old.indexByWord.reserveCapacity(words.count)
    for (index, place) in old.places.enumerated() { old.indexByWord[place.word] = index }
    return old
  }

  private func record(_ word: UInt64, _ rank: Int, _ entry: ListEntry?, _ old: inout Old) {
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

  // MARK: - Who has to move

  /// Compares the objects of a batch with those around them, and these with each other: whatever two
  /// objects come to be neighbours have been compared, with the newest values that the list was told of or newer
  /// ones. So the list is in order when it has been told of everything.
  private func compareNeighbours(
    _ preparation: inout Preparation, _ reader: some ListReader, _ reach: Int
  ) {
    let places = preparation.old.places
    let runs = runs(of: places)
    var ends = reader.entries(of: runs.flatMap(\.ends)).makeIterator()
    for run in runs {
      var before = run.before.flatMap { _ in ends.next() }
      let after = run.after.flatMap { _ in ends.next() }
      if let before, let after, areStrays(before, after, reader) {
        let first = places[run.places.lowerBound].rank
        let next = places[run.places.upperBound - 1].rank + 1
        preparation.strays += order.words(in: max(0, first - reach)..<first)
        preparation.strays += order.words(in: next..<min(count, next + reach))
      }
      for place in places[run.places] {
        guard let entry = place.entry else { continue }
        if stays(entry, place, before, after, reader) {
          before = entry
        } else {
          preparation.displaced.insert(place.word)
        }
      }
    }
  }

  /// Nothing is known of an object whose row is gone; its deletion is yet to be told.
  private func areStrays(
    _ before: ListEntry, _ after: ListEntry, _ reader: some ListReader
  ) -> Bool {
    before.hasKeys && after.hasKeys && !reader.isOrdered(before, after)
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
  /// that what they meet on one level is read at once; neighbours often meet the same. What is next to a pivot in the
  /// store as well is read with it: a good guess has found the place then.
  private func places(
    of entries: [ListEntry], _ placed: [UInt64: ListEntry], _ reader: some ListReader
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
      let met = met(words, placed, reader)
      for step in steps {
        searches[step.search].compare(
          met[step.pivot], before: step.before.map { met[$0] }, after: step.after.map { met[$0] },
          reader)
      }
      open = steps.map(\.search)
    }
  }

  /// What one search compares next: places among the words that are read for all.
  private struct Step {
    let search: Int
    let before: Int?
    let pivot: Int
    let after: Int?
  }

  /// Whether the rows of two objects lie side by side.
  private static func areClose(_ first: UInt64, _ second: UInt64) -> Bool {
    max(first, second) - min(first, second) <= 4
  }

  /// An entry on the way to its place.
  private struct Search {
    let entry: ListEntry
    var place: RankSearch
    /// The nearest entries on both sides that it has met.
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
      _ pivot: ListEntry, before: ListEntry?, after: ListEntry?, _ reader: some ListReader
    ) {
      let precedes = reader.isOrdered(pivot, entry)
      note(pivot, precedes)
      place.answer(precedes)
      guard let neighbour = precedes ? after : before else { return }
      let neighbourPrecedes = reader.isOrdered(neighbour, entry)
      note(neighbour, neighbourPrecedes)
      place.answer(neighbour: neighbourPrecedes, after: precedes)
    }

    private mutating func note(_ met: ListEntry, _ precedes: Bool) {
      if precedes { low = met } else { high = met }
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
