import Foundation

/// Controllers side by side, of which a tab bar shows one.
///
/// Source: UIKit, `UITabBarController`. The view of a tab is loaded when it is first selected. All
/// tabs are shown, regardless of their number: there is no More tab.
open class UITabBarController: UIViewController {
  /// The tab bar. It is owned by the controller: do not change its items.
  public let tabBar = UITabBar()
  /// Decides about and hears of the user's selection.
  open weak var delegate: (any UITabBarControllerDelegate)?
  private var selected: UIViewController?

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    tabBar.owner = self
  }

  public required init?(coder: NSCoder) { nil }

  /// The controllers of the tabs, in order.
  open var viewControllers: [UIViewController]? {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  /// Replaces the controllers. The selected one stays selected if it is among the new ones;
  /// otherwise the first one is selected.
  open func setViewControllers(_ controllers: [UIViewController]?, animated: Bool) {
    let controllers = controllers ?? []
    let kept = selected.flatMap { controllers.contains($0) ? $0 : nil }
    if kept == nil { select(nil) }
    for child in children where !controllers.contains(child) { child.removeFromParent() }
    for child in controllers where child.parent !== self { addChild(child) }
    children = controllers
    updateItems()
    select(kept ?? controllers.first)
  }

  /// Shows the tabs of the controllers, which may have got others.
  func updateItems() {
    tabBar.items = children.map(\.tabBarItem)
    tabBar.selectedItem = selected?.tabBarItem
  }

  /// The index of the selected tab; `NSNotFound` while there are no tabs. An index out of bounds is
  /// ignored.
  open var selectedIndex: Int {
    get { selected.flatMap(children.firstIndex) ?? NSNotFound }
    set { if children.indices.contains(newValue) { select(children[newValue]) } }
  }

  /// The controller of the selected tab. Setting one that is in no tab is ignored.
  open var selectedViewController: UIViewController? {
    get { selected }
    set { if let newValue, children.contains(newValue) { select(newValue) } }
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let selected { view.addSubview(selected.view) }
    view.addSubview(tabBar)
  }

  /// Selects a controller in code, which calls no delegate, as in UIKit.
  private func select(_ new: UIViewController?) {
    let old = selected
    guard new !== old else { return }
    selected = new
    tabBar.selectedItem = new?.tabBarItem
    guard isViewLoaded else { return }
    guard appearance == .appeared || appearance == .appearing else {
      old?.viewIfLoaded?.removeFromSuperview()
      if let new { view.insertSubview(new.view, at: 0) }
      return
    }
    AppearanceTransition.switchTab(old, to: new, in: view)
    view.window?.record(.screenChanged(.replace))
  }

  /// Selects a tab for the user. Selecting the selected tab pops its navigation stack to the root.
  func choose(_ item: UITabBarItem) {
    guard let controller = children.first(where: { $0.tabBarItem === item }),
      delegate?.tabBarController(self, shouldSelect: controller) ?? true
    else { return }
    if controller === selected {
      (controller as? UINavigationController)?.popToRootViewController(animated: true)
    } else {
      select(controller)
    }
    delegate?.tabBarController(self, didSelect: controller)
  }

  package override var appearingChildren: [UIViewController] { selected.map { [$0] } ?? [] }

  package override var shownChild: UIViewController? { selected }
}

/// Decides about and hears of the user's selection of a tab. Every method has a default.
///
/// Source: UIKit, `UITabBarControllerDelegate`.
@MainActor
public protocol UITabBarControllerDelegate: AnyObject {
  /// Whether the user may select a tab; true by default.
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool
  /// Called when the user has selected a tab, also one that was selected already.
  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
  /// Returns true.
  public func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { true }
  /// Does nothing.
  public func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {}
}
