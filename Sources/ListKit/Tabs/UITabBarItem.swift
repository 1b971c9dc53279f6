/// A tab of a tab bar.
///
/// Source: UIKit, `UITabBarItem`.
@MainActor
open class UITabBarItem {
  /// The bar that shows the item.
  package internal(set) weak var bar: UITabBar?

  open var title: String? { didSet { if title != oldValue { didChange() } } }
  open var image: UIImage?
  /// Free for the application's use.
  open var tag: Int
  /// A short text beside the title, such as a count.
  open var badgeValue: String? { didSet { if badgeValue != oldValue { didChange() } } }
  open var isEnabled = true { didSet { if isEnabled != oldValue { didChange() } } }
  open var accessibilityLabel: String? { didSet { didChange() } }

  public init(title: String?, image: UIImage?, tag: Int) {
    self.title = title
    self.image = image
    self.tag = tag
  }

  private func didChange() { bar?.setNeedsDisplay() }
}
