import Foundation

/// The appearance of a list in a collection, and the actions that swiping an item offers.
///
/// Source: UIKit, `UICollectionLayoutListConfiguration`. Separators and paddings are chosen by the
/// renderer.
@MainActor
public struct UICollectionLayoutListConfiguration {
  /// The style of the list. Grouped styles are drawn as a form.
  public enum Appearance: Int, Sendable {
    case plain, grouped, insetGrouped, sidebar, sidebarPlain

    var isGrouped: Bool { self == .grouped || self == .insetGrouped }
  }

  /// Whether the data source supplies views for the sections' headers.
  public enum HeaderMode: Int, Sendable { case none, supplementary }
  /// Whether the data source supplies views for the sections' footers.
  public enum FooterMode: Int, Sendable { case none, supplementary }

  /// Returns the actions for an item; `nil` is none.
  public typealias SwipeActionsConfigurationProvider =
    (_ indexPath: IndexPath) -> UISwipeActionsConfiguration?

  /// The style of the list.
  public let appearance: Appearance
  /// The source of the sections' headers.
  public var headerMode = HeaderMode.none
  /// The source of the sections' footers.
  public var footerMode = FooterMode.none
  /// Supplies the actions at an item's leading edge.
  public var leadingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  /// Supplies the actions at an item's trailing edge.
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?

  /// Makes a list of this style, without headers, footers and swipe actions.
  public init(appearance: Appearance) { self.appearance = appearance }

  var section: SectionLayout {
    SectionLayout(
      list: self, hasHeader: headerMode == .supplementary,
      hasFooter: footerMode == .supplementary)
  }
}
