import Foundation

/// A header or a footer of a section.
///
/// Source: UIKit, `NSCollectionLayoutBoundarySupplementaryItem`.
@MainActor
open class NSCollectionLayoutBoundarySupplementaryItem {
  /// The edge of the section at which the item stands.
  public enum Alignment: Sendable { case top, bottom }

  /// The kind for which the data source is asked.
  public let elementKind: String
  /// The edge of the section at which the item stands.
  public let alignment: Alignment
  /// Whether the item stays visible while its section scrolls. Ignored: headers always do.
  open var pinToVisibleBounds = false

  /// Makes a header or a footer. Its size is chosen by the renderer.
  public init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: Alignment
  ) {
    self.elementKind = elementKind
    self.alignment = alignment
  }
}

/// How a section scrolls sideways, and where it comes to rest.
///
/// Source: UIKit, `UICollectionLayoutSectionOrthogonalScrollingBehavior`.
public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
  /// Does not scroll sideways: groups stand one below the other.
  case none
  /// Comes to rest anywhere.
  case continuous
  /// Comes to rest at the leading edge of a group.
  case continuousGroupLeadingBoundary
  /// Scrolls by whole widths of the collection.
  case paging
  /// Scrolls by one group, to its leading edge.
  case groupPaging
  /// Scrolls by one group, which comes to rest in the middle.
  case groupPagingCentered

  var sideways: ListGrid.Sideways? {
    switch self {
    case .none: nil
    case .continuous: .free
    case .continuousGroupLeadingBoundary: .toGroup
    case .paging: .byPage
    case .groupPaging: .byGroup
    case .groupPagingCentered: .byCenteredGroup
    }
  }
}

/// A section of a compositional layout: a repeated group, or a list.
///
/// Source: UIKit, `NSCollectionLayoutSection`. Insets and sideways scrolling work for groups only:
/// a list fills the width.
@MainActor
open class NSCollectionLayoutSection {
  private let group: NSCollectionLayoutGroup?
  private let list: UICollectionLayoutListConfiguration?
  /// The space between groups, in points.
  open var interGroupSpacing: CGFloat = 0
  /// Distances from the edges of the section to its items. Headers and footers are not inset.
  open var contentInsets = NSDirectionalEdgeInsets.zero
  /// How the section scrolls sideways. Except with `.none`, its groups stand side by side.
  open var orthogonalScrollingBehavior =
    UICollectionLayoutSectionOrthogonalScrollingBehavior.none
  /// Headers and footers; only UIKit's two kinds of section are drawn.
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []

  /// Makes a section that repeats `group` for all its items.
  public init(group: NSCollectionLayoutGroup) {
    self.group = group
    list = nil
  }

  init(list: UICollectionLayoutListConfiguration) {
    group = nil
    self.list = list
  }

  /// Makes a section that is a list. The environment is ignored.
  public static func list(
    using configuration: UICollectionLayoutListConfiguration,
    layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection { NSCollectionLayoutSection(list: configuration) }

  var layout: SectionLayout {
    var layout = list?.section ?? SectionLayout()
    layout.grid = group.map { group in
      ListGrid(
        pattern: group.pattern, spacing: Double(interGroupSpacing),
        insets: ListGrid.Insets(contentInsets), sideways: orthogonalScrollingBehavior.sideways)
    }
    let kinds = boundarySupplementaryItems.map(\.elementKind)
    if kinds.contains(UICollectionView.elementKindSectionHeader) { layout.hasHeader = true }
    if kinds.contains(UICollectionView.elementKindSectionFooter) { layout.hasFooter = true }
    return layout
  }
}
