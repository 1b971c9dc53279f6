import Foundation

/// Screens side by side, of which a tab bar chooses one.
///
/// Source: UIKit, `UITabBarController`. A tab that was never selected has not loaded its view. All
/// tabs are shown, however many there are: there is no More tab.
open class UITabBarController: UIViewController {
  public let tabBar = UITabBar()
  open weak var delegate: (any UITabBarControllerDelegate)?
  private var selected: UIViewController?

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    tabBar.owner = self
  }

  public required init?(coder: NSCoder) { nil }

  open var viewControllers: [UIViewController]? {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  /// The selected controller stays selected if it is among the new ones, else the first one is.
  open func setViewControllers(_ controllers: [UIViewController]?, animated: Bool) {
    let controllers = controllers ?? []
    let kept = selected.flatMap { controllers.contains($0) ? $0 : nil }
    if kept == nil { select(nil) }
    for child in children where !controllers.contains(child) { child.removeFromParent() }
    for child in controllers where child.parent !== self { addChild(child) }
    children = controllers
    tabBar.items = controllers.map(\.tabBarItem)
    select(kept ?? controllers.first)
  }

  /// `NSNotFound` while there are no tabs.
  open var selectedIndex: Int {
    get { selected.flatMap(children.firstIndex) ?? NSNotFound }
    set { if children.indices.contains(newValue) { select(children[newValue]) } }
  }

  open var selectedViewController: UIViewController? {
    get { selected }
    set { if let newValue, children.contains(newValue) { select(newValue) } }
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let selected { view.addSubview(selected.view) }
    view.addSubview(tabBar)
  }

  /// Setting the selection in code asks and tells no delegate, as in UIKit.
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

  /// The user chose a tab. The one that is selected already goes back to its root.
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

/// Asked and told about the user's choice of a tab; every method has a default.
///
/// Source: UIKit, `UITabBarControllerDelegate`.
@MainActor
public protocol UITabBarControllerDelegate: AnyObject {
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool
  /// Also called for a tab that was selected already.
  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
  public func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { true }
  public func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {}
}
