/// The position of an object in a list with sections.
package struct ListPath: Hashable, Comparable, Sendable {
  package let section: Int
  package let row: Int

  package init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  package static func < (left: ListPath, right: ListPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// The changes of one batch, in the terms of a table view: old paths refer to the list before the
/// batch, new paths to the list after it.
package struct ListChanges {
  /// Deleted sections with their old index, in descending order.
  package var deletedSections: [(index: Int, section: FetchedSection)] = []
  /// Inserted sections with their new index, in ascending order.
  package var insertedSections: [(index: Int, section: FetchedSection)] = []
  /// Deleted objects, in descending order.
  package var deletions: [Deletion] = []
  /// Inserted objects, in ascending order.
  package var insertions: [Insertion] = []
  /// A smallest set of objects by whose moves the others keep their order; sorted by new rank.
  package var moves: [Move] = []
  /// The other changed objects, which keep their order; sorted by old rank.
  package var updates: [Move] = []

  package struct Deletion {
    package let word: UInt64
    package let path: ListPath
    package let rank: Int
  }

  package struct Insertion {
    package let word: UInt64
    package let path: ListPath
    package let rank: Int
  }

  package struct Move {
    package let word: UInt64
    package let oldPath: ListPath
    package let newPath: ListPath
    package let oldRank: Int
    package let newRank: Int
  }

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
      && deletedSections.isEmpty && insertedSections.isEmpty
  }
}

extension ListChanges {
  /// The changes with a deletion and an insertion for each move out of a deleted section or into an
  /// inserted one.
  func splittingSectionMoves() -> ListChanges {
    let gone = Set(deletedSections.map(\.index))
    let made = Set(insertedSections.map(\.index))
    func isSplit(_ move: Move) -> Bool {
      gone.contains(move.oldPath.section) || made.contains(move.newPath.section)
    }
    let split = moves.filter(isSplit)
    guard !split.isEmpty else { return self }
    var changes = self
    changes.moves.removeAll(where: isSplit)
    changes.deletions += split.map { .init(word: $0.word, path: $0.oldPath, rank: $0.oldRank) }
    changes.deletions.sort { $0.rank > $1.rank }
    changes.insertions += split.map { .init(word: $0.word, path: $0.newPath, rank: $0.newRank) }
    changes.insertions.sort { $0.rank < $1.rank }
    return changes
  }
}
