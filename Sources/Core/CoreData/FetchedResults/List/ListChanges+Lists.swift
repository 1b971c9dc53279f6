extension ListChanges {
  /// The changes from one list to another that was fetched anew, perhaps in another order.
  /// O(n log n).
  ///
  /// Sections are identified by name. The largest set of sections that keeps its relative order is
  /// kept; the others are deleted and inserted. Of the objects that stay in a kept section, the
  /// largest set that keeps its relative order is kept; the others move.
  ///
  /// Empties the deleted sections of `old`, whose order then no longer matches its sections.
  package init(from old: FetchedList, to new: FetchedList) {
    let before = Self.places(of: old)
    let after = Self.places(of: new)
    let kept = Self.keptSections(old, new: new)
    var newRanks: [UInt64: Int] = [:]
    for (rank, place) in after.enumerated() { newRanks[place.word] = rank }
    describeSections(old, new: new, kept: kept)
    let staying = Self.staying(before, after: after, newRanks: newRanks, kept: kept)
    var known: Set<UInt64> = []
    for (rank, place) in before.enumerated() {
      guard let newRank = newRanks[place.word] else {
        deletions.append(.init(word: place.word, path: place.path, rank: rank))
        continue
      }
      known.insert(place.word)
      guard !staying.contains(place.word) else { continue }
      moves.append(
        .init(
          word: place.word, oldPath: place.path, newPath: after[newRank].path, oldRank: rank,
          newRank: newRank))
    }
    deletions.reverse()
    moves.sort { $0.newRank < $1.newRank }
    for (rank, place) in after.enumerated() where !known.contains(place.word) {
      insertions.append(.init(word: place.word, path: place.path, rank: rank))
    }
  }

  private struct Place {
    let word: UInt64
    let path: ListPath
    let section: String
  }

  private static func places(of list: FetchedList) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(list.count)
    for (index, section) in list.sections.all.enumerated() {
      for (row, word) in list.words(of: section).enumerated() {
        places.append(
          Place(word: word, path: ListPath(section: index, row: row), section: section.name))
      }
    }
    return places
  }

  // MARK: - Sections

  private static func keptSections(_ old: FetchedList, new: FetchedList) -> Set<String> {
    var indices: [String: Int] = [:]
    for (index, section) in new.sections.all.enumerated() { indices[section.name] = index }
    let common = old.sections.all.map(\.name).filter { indices[$0] != nil }
    let unmoved = longestIncreasingSubsequence(common.compactMap { indices[$0] })
    return Set(unmoved.map { common[$0] })
  }

  private mutating func describeSections(
    _ old: FetchedList, new: FetchedList, kept: Set<String>
  ) {
    let gone = old.sections.all.enumerated().filter { !kept.contains($0.element.name) }
    let made = new.sections.all.enumerated().filter { !kept.contains($0.element.name) }
    deletedSections = gone.reversed().map { ($0.offset, $0.element) }
    insertedSections = made.map { ($0.offset, $0.element) }
    // A deleted section has no objects.
    for (_, section) in deletedSections { old.sections.resize(section, by: -section.size) }
  }

  // MARK: - Objects

  private static func staying(
    _ before: [Place], after: [Place], newRanks: [UInt64: Int], kept: Set<String>
  ) -> Set<UInt64> {
    let candidates = before.filter { place in
      guard kept.contains(place.section), let rank = newRanks[place.word] else { return false }
      return after[rank].section == place.section
    }
    let unmoved = longestIncreasingSubsequence(candidates.compactMap { newRanks[$0.word] })
    return Set(unmoved.map { candidates[$0].word })
  }
}
