import Foundation

/// A header or a footer of a section.
///
/// Source: UIKit, `NSCollectionLayoutBoundarySupplementaryItem`.
@MainActor
open class NSCollectionLayoutBoundarySupplementaryItem {
  public enum Alignment: Sendable { case top, bottom }

  public let elementKind: String
  public let alignment: Alignment
  /// Headers stay in sight in any case.
  open var pinToVisibleBounds = false

  public init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: Alignment
  ) {
    self.elementKind = elementKind
    self.alignment = alignment
  }
}

/// Whether a section scrolls sideways, and where it comes to rest.
///
/// Source: UIKit, `UICollectionLayoutSectionOrthogonalScrollingBehavior`.
public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
  /// Its groups stand one below the other.
  case none
  /// Anywhere.
  case continuous
  /// At the start of a group.
  case continuousGroupLeadingBoundary
  /// A whole width further.
  case paging
  /// At the start of the next group.
  case groupPaging
  /// With the next group in the middle.
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

/// A section of a compositional layout: a group that is repeated, or a list.
///
/// Source: UIKit, `NSCollectionLayoutSection`. Insets and scrolling sideways are for groups: a list
/// fills the width.
@MainActor
open class NSCollectionLayoutSection {
  private let group: NSCollectionLayoutGroup?
  private let list: UICollectionLayoutListConfiguration?
  /// The space between groups.
  open var interGroupSpacing: CGFloat = 0
  /// Between the edges of the section and its items; headers and footers keep their places.
  open var contentInsets = NSDirectionalEdgeInsets.zero
  /// The groups of a section that scrolls sideways stand side by side.
  open var orthogonalScrollingBehavior =
    UICollectionLayoutSectionOrthogonalScrollingBehavior.none
  /// Headers and footers, by UIKit's kinds for sections.
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []

  public init(group: NSCollectionLayoutGroup) {
    self.group = group
    list = nil
  }

  init(list: UICollectionLayoutListConfiguration) {
    group = nil
    self.list = list
  }

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
