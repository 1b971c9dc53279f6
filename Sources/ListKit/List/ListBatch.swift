import Foundation
import ListSnapshots

/// The operations of one batch of updates, as they were asked for.
///
/// Deletes, reloads and the origins of moves name the state before the batch; inserts and the
/// targets of moves name the state after it, whatever the order of the calls.
package struct ListBatch: Sendable {
  package struct Move<Place: Sendable & Hashable>: Sendable, Hashable {
    package let from: Place
    package let to: Place
  }

  package var deletedSections: [Int] = []
  package var insertedSections: [Int] = []
  package var reloadedSections: [Int] = []
  package var movedSections: [Move<Int>] = []
  package var deletedRows: [IndexPath] = []
  package var insertedRows: [IndexPath] = []
  package var reloadedRows: [IndexPath] = []
  /// Those of the reloaded rows that need no drawing when they say the same as before.
  package var reconfiguredRows: Set<IndexPath> = []
  package var movedRows: [Move<IndexPath>] = []

  /// What the texts call the list and its rows.
  package var words = ListWords.table

  package init(words: ListWords = .table) { self.words = words }

  package var isEmpty: Bool { descriptions.isEmpty }

  /// The operations as UIKit's diagnostics list them; a reload is a delete and an insert.
  package var descriptions: [String] {
    let row = words.row
    return deletedSections.map { "Delete section (\($0))" }
      + insertedSections.map { "Insert section (\($0))" }
      + reloadedSections.map { "Reload section (\($0))" }
      + movedSections.map { "Move section (\($0.from)) to (\($0.to))" }
      + deletedRows.map { "Delete \(row) (\($0.text))" }
      + insertedRows.map { "Insert \(row) (\($0.text))" }
      + reloadedRows.map { "Delete \(row) (\($0.text)), Insert \(row) (\($0.text))" }
      + movedRows.map { "Move \(row) (\($0.from.text)) to (\($0.to.text))" }
  }
}

extension IndexPath {
  /// As the diagnostics print it: section, dash, row.
  var text: String { "\(section) - \(row)" }
}
