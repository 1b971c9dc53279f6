import Foundation

/// A row that a renderer holds: it has a cell, and a name that it keeps wherever it moves.
package struct ListRow {
  package let id: String
  package var indexPath: IndexPath
  package var cell: ListCell
}
