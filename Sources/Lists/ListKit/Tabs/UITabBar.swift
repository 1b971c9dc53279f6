import Foundation

/// A row of tabs, of which one is selected.
///
/// A renderer shows it at the bottom of the window, where it stays while the rest scrolls.
///
/// Source: UIKit, `UITabBar`. The bar of a `UITabBarController` belongs to the controller, which
/// sets its items and its selection.
open class UITabBar: UIView {
  /// Hears of the user's selection. Not called for the bar of a `UITabBarController`.
  open weak var delegate: (any UITabBarDelegate)?
  /// The tab bar controller that owns the bar.
  weak var owner: UITabBarController?

  /// The tabs, in order.
  open var items: [UITabBarItem]? {
    didSet {
      for item in oldValue ?? [] where item.bar === self { item.bar = nil }
      for item in items ?? [] { item.bar = self }
      setNeedsDisplay()
    }
  }

  /// The selected tab.
  open var selectedItem: UITabBarItem? {
    didSet { if selectedItem !== oldValue { setNeedsDisplay() } }
  }

  /// Sets `items`; nothing is animated.
  open func setItems(_ items: [UITabBarItem]?, animated: Bool) { self.items = items }

  /// Selects a tab for the user. Does nothing for a disabled one.
  package func choose(_ item: UITabBarItem) {
    guard item.isEnabled, items?.contains(where: { $0 === item }) ?? false else { return }
    if let owner { return owner.choose(item) }
    selectedItem = item
    delegate?.tabBar(self, didSelect: item)
  }
}

/// Hears which tab the user selects. The method has a default that does nothing.
///
/// Source: UIKit, `UITabBarDelegate`.
@MainActor
public protocol UITabBarDelegate: AnyObject {
  /// Called when the user has selected a tab.
  func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem)
}

extension UITabBarDelegate {
  /// Does nothing.
  public func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem) {}
}
