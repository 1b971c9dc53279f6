// Layouts of collections.

@MainActor open class UICollectionViewLayout: NSObject {
  open var collectionView: UICollectionView? { stub() }
  open func invalidateLayout() { stub() }
}

@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  open var itemSize: CGSize {
    get { stub() }
    set { stub() }
  }
  open var minimumInteritemSpacing: CGFloat {
    get { stub() }
    set { stub() }
  }
  open var minimumLineSpacing: CGFloat {
    get { stub() }
    set { stub() }
  }
  open var headerReferenceSize: CGSize {
    get { stub() }
    set { stub() }
  }
  open var footerReferenceSize: CGSize {
    get { stub() }
    set { stub() }
  }
}

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  public init(section: NSCollectionLayoutSection) { stub() }
  public static func list(using configuration: UICollectionLayoutListConfiguration)
    -> UICollectionViewCompositionalLayout
  { stub() }
}

@MainActor public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Int, Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
  public enum HeaderMode: Int, Sendable { case none, supplementary, firstItemInSection }
  public enum FooterMode: Int, Sendable { case none, supplementary }
  public typealias SwipeActionsConfigurationProvider =
    (_ indexPath: IndexPath) -> UISwipeActionsConfiguration?
  public init(appearance: UICollectionLayoutListConfiguration.Appearance) { stub() }
  public var headerMode: HeaderMode
  public var footerMode: FooterMode
  public var leadingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
}

@MainActor open class NSCollectionLayoutDimension: NSObject {
  open class func fractionalWidth(_ fractionalWidth: CGFloat) -> Self { stub() }
  open class func fractionalHeight(_ fractionalHeight: CGFloat) -> Self { stub() }
  open class func absolute(_ absoluteDimension: CGFloat) -> Self { stub() }
  open class func estimated(_ estimatedDimension: CGFloat) -> Self { stub() }
}

@MainActor open class NSCollectionLayoutSize: NSObject {
  public convenience init(
    widthDimension width: NSCollectionLayoutDimension,
    heightDimension height: NSCollectionLayoutDimension
  ) { stub() }
}

@MainActor open class NSCollectionLayoutSpacing: NSObject {
  open class func flexible(_ flexibleSpacing: CGFloat) -> Self { stub() }
  open class func fixed(_ fixedSpacing: CGFloat) -> Self { stub() }
}

@MainActor open class NSCollectionLayoutItem: NSObject {
  public convenience init(layoutSize: NSCollectionLayoutSize) { stub() }
  open var contentInsets: NSDirectionalEdgeInsets {
    get { stub() }
    set { stub() }
  }
}

public struct NSDirectionalEdgeInsets: Sendable {
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) { stub() }
}

public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
  case none, continuous, continuousGroupLeadingBoundary, paging, groupPaging, groupPagingCentered
}

@MainActor open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
  open class func horizontal(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> Self { stub() }
  open class func horizontal(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> Self { stub() }
  open class func vertical(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> Self { stub() }
  open class func vertical(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> Self { stub() }
  open var interItemSpacing: NSCollectionLayoutSpacing?
}

public struct NSRectAlignment: RawRepresentable, Sendable {
  public let rawValue: Int
  public init?(rawValue: Int) { self.rawValue = rawValue }
  public static var top: NSRectAlignment { stub() }
  public static var bottom: NSRectAlignment { stub() }
}

@MainActor open class NSCollectionLayoutSupplementaryItem: NSCollectionLayoutItem {}

@MainActor
open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem {
  public convenience init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment
  ) { stub() }
  open var pinToVisibleBounds = false
}

@MainActor open class NSCollectionLayoutSection: NSObject {
  public convenience init(group: NSCollectionLayoutGroup) { stub() }
  open var interGroupSpacing: CGFloat = 0
  open var contentInsets: NSDirectionalEdgeInsets {
    get { stub() }
    set { stub() }
  }
  open var orthogonalScrollingBehavior: UICollectionLayoutSectionOrthogonalScrollingBehavior {
    get { stub() }
    set { stub() }
  }
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
}
