import Foundation

/// A row of tabs, of which one is selected.
///
/// A renderer shows it at the end of the window, where it stays while the rest scrolls.
///
/// Source: UIKit, `UITabBar`. The bar of a `UITabBarController` belongs to that: its items and its
/// selection follow the controller's.
open class UITabBar: UIView {
  open weak var delegate: (any UITabBarDelegate)?
  /// The controller whose bar this is.
  weak var owner: UITabBarController?

  open var items: [UITabBarItem]? {
    didSet {
      for item in oldValue ?? [] where item.bar === self { item.bar = nil }
      for item in items ?? [] { item.bar = self }
      setNeedsDisplay()
    }
  }

  open var selectedItem: UITabBarItem? {
    didSet { if selectedItem !== oldValue { setNeedsDisplay() } }
  }

  open func setItems(_ items: [UITabBarItem]?, animated: Bool) { self.items = items }

  /// What a renderer calls when the user chose a tab.
  package func choose(_ item: UITabBarItem) {
    guard item.isEnabled, items?.contains(where: { $0 === item }) ?? false else { return }
    if let owner { return owner.choose(item) }
    selectedItem = item
    delegate?.tabBar(self, didSelect: item)
  }
}

/// Told which tab the user chose; the method has a default that does nothing.
///
/// Source: UIKit, `UITabBarDelegate`.
@MainActor
public protocol UITabBarDelegate: AnyObject {
  func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem)
}

extension UITabBarDelegate {
  public func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem) {}
}
