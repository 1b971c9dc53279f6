@MainActor public enum UIModalPresentationStyle: Int, Sendable {
  case automatic = -2
  case none = -1
  case fullScreen = 0
  case pageSheet = 1
  case formSheet = 2
  case popover = 7
}

@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { stub() }
  public override convenience init() { stub() }
  open var view: UIView! { didSet {} }
  open var viewIfLoaded: UIView? { stub() }
  open var isViewLoaded: Bool { stub() }
  open func loadView() { stub() }
  open func loadViewIfNeeded() { stub() }
  open func viewDidLoad() { stub() }
  open func viewWillAppear(_ animated: Bool) { stub() }
  open func viewIsAppearing(_ animated: Bool) { stub() }
  open func viewDidAppear(_ animated: Bool) { stub() }
  open func viewWillDisappear(_ animated: Bool) { stub() }
  open func viewDidDisappear(_ animated: Bool) { stub() }
  open var title: String?
  open var parent: UIViewController? { stub() }
  open var children: [UIViewController] { stub() }
  open var presentedViewController: UIViewController? { stub() }
  open var presentingViewController: UIViewController? { stub() }
  open var presentationController: UIPresentationController? { stub() }
  open var modalPresentationStyle: UIModalPresentationStyle = .automatic
  open var isModalInPresentation = false
  open var preferredContentSize: CGSize {
    get { stub() }
    set { stub() }
  }
  open var popoverPresentationController: UIPopoverPresentationController? { stub() }
  open var isEditing = false
  open func setEditing(_ editing: Bool, animated: Bool) { stub() }
  open var editButtonItem: UIBarButtonItem { stub() }
  open var restorationIdentifier: String?
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) { stub() }
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) { stub() }
  open var navigationItem: UINavigationItem { stub() }
  open var navigationController: UINavigationController? { stub() }
  open var tabBarController: UITabBarController? { stub() }
  open var tabBarItem: UITabBarItem! = nil
  open var hidesBottomBarWhenPushed = false
  open var toolbarItems: [UIBarButtonItem]?
  open var definesPresentationContext = false
}

@MainActor open class UIBarItem: NSObject {
  open var isEnabled = true
  open var title: String?
  open var image: UIImage?
  open var tag = 0
  public var accessibilityLabel: String? {
    get { stub() }
    set { stub() }
  }
}

@MainActor open class UIBarButtonItem: UIBarItem {
  public enum SystemItem: Int, Sendable {
    case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action
    case organize, bookmarks, search, refresh, stop, camera, trash, play, pause, rewind
    case fastForward, undo, redo
  }
  public enum Style: Int, Sendable {
    case plain = 0
    case done = 2
  }
  public convenience init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil
  ) { stub() }
  public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) { stub() }
  open var style: Style = .plain
  open var primaryAction: UIAction?
  open class func flexibleSpace() -> Self { stub() }
}

@MainActor open class UINavigationItem: NSObject {
  public init(title: String) { stub() }
  open var title: String?
  open var prompt: String?
  open var backButtonTitle: String?
  open var hidesBackButton = false
  open var leftBarButtonItems: [UIBarButtonItem]?
  open var rightBarButtonItems: [UIBarButtonItem]?
  open var leftBarButtonItem: UIBarButtonItem?
  open var rightBarButtonItem: UIBarButtonItem?
  open var searchController: UISearchController?
  open var hidesSearchBarWhenScrolling = true
}

@MainActor open class UINavigationController: UIViewController {
  public init(rootViewController: UIViewController) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var viewControllers: [UIViewController] = []
  open var topViewController: UIViewController? { stub() }
  open var visibleViewController: UIViewController? { stub() }
  open func pushViewController(_ viewController: UIViewController, animated: Bool) { stub() }
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? { stub() }
  @discardableResult
  open func popToViewController(
    _ viewController: UIViewController, animated: Bool
  ) -> [UIViewController]? { stub() }
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? { stub() }
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) { stub() }
  open var isToolbarHidden = true
  open func setToolbarHidden(_ hidden: Bool, animated: Bool) { stub() }
  open weak var delegate: (any UINavigationControllerDelegate)?
}

@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool)
}
extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool
  ) { stub() }
}

@MainActor open class UISplitViewController: UIViewController {
  public enum Style: Int, Sendable { case unspecified, doubleColumn, tripleColumn }
  public enum Column: Int, Sendable { case primary, supplementary, secondary, compact }
  public enum DisplayMode: Int, Sendable {
    case automatic, secondaryOnly, oneBesideSecondary, oneOverSecondary, twoBesideSecondary
    case twoOverSecondary, twoDisplaceSecondary
  }
  public init(style: Style) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var style: Style { stub() }
  open weak var delegate: (any UISplitViewControllerDelegate)?
  open var isCollapsed: Bool { stub() }
  open var preferredDisplayMode = DisplayMode.automatic
  open var displayMode: DisplayMode { stub() }
  open var viewControllers: [UIViewController] = []
  open func setViewController(_ vc: UIViewController?, for column: Column) { stub() }
  open func viewController(for column: Column) -> UIViewController? { stub() }
  open func show(_ column: Column) { stub() }
  open func hide(_ column: Column) { stub() }
}

@MainActor public protocol UISplitViewControllerDelegate: NSObjectProtocol {
  func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column
  func splitViewControllerDidCollapse(_ svc: UISplitViewController)
  func splitViewControllerDidExpand(_ svc: UISplitViewController)
  func splitViewController(
    _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode)
}
extension UISplitViewControllerDelegate {
  public func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column { stub() }
  public func splitViewControllerDidCollapse(_ svc: UISplitViewController) { stub() }
  public func splitViewControllerDidExpand(_ svc: UISplitViewController) { stub() }
  public func splitViewController(
    _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode
  ) { stub() }
}
extension UIViewController {
  public var splitViewController: UISplitViewController? { stub() }
  public func showDetailViewController(_ vc: UIViewController, sender: Any?) { stub() }
}

@MainActor open class UITabBarItem: UIBarItem {
  public convenience init(title: String?, image: UIImage?, tag: Int) { stub() }
  open var badgeValue: String?
}
@MainActor open class UITabBarController: UIViewController {
  open var viewControllers: [UIViewController]?
  open var selectedIndex = 0
  open var selectedViewController: UIViewController?
  open weak var delegate: (any UITabBarControllerDelegate)?
}
@MainActor public protocol UITabBarControllerDelegate: NSObjectProtocol {
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool
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

@MainActor open class UIPresentationController: NSObject {
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
  open var presentedViewController: UIViewController { stub() }
}

@MainActor public protocol UIPopoverPresentationControllerSourceItem: NSObjectProtocol {}
extension UIView: UIPopoverPresentationControllerSourceItem {}
extension UIBarButtonItem: UIPopoverPresentationControllerSourceItem {}

public struct UIPopoverArrowDirection: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static var up: UIPopoverArrowDirection { stub() }
  public static var down: UIPopoverArrowDirection { stub() }
  public static var left: UIPopoverArrowDirection { stub() }
  public static var right: UIPopoverArrowDirection { stub() }
  public static var any: UIPopoverArrowDirection { stub() }
}

@MainActor open class UIPopoverPresentationController: UIPresentationController {
  open weak var sourceView: UIView?
  open weak var sourceItem: (any UIPopoverPresentationControllerSourceItem)?
  open var permittedArrowDirections: UIPopoverArrowDirection {
    get { stub() }
    set { stub() }
  }
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerShouldDismiss(_ presentationController: UIPresentationController)
    -> Bool
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController)
}
extension UIAdaptivePresentationControllerDelegate {
  public func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool { true }
  public func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  {}
  public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
  }
  public func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {}
}

@MainActor open class UIAlertAction: NSObject {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }
  public convenience init(
    title: String?, style: UIAlertAction.Style, handler: ((UIAlertAction) -> Void)? = nil
  ) { stub() }
  open var title: String? { stub() }
  open var isEnabled = true
}
@MainActor open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }
  public convenience init(
    title: String?, message: String?, preferredStyle: UIAlertController.Style
  ) { stub() }
  open func addAction(_ action: UIAlertAction) { stub() }
  open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) { stub() }
  open var actions: [UIAlertAction] { stub() }
  open var textFields: [UITextField]? { stub() }
  open var preferredAction: UIAlertAction?
  open var message: String?
}

@MainActor open class UISearchBar: UIView {
  open var text: String?
  open var placeholder: String?
}
@MainActor open class UISearchController: UIViewController {
  public init(searchResultsController: UIViewController?) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
  open var searchBar: UISearchBar { stub() }
  open var isActive = false
  open var obscuresBackgroundDuringPresentation = true
}
@MainActor public protocol UISearchResultsUpdating: NSObjectProtocol {
  func updateSearchResults(for searchController: UISearchController)
}
