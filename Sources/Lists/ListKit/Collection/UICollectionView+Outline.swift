import Foundation

/// A data source whose items form an outline: `UICollectionViewDiffableDataSource`, without its
/// type parameters.
@MainActor
protocol OutlineSource: AnyObject {
  /// The position of an item in its section's tree; `nil` in a section without a tree.
  func outlinePlace(at path: IndexPath) -> OutlinePlace?
  func outlineParent(of path: IndexPath) -> IndexPath?
  /// Expands or collapses an item for the user.
  func toggleItem(at path: IndexPath)
}

/// The position of an item in the tree of its section.
struct OutlinePlace: Equatable {
  let level: Int
  let isExpanded: Bool
}

extension UICollectionView {
  private var outlineSource: (any OutlineSource)? { dataSource as? any OutlineSource }

  /// Copies the position of an item in its tree to the cell.
  func showOutline(on cell: ListCell, at path: IndexPath) {
    (cell as? UICollectionViewListCell)?.outlinePlace = outlineSource?.outlinePlace(at: path)
  }

  /// Updates the cells of the window after a change of the tree.
  func showOutline() { for row in rows { showOutline(on: row.cell, at: row.indexPath) } }

  func outlineDisclosure(at path: IndexPath) -> UICellAccessory.OutlineDisclosure? {
    (cell(at: path) as? UICollectionViewListCell)?.outlineDisclosure
  }

  func toggle(_ disclosure: UICellAccessory.OutlineDisclosure, at path: IndexPath) {
    if let handler = disclosure.handler { return handler() }
    outlineSource?.toggleItem(at: path)
  }

  func parent(of path: IndexPath) -> IndexPath? { outlineSource?.outlineParent(of: path) }
}
