import Foundation

/// A stack of screens, of which the top one is seen.
///
/// Source: UIKit, `UINavigationController`. Pushing and popping happen at once; the appearance
/// calls come in UIKit's order: old will disappear, new will appear, new is appearing, old did
/// disappear, new did appear.
open class UINavigationController: UIViewController {
  open weak var delegate: (any UINavigationControllerDelegate)?
  /// Whether the toolbar items of the controllers in the stack are not shown.
  open var isToolbarHidden = true {
    didSet { for child in children { _ = child.shownToolbar } }
  }

  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    addChild(rootViewController)
  }

  open var topViewController: UIViewController? { children.last }
  open var visibleViewController: UIViewController? { topViewController?.visibleContent }

  open var viewControllers: [UIViewController] {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  private var hasOwnTabBarItem = false

  /// The first controller's, unless one was set here.
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

  open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
    let isDeeper = controllers.count > children.count
    exchangeTop(animated: animated, isDeeper ? .push : .pop) {
      for child in children where !controllers.contains(child) { child.removeFromParent() }
      children = controllers
      for child in controllers { child.parent = self }
    }
  }

  open func pushViewController(_ controller: UIViewController, animated: Bool) {
    if children.contains(controller) {
      fatalError(
        "Pushing the same view controller instance more than once is not supported (\(controller))")
    }
    exchangeTop(animated: animated, .push) { addChild(controller) }
  }

  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let top = topViewController else { return nil }
    exchangeTop(animated: animated, .pop) { top.removeFromParent() }
    return top
  }

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

  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    children.first.flatMap { popToViewController($0, animated: animated) }
  }

  /// Changes the stack and lets the old and the new top change places on screen.
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
}

/// Source: UIKit, `UINavigationControllerDelegate`; every method has a default that does nothing.
@MainActor
public protocol UINavigationControllerDelegate: AnyObject {
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool)
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool)
}

extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool
  ) {}
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool
  ) {}
}
