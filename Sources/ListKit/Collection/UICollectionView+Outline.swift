import Foundation

/// A data source whose items stand under one another: `UICollectionViewDiffableDataSource`, of
/// whatever types.
@MainActor
protocol OutlineSource: AnyObject {
  /// `nil` in a section without a tree.
  func outlinePlace(at path: IndexPath) -> OutlinePlace?
  func outlineParent(of path: IndexPath) -> IndexPath?
  /// The user opens or closes an item.
  func toggleItem(at path: IndexPath)
}

/// Where an item stands in the tree of its section.
struct OutlinePlace: Equatable {
  let level: Int
  let isExpanded: Bool
}

extension UICollectionView {
  private var outlineSource: (any OutlineSource)? { dataSource as? any OutlineSource }

  /// A cell says how deep it stands, and whether it is open.
  func showOutline(on cell: ListCell, at path: IndexPath) {
    (cell as? UICollectionViewListCell)?.outlinePlace = outlineSource?.outlinePlace(at: path)
  }

  /// The tree has changed: so do the cells that there are.
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
