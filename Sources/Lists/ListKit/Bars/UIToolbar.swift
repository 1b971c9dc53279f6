import Foundation

/// A bar of buttons at the bottom of a screen.
///
/// Source: UIKit, `UIToolbar`.
open class UIToolbar: UIView {
  /// Redraws the toolbar when one of its buttons changes.
  private final class Items: UINavigationItem {
    weak var toolbar: UIToolbar?
    override func didChange() { toolbar?.setNeedsDisplay() }
  }

  private let told = Items(title: nil)

  /// The buttons, from the leading edge on. The bar is hidden while there are none.
  open var items: [UIBarButtonItem]? {
    didSet {
      told.toolbar = self
      for item in items ?? [] { item.navigationItem = told }
      isHidden = (items ?? []).isEmpty
      setNeedsDisplay()
    }
  }

  /// Sets `items`; nothing is animated.
  open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) { self.items = items }
}

extension UIBarButtonItem {
  /// A spacer that uses the room left between its neighbours in a toolbar.
  public static func flexibleSpace() -> UIBarButtonItem {
    UIBarButtonItem(systemItem: .flexibleSpace)
  }
}

extension UIViewController {
  /// The buttons of the navigation controller's toolbar while this controller is shown.
  public var toolbarItems: [UIBarButtonItem]? {
    get { toolbar.items }
    set { toolbar.items = newValue }
  }

  /// Sets `toolbarItems`; nothing is animated.
  public func setToolbarItems(_ items: [UIBarButtonItem]?, animated: Bool) { toolbarItems = items }

  /// The toolbar to draw with this controller's content; hidden when it has no items. It is a
  /// subview of the navigation controller's view, so that the renderer sees its changes.
  package var shownToolbar: UIToolbar? {
    guard let navigationController else { return nil }
    if toolbar.superview !== navigationController.view {
      navigationController.view.addSubview(toolbar)
    }
    toolbar.isHidden = navigationController.isToolbarHidden || (toolbarItems ?? []).isEmpty
    return toolbar
  }
}

extension UINavigationController {
  /// Shows or hides the toolbar; nothing is animated.
  public func setToolbarHidden(_ hidden: Bool, animated: Bool) { isToolbarHidden = hidden }
}
