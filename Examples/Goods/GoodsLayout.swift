import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The layouts of the goods.
@MainActor
enum GoodsLayout: String, CaseIterable {
  /// A list with swipe actions.
  case rows = "Rows"
  /// A grid with as many tiles in a line as fit.
  case tiles = "Tiles"
  /// A shelf for each category that scrolls sideways.
  case shelves = "Shelves"

  func made(
    actions: @escaping (IndexPath) -> UISwipeActionsConfiguration?
  ) -> UICollectionViewLayout {
    switch self {
    case .rows: Self.list(actions)
    case .tiles: Self.grid
    case .shelves: UICollectionViewCompositionalLayout(section: Self.shelf)
    }
  }

  private static func list(
    _ actions: @escaping (IndexPath) -> UISwipeActionsConfiguration?
  ) -> UICollectionViewLayout {
    var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
    configuration.headerMode = .supplementary
    configuration.trailingSwipeActionsConfigurationProvider = actions
    return UICollectionViewCompositionalLayout.list(using: configuration)
  }

  private static var grid: UICollectionViewLayout {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 150, height: 88)
    layout.headerReferenceSize = CGSize(width: 0, height: 40)
    return layout
  }

  /// A shelf of columns, each with two goods.
  private static var shelf: NSCollectionLayoutSection {
    let whole = NSCollectionLayoutSize(
      widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(0.5))
    let pair = NSCollectionLayoutGroup.vertical(
      layoutSize: NSCollectionLayoutSize(
        widthDimension: .absolute(190), heightDimension: .absolute(176)),
      repeatingSubitem: NSCollectionLayoutItem(layoutSize: whole), count: 2)
    pair.interItemSpacing = .fixed(8)
    let shelf = NSCollectionLayoutSection(group: pair)
    shelf.interGroupSpacing = 8
    shelf.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    let header = NSCollectionLayoutSize(
      widthDimension: .fractionalWidth(1), heightDimension: .absolute(40))
    shelf.boundarySupplementaryItems = [
      NSCollectionLayoutBoundarySupplementaryItem(
        layoutSize: header, elementKind: UICollectionView.elementKindSectionHeader,
        alignment: .top)
    ]
    return shelf
  }
}
