/// A tab of a tab bar.
///
/// Source: UIKit, `UITabBarItem`.
@MainActor
open class UITabBarItem {
  /// The bar that shows the tab.
  package internal(set) weak var bar: UITabBar?

  /// The title of the tab.
  open var title: String? { didSet { if title != oldValue { didChange() } } }
  /// The picture of the tab.
  open var image: UIImage?
  /// A number for the application's use.
  open var tag: Int
  /// A short text beside the title, such as a count.
  open var badgeValue: String? { didSet { if badgeValue != oldValue { didChange() } } }
  /// Whether the user can select the tab.
  open var isEnabled = true { didSet { if isEnabled != oldValue { didChange() } } }
  /// The name that assistive technology reads instead of the title.
  open var accessibilityLabel: String? { didSet { didChange() } }

  /// Makes a tab.
  public init(title: String?, image: UIImage?, tag: Int) {
    self.title = title
    self.image = image
    self.tag = tag
  }

  private func didChange() { bar?.setNeedsDisplay() }
}
