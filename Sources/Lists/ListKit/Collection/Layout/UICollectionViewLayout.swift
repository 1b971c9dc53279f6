import Foundation

/// The arrangement of a collection's items.
///
/// Source: UIKit, `UICollectionViewLayout`. There are no pixels here: a layout has the number of
/// items side by side and their heights, and a renderer that knows its width does the rest. Custom
/// layouts that compute attributes are not supported.
@MainActor
open class UICollectionViewLayout: NSObject {
  /// The collection view that uses this layout.
  public internal(set) weak var collectionView: UICollectionView?

  /// Reads the layout again and redraws the collection.
  open func invalidateLayout() { collectionView?.layoutChanged() }

  func layout(ofSection section: Int) -> SectionLayout { SectionLayout() }
}

/// The layout of one section.
@MainActor
struct SectionLayout {
  /// The configuration of a list; `nil` for a grid.
  var list: UICollectionLayoutListConfiguration?
  /// The pattern of a grid; `nil` for items one below the other.
  var grid: ListGrid?
  var hasHeader = false
  var hasFooter = false
}
