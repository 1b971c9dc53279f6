import Foundation

/// Two or three columns beside each other in a wide window, and one stack in a narrow one.
///
/// In a narrow window the interface is collapsed: the controllers of the columns stand in one
/// navigation stack, from the primary column's root on. When the window grows wide again, each
/// goes back to its column with what was pushed above it. A controller that the user has left by
/// Back in the meantime is no longer in its column.
///
/// Source: UIKit, `UISplitViewController`. Columns stand beside each other in every display mode:
/// none lies over another.
open class UISplitViewController: UIViewController {
  /// The number of columns.
  public enum Style: Int, Sendable {
    case unspecified
    /// A primary and a secondary column.
    case doubleColumn
    /// A primary, a supplementary and a secondary column.
    case tripleColumn
  }

  /// A place for a controller, from the leading edge on. `compact` is what stands in the place of
  /// all columns while the interface is collapsed.
  public enum Column: Int, Sendable {
    case primary
    case supplementary
    case secondary
    case compact
  }

  /// Which columns are shown. Those with `Over` and `Displace` are drawn as those with `Beside`.
  public enum DisplayMode: Int, Sendable {
    case automatic
    case secondaryOnly
    case oneBesideSecondary
    case oneOverSecondary
    case twoBesideSecondary
    case twoOverSecondary
    case twoDisplaceSecondary
  }

  /// Whether the button that shows and hides columns is in a bar.
  public enum DisplayModeButtonVisibility: Int, Sendable {
    case automatic
    case never
    case always
  }

  /// The number of columns, as set when the controller was made.
  public let style: Style
  /// Decides how the interface collapses and expands, and hears which columns are shown.
  open weak var delegate: (any UISplitViewControllerDelegate)?
  /// Whether all columns stand in one stack, because the window is narrow.
  public internal(set) var isCollapsed = false
  /// Whether `displayModeButtonItem` is in a bar: as long as the interface is expanded, unless it
  /// is `.never`.
  open var displayModeButtonVisibility = DisplayModeButtonVisibility.automatic
  /// The display mode for an expanded interface. `.automatic` shows all columns.
  open var preferredDisplayMode = DisplayMode.automatic {
    didSet { if preferredDisplayMode != oldValue { change(to: wantedMode) } }
  }

  var columns: [Column: SplitColumn] = [:]
  /// The navigation controllers around controllers that are none, by column.
  private var wrappers: [Column: UINavigationController] = [:]
  var mode = DisplayMode.automatic
  /// The stack whose top controller has the user's attention.
  weak var active: UINavigationController?

  /// Makes a controller without columns. Traps for the style `unspecified`, which has no columns.
  public init(style: Style) {
    precondition(
      style != .unspecified,
      "A split view controller without a style has no columns; use doubleColumn or tripleColumn.")
    self.style = style
    super.init(nibName: nil, bundle: nil)
    mode = wantedMode
  }

  public required init?(coder: NSCoder) { nil }

  /// Shows and hides the primary column. In the bar of the first column.
  public private(set) lazy var displayModeButtonItem: UIBarButtonItem = {
    UIBarButtonItem(
      title: "Sidebar", image: UIImage(systemName: "sidebar.leading"),
      primaryAction: UIAction { [weak self] _ in self?.toggleSidebar() })
  }()

  /// Which columns an expanded interface shows; never `.automatic`.
  open var displayMode: DisplayMode { mode }

  /// The controllers of the shown columns, from the leading edge on: navigation controllers.
  open var viewControllers: [UIViewController] { shownNavigations }

  // MARK: Columns

  /// Sets the controller of a column, in place of the former and what was pushed above it. One that
  /// is no navigation controller gets one. In a collapsed interface it is shown by `show(_:)`.
  open func setViewController(_ controller: UIViewController?, for column: Column) {
    rearrange(controller == nil ? .pop : .replace) { put(controller, in: column) }
  }

  /// The controller that was set for a column, unless the user has left it.
  open func viewController(for column: Column) -> UIViewController? {
    guard let known = columns[column], isHere(known) else { return nil }
    return known.isApplications ? known.navigation : known.root
  }

  /// Shows a column, and gives it the user's attention. In a collapsed interface it is pushed, or
  /// what stands above it is popped.
  open func show(_ column: Column) { bringIn(column) }

  /// Hides a column and those before it. In a collapsed interface it is popped. The secondary
  /// column of an expanded one stays.
  open func hide(_ column: Column) { takeAway(column) }

  open override func showDetailViewController(_ controller: UIViewController, sender: Any?) {
    setViewController(controller, for: .secondary)
    show(.secondary)
  }

  func wrapper(for column: Column) -> UINavigationController {
    if let known = wrappers[column] { return known }
    let navigation = UINavigationController()
    wrappers[column] = navigation
    return navigation
  }

  // MARK: For containers

  open override func viewDidLoad() {
    super.viewDidLoad()
    arrangeViews()
  }

  package override var appearingChildren: [UIViewController] { shownNavigations }
  package override var shownChildren: [UIViewController] { shownNavigations }
  package override var presentingChildren: [UIViewController] { children }
  package override var shownChild: UIViewController? {
    let shown = shownNavigations
    return shown.first { $0 === active } ?? shown.first
  }

  package override func adapt(toWide isWide: Bool, typing: UIViewController?) {
    if isWide == isCollapsed { isWide ? expand() : collapse(typing: typing) }
    super.adapt(toWide: isWide, typing: typing)
  }
}

/// A column of a split view: its navigation controller, and the lowest controller in it. The latter
/// stands in the primary column's stack while the interface is collapsed.
struct SplitColumn {
  let navigation: UINavigationController
  /// Whether the application has set the navigation controller itself.
  let isApplications: Bool
  weak var root: UIViewController?
}
