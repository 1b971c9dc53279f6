import Foundation
import Undo

/// A screen: it owns a view and hears when the view appears and disappears.
///
/// Source: UIKit, `UIViewController`.
open class UIViewController: UIResponder {
  private var storedView: UIView?
  package var appearance = Appearance.disappeared

  /// The controller that contains this one.
  public internal(set) weak var parent: UIViewController?
  /// The controllers that this one contains.
  public internal(set) var children: [UIViewController] = []
  /// The controller that this one presents.
  public internal(set) var presentedViewController: UIViewController?
  /// The controller that presents this one.
  public internal(set) weak var presentingViewController: UIViewController?

  /// The style in which the controller is presented. Set it before presenting.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// The maximum width of a popover with this content, and the maximum height of its content, in
  /// points; zero leaves them to the renderer.
  open var preferredContentSize = CGSize.zero
  /// Whether a sheet with this content ignores Escape and clicks beside it.
  open var isModalInPresentation = false
  private lazy var ownPresentationController =
    modalPresentationStyle == .popover
    ? UIPopoverPresentationController(presentedViewController: self)
    : UIPresentationController(presentedViewController: self)
  /// The presentation controller of the outermost ancestor, through which the user dismisses it.
  public var presentationController: UIPresentationController? {
    parent?.presentationController ?? ownPresentationController
  }
  /// Whether the screen is in editing mode.
  public private(set) var isEditing = false

  /// The title of the screen, and of the controller's tab.
  open var title: String? {
    didSet {
      guard title != oldValue else { return }
      madeTabBarItem?.title = title
      navigationItemDidChange()
    }
  }

  /// The content of the navigation bar for this controller.
  public private(set) lazy var navigationItem: UINavigationItem = {
    let item = UINavigationItem(title: nil)
    item.owner = self
    return item
  }()

  private var madeTabBarItem: UITabBarItem?

  /// The tab for this controller in a tab bar controller, which shows another one at once.
  open var tabBarItem: UITabBarItem! {
    get {
      let item = madeTabBarItem ?? UITabBarItem(title: title, image: nil, tag: 0)
      madeTabBarItem = item
      return item
    }
    set {
      madeTabBarItem = newValue
      tabBarController?.updateItems()
    }
  }

  /// The screen's name in the path of its window; see ``ScreenRestoration``.
  open var restorationIdentifier: String?

  /// Whether the tab bar is hidden while this controller is in a navigation stack above its root.
  open var hidesBottomBarWhenPushed = false

  /// The toolbar that the enclosing navigation controller shows.
  let toolbar = UIToolbar()

  /// A button that switches editing mode on and off.
  public private(set) lazy var editButtonItem = UIBarButtonItem(
    title: "Edit",
    primaryAction: UIAction(title: "Edit") { [weak self] _ in
      guard let self else { return }
      setEditing(!isEditing, animated: true)
    })

  /// Makes a controller. There are no nib files: both arguments are ignored.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Makes a controller.
  public override convenience init() { self.init(nibName: nil, bundle: nil) }

  /// Controllers are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  open override var next: UIResponder? {
    viewIfLoaded?.superview ?? parent ?? presentingViewController
  }

  // MARK: View

  /// The controller's view. Reading it loads it.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return storedView
    }
    set {
      storedView?.viewController = nil
      storedView = newValue
      newValue?.viewController = self
    }
  }

  /// The view, unless it has not been loaded yet.
  public var viewIfLoaded: UIView? { storedView }
  /// Whether the view has been loaded.
  public var isViewLoaded: Bool { storedView != nil }

  /// Loads the view if needed: `loadView()`, then `viewDidLoad()`.
  public func loadViewIfNeeded() {
    guard storedView == nil else { return }
    loadView()
    viewDidLoad()
  }

  /// Makes the view: an empty one unless overridden.
  open func loadView() { view = UIView() }

  /// Called once, when the view has been loaded.
  open func viewDidLoad() {}
  /// Called before the view is added to the window.
  open func viewWillAppear(_ animated: Bool) {}
  /// Called when the view has been added to the window, before `viewDidAppear(_:)`.
  open func viewIsAppearing(_ animated: Bool) {}
  /// Called when the view has appeared.
  open func viewDidAppear(_ animated: Bool) {}
  /// Called before the view is removed or covered.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Called when the view has been removed or covered.
  open func viewDidDisappear(_ animated: Bool) {}

  /// Sets `isEditing`, and the title of `editButtonItem`: Done or Edit.
  open func setEditing(_ editing: Bool, animated: Bool) {
    isEditing = editing
    editButtonItem.title = editing ? "Done" : "Edit"
    editButtonItem.style = editing ? .done : .plain
  }

  // MARK: For containers

  /// The children that appear and disappear together with this controller.
  package var appearingChildren: [UIViewController] { children }

  /// The child that fills this controller, of containers that show one at a time.
  package var shownChild: UIViewController? { nil }

  /// The children that fill this controller together. More than one stand beside each other.
  package var shownChildren: [UIViewController] { shownChild.map { [$0] } ?? [] }

  /// The children whose sheets are over this controller: also those that are covered.
  package var presentingChildren: [UIViewController] { shownChildren }

  /// Follows the width of the window: columns beside each other in a wide one.
  ///
  /// - Parameter typing: the controller in which something is being typed; it stays in sight.
  package func adapt(toWide isWide: Bool, typing: UIViewController?) {
    for child in children { child.adapt(toWide: isWide, typing: typing) }
  }

  /// Pushes a controller onto the nearest navigation stack; without one, presents it.
  open func show(_ controller: UIViewController, sender: Any?) {
    let navigation = self as? UINavigationController ?? navigationController
    guard let navigation else { return present(controller, animated: true) }
    navigation.pushViewController(controller, animated: true)
  }

  /// Shows a controller in the secondary column of the nearest split view controller; without one,
  /// presents it.
  open func showDetailViewController(_ controller: UIViewController, sender: Any?) {
    if let parent { return parent.showDetailViewController(controller, sender: sender) }
    present(controller, animated: true)
  }

  package func navigationItemDidChange() {
    responderWindow?.record(.barChanged(self))
  }
}

/// The style of a presentation: `fullScreen` hides the presenter, `popover` stands beside its
/// source, `formSheet` is a narrow sheet. All others are drawn as a wide sheet.
///
/// Source: UIKit, `UIModalPresentationStyle`.
public enum UIModalPresentationStyle: Int, Sendable {
  case automatic = -2
  /// No adaptation; an answer of `adaptivePresentationStyle(for:)`.
  case none = -1
  case fullScreen = 0
  case pageSheet = 1
  case formSheet = 2
  case popover = 7
}
