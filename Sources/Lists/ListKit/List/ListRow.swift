import Foundation

/// A row that has a cell, with a name that moves do not change.
package struct ListRow {
  package let id: String
  package var indexPath: IndexPath
  package var cell: ListCell
}
