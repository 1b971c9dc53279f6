import Foundation
import ListSnapshots

/// The operations of one batch of updates, as the client requested them.
///
/// Deletes, reloads and the sources of moves are paths and indexes before the batch. Inserts and
/// the targets of moves are those after it, regardless of the order of the calls.
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
  /// The reloaded rows that are redrawn only if their content has changed.
  package var reconfiguredRows: Set<IndexPath> = []
  package var movedRows: [Move<IndexPath>] = []

  /// The names of the list and its rows in UIKit's texts.
  package var words = ListWords.table

  package init(words: ListWords = .table) { self.words = words }

  package var isEmpty: Bool { movesNothing && reloadedRows.isEmpty }

  /// Whether all rows and sections stay where they are; some rows may be reloaded.
  var movesNothing: Bool {
    deletedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty && deletedSections.isEmpty
      && insertedSections.isEmpty && reloadedSections.isEmpty && movedSections.isEmpty
  }

  /// The operations as UIKit's diagnostics print them; a reload is a delete and an insert.
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
  /// The form of the diagnostics: section, dash, row.
  var text: String { "\(section) - \(row)" }
}
