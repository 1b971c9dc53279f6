import Foundation

/// What a collection that is a list looks like, and what swiping an item offers.
///
/// Source: UIKit, `UICollectionLayoutListConfiguration`. Separators and paddings are the
/// renderer's.
@MainActor
public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Int, Sendable {
    case plain, grouped, insetGrouped, sidebar, sidebarPlain

    var isGrouped: Bool { self == .grouped || self == .insetGrouped }
  }

  public enum HeaderMode: Int, Sendable { case none, supplementary }
  public enum FooterMode: Int, Sendable { case none, supplementary }

  public typealias SwipeActionsConfigurationProvider =
    (_ indexPath: IndexPath) -> UISwipeActionsConfiguration?

  public let appearance: Appearance
  /// Whether sections have headers, which the data source is asked for.
  public var headerMode = HeaderMode.none
  public var footerMode = FooterMode.none
  public var leadingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?

  public init(appearance: Appearance) { self.appearance = appearance }

  var section: SectionLayout {
    SectionLayout(
      list: self, hasHeader: headerMode == .supplementary,
      hasFooter: footerMode == .supplementary)
  }
}
