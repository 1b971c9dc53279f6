@testable import CoreData

/// A list as a table view has it, which takes a batch of changes in a table view's order.
struct ReplayedList: Equatable {
  struct Section: Equatable {
    var name: String
    var words: [UInt64]
  }

  var sections: [Section]

  /// Rows leave by old paths, then sections; sections come by new indices, then rows.
  mutating func apply(_ changes: ListChanges) {
    let leaving = changes.deletions.map(\.path) + changes.moves.map(\.oldPath)
    for path in leaving.sorted(by: >) { sections[path.section].words.remove(at: path.row) }
    for (index, _) in changes.deletedSections { sections.remove(at: index) }
    for (index, section) in changes.insertedSections {
      sections.insert(Section(name: section.name, words: []), at: index)
    }
    let arriving =
      changes.insertions.map { ($0.path, $0.word) } + changes.moves.map { ($0.newPath, $0.word) }
    for (path, word) in arriving.sorted(by: { $0.0 < $1.0 }) {
      sections[path.section].words.insert(word, at: path.row)
    }
  }

  func word(at path: ListPath) -> UInt64 { sections[path.section].words[path.row] }
}

extension FetchedList {
  /// The list's own state, section by section.
  var replayed: ReplayedList {
    ReplayedList(
      sections: sections.all.map { .init(name: $0.name, words: Array(words(of: $0))) })
  }
}
