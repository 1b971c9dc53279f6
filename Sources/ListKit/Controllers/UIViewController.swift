import Foundation
import Undo

/// A screen: it owns a view and is told when that appears and disappears.
///
/// Source: UIKit, `UIViewController`.
open class UIViewController: UIResponder {
  private var storedView: UIView?
  package var appearance = Appearance.disappeared

  public internal(set) weak var parent: UIViewController?
  public internal(set) var children: [UIViewController] = []
  public internal(set) var presentedViewController: UIViewController?
  public internal(set) weak var presentingViewController: UIViewController?

  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// How wide a popover with this content is and how high its content, at most; zero is up to the
  /// renderer.
  open var preferredContentSize = CGSize.zero
  /// A sheet with this content does not go away by Escape or a click beside it.
  open var isModalInPresentation = false
  private lazy var ownPresentationController =
    modalPresentationStyle == .popover
    ? UIPopoverPresentationController(presentedViewController: self)
    : UIPresentationController(presentedViewController: self)
  /// What is between this controller, or the one that contains it, and the user who wants it to go
  /// away.
  public var presentationController: UIPresentationController? {
    parent?.presentationController ?? ownPresentationController
  }
  public private(set) var isEditing = false

  /// Also the title of the controller's tab.
  open var title: String? {
    didSet {
      guard title != oldValue else { return }
      madeTabBarItem?.title = title
      navigationItemDidChange()
    }
  }

  /// What the bar shows for this controller.
  public private(set) lazy var navigationItem: UINavigationItem = {
    let item = UINavigationItem(title: nil)
    item.owner = self
    return item
  }()

  private var madeTabBarItem: UITabBarItem?

  /// The tab that stands for this controller in a tab bar controller.
  open var tabBarItem: UITabBarItem! {
    get {
      let item = madeTabBarItem ?? UITabBarItem(title: title, image: nil, tag: 0)
      madeTabBarItem = item
      return item
    }
    set { madeTabBarItem = newValue }
  }

  /// What this screen is called in the place of its window; see ``ScreenRestoration``.
  open var restorationIdentifier: String?

  /// While this controller is pushed, the tab bar is not shown.
  open var hidesBottomBarWhenPushed = false

  /// Shown by the navigation controller that contains this one.
  let toolbar = UIToolbar()

  /// A button that switches editing on and off.
  public private(set) lazy var editButtonItem = UIBarButtonItem(
    title: "Edit",
    primaryAction: UIAction(title: "Edit") { [weak self] _ in
      guard let self else { return }
      setEditing(!isEditing, animated: true)
    })

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  public override convenience init() { self.init(nibName: nil, bundle: nil) }

  /// Controllers are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  open override var next: UIResponder? {
    viewIfLoaded?.superview ?? parent ?? presentingViewController
  }

  // MARK: View

  /// The view; reading it loads it.
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

  public var viewIfLoaded: UIView? { storedView }
  public var isViewLoaded: Bool { storedView != nil }

  public func loadViewIfNeeded() {
    guard storedView == nil else { return }
    loadView()
    viewDidLoad()
  }

  /// Makes the view: a plain one unless overridden.
  open func loadView() { view = UIView() }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

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

  package func navigationItemDidChange() {
    responderWindow?.record(.barChanged(self))
  }
}

public enum UIModalPresentationStyle: Int, Sendable {
  case automatic = -2
  /// As it is; for `adaptivePresentationStyle(for:)`.
  case none = -1
  case fullScreen = 0
  case pageSheet = 1
  case formSheet = 2
  case popover = 7
}
