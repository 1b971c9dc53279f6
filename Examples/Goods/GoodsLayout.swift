import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// What the goods look like.
@MainActor
enum GoodsLayout {
  /// One below the other, with what swiping offers.
  static func list(
    actions: @escaping (IndexPath) -> UISwipeActionsConfiguration?
  ) -> UICollectionViewLayout {
    var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
    configuration.headerMode = .supplementary
    configuration.trailingSwipeActionsConfigurationProvider = actions
    return UICollectionViewCompositionalLayout.list(using: configuration)
  }

  /// Tiles, as many in a line as there is room for.
  static var grid: UICollectionViewLayout {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 150, height: 88)
    layout.headerReferenceSize = CGSize(width: 0, height: 40)
    return layout
  }
}
