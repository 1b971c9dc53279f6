extension FetchedList {
  /// Records deletions, insertions, moves and updates by comparing old positions with new ones.
  func describe(_ batch: ListBatch, old: Old, changes: inout ListChanges) {
    changes.deletions = old.places.reversed().filter { $0.entry == nil }.map {
      .init(word: $0.word, path: $0.path, rank: $0.rank)
    }
    let places = newPlaces(batch)
    changes.insertions = places.filter { old.indexByWord[$0.word] == nil }.map {
      .init(word: $0.word, path: $0.path, rank: $0.rank)
    }
    let kept = kept(places, old: old)
    for place in places {
      guard let before = old.place(of: place.word) else { continue }
      let move = ListChanges.Move(
        word: place.word, oldPath: before.path, newPath: place.path, oldRank: before.rank,
        newRank: place.rank)
      if !kept.contains(place.word) {
        changes.moves.append(move)
      } else if !batch.recheckedOnly.contains(place.word) {
        changes.updates.append(move)
      }
    }
    changes.updates.sort { $0.oldRank < $1.oldRank }
  }

  private struct New {
    let word: UInt64
    let rank: Int
    let path: ListPath
    let section: FetchedSection
  }

  /// Sorted by rank.
  private func newPlaces(_ batch: ListBatch) -> [New] {
    var places: [New] = []
    places.reserveCapacity(batch.present.count)
    let ranks = order.ranks(of: batch.present.map(\.word))
    for (entry, rank) in zip(batch.present, ranks) {
      guard let rank else {
        preconditionFailure("An object that was inserted is not in the list")
      }
      let (section, row) = sections.section(containing: rank)
      let path = ListPath(section: sections.index(of: section), row: row)
      places.append(New(word: entry.word, rank: rank, path: path, section: section))
    }
    return places.sorted { $0.rank < $1.rank }
  }

  /// The largest set of objects that count as unmoved: each is in its previous section, between the
  /// same unchanged objects, and in the previous order relative to the others.
  private func kept(_ places: [New], old: Old) -> Set<UInt64> {
    var candidates: [(word: UInt64, oldRank: Int)] = []
    for (changedBefore, place) in places.enumerated() {
      guard let index = old.indexByWord[place.word] else { continue }
      let before = old.places[index]
      guard before.section === place.section, before.rank - index == place.rank - changedBefore
      else { continue }
      candidates.append((place.word, before.rank))
    }
    let unmoved = longestIncreasingSubsequence(candidates.map(\.oldRank))
    return Set(unmoved.map { candidates[$0].word })
  }
}
