import Foundation

/// A stack of controllers, of which the top one is visible.
///
/// Source: UIKit, `UINavigationController`. Pushing and popping happen at once. The order of the
/// appearance calls is UIKit's: old will disappear, new will appear, new is appearing, old did
/// disappear, new did appear.
open class UINavigationController: UIViewController {
  /// Hears which controller is shown.
  open weak var delegate: (any UINavigationControllerDelegate)?
  /// Whether the toolbar items of the controllers in the stack are hidden. True by default.
  open var isToolbarHidden = true {
    didSet { for child in children { _ = child.shownToolbar } }
  }

  /// Makes a stack with one controller, which cannot be popped.
  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    addChild(rootViewController)
  }

  /// The controller on top of the stack.
  open var topViewController: UIViewController? { children.last }
  /// The controller whose content is visible: the top one, or the one that it contains or presents.
  open var visibleViewController: UIViewController? { topViewController?.visibleContent }

  /// The controllers of the stack, from the root to the top.
  open var viewControllers: [UIViewController] {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  private var hasOwnTabBarItem = false

  /// The root controller's tab, unless one was set on the navigation controller.
  open override var tabBarItem: UITabBarItem! {
    get { hasOwnTabBarItem ? super.tabBarItem : children.first?.tabBarItem ?? super.tabBarItem }
    set {
      hasOwnTabBarItem = true
      super.tabBarItem = newValue
    }
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let top = topViewController { view.addSubview(top.view) }
  }

  /// Replaces the stack. The transition is a push for a longer stack, else a pop.
  open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
    let isDeeper = controllers.count > children.count
    exchangeTop(animated: animated, isDeeper ? .push : .pop) {
      for child in children where !controllers.contains(child) { child.removeFromParent() }
      children = controllers
      for child in controllers { child.parent = self }
    }
  }

  /// Puts a controller on top of the stack. Traps for a controller that is in the stack already.
  open func pushViewController(_ controller: UIViewController, animated: Bool) {
    if children.contains(controller) {
      fatalError(
        "Pushing the same view controller instance more than once is not supported (\(controller))")
    }
    exchangeTop(animated: animated, .push) { addChild(controller) }
  }

  /// Removes the top controller and returns it; `nil` when only the root is left.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let top = topViewController else { return nil }
    exchangeTop(animated: animated, .pop) { top.removeFromParent() }
    return top
  }

  /// Removes the controllers above `controller` and returns them from the lowest on; `nil` when it
  /// is not in the stack.
  @discardableResult
  open func popToViewController(
    _ controller: UIViewController, animated: Bool
  ) -> [UIViewController]? {
    guard let index = children.firstIndex(of: controller) else { return nil }
    let popped = Array(children[(index + 1)...])
    if popped.isEmpty { return [] }
    exchangeTop(animated: animated, .pop) { for child in popped { child.removeFromParent() } }
    return popped
  }

  /// Removes all controllers but the root and returns them; `nil` for an empty stack.
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    children.first.flatMap { popToViewController($0, animated: animated) }
  }

  /// Changes the stack, and replaces the old top controller by the new one on the screen.
  private func exchangeTop(
    animated: Bool, _ transition: ScreenTransition, _ change: () -> Void
  ) {
    let old = topViewController
    change()
    guard isViewLoaded, let new = topViewController, new !== old else { return }
    delegate?.navigationController(self, willShow: new, animated: animated)
    guard appearance == .appeared || appearance == .appearing else {
      old?.viewIfLoaded?.removeFromSuperview()
      view.addSubview(new.view)
      return
    }
    AppearanceTransition.exchange(old, for: new, in: view, animated: animated)
    delegate?.navigationController(self, didShow: new, animated: animated)
    view.window?.record(.screenChanged(transition))
  }

  package override var appearingChildren: [UIViewController] {
    topViewController.map { [$0] } ?? []
  }

  package override var shownChild: UIViewController? { topViewController }
  package override var presentingChildren: [UIViewController] { children }
}

/// Hears which controller a navigation controller shows. Every method has a default that does
/// nothing.
///
/// Source: UIKit, `UINavigationControllerDelegate`.
@MainActor
public protocol UINavigationControllerDelegate: AnyObject {
  /// Called before a controller's view is shown on top of the stack.
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool)
  /// Called when a controller's view has been shown on top of the stack.
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool)
}

extension UINavigationControllerDelegate {
  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool
  ) {}
  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool
  ) {}
}
