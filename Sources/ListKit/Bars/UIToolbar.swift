import Foundation

/// A bar of buttons at the end of a screen.
///
/// Source: UIKit, `UIToolbar`.
open class UIToolbar: UIView {
  /// Tells the toolbar when one of its buttons changes.
  private final class Items: UINavigationItem {
    weak var toolbar: UIToolbar?
    override func didChange() { toolbar?.setNeedsDisplay() }
  }

  private let told = Items(title: nil)

  open var items: [UIBarButtonItem]? {
    didSet {
      told.toolbar = self
      for item in items ?? [] { item.navigationItem = told }
      isHidden = (items ?? []).isEmpty
      setNeedsDisplay()
    }
  }

  open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) { self.items = items }
}

extension UIBarButtonItem {
  /// Takes the room that is left between its neighbours in a toolbar.
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

  public func setToolbarItems(_ items: [UIBarButtonItem]?, animated: Bool) { toolbarItems = items }

  /// The toolbar to draw with this controller's content, perhaps hidden. It hangs in the navigation
  /// controller's tree, so that the renderer is told of its changes.
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
  public func setToolbarHidden(_ hidden: Bool, animated: Bool) { isToolbarHidden = hidden }
}
