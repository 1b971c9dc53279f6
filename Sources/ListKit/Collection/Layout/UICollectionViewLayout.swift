import Foundation

/// How a collection lays its items out.
///
/// Source: UIKit, `UICollectionViewLayout`. There are no pixels here: a layout says how many items
/// stand side by side and how high they are, and a renderer that knows its width does the rest.
/// Layouts of one's own that compute attributes are not there.
@MainActor
open class UICollectionViewLayout: NSObject {
  public internal(set) weak var collectionView: UICollectionView?

  /// Something that the layout depends on has changed: everything is drawn anew.
  open func invalidateLayout() { collectionView?.layoutChanged() }

  func layout(ofSection section: Int) -> SectionLayout { SectionLayout() }
}

/// What a layout says of a section.
@MainActor
struct SectionLayout {
  /// For a list; `nil` for a grid.
  var list: UICollectionLayoutListConfiguration?
  /// For a grid; `nil` for items one below the other.
  var grid: ListGrid?
  var hasHeader = false
  var hasFooter = false
}
