/// The content of the navigation bar for one controller.
///
/// Source: UIKit, `UINavigationItem`.
@MainActor
open class UINavigationItem {
  weak var owner: UIViewController?

  /// The title in the bar.
  open var title: String? { didSet { if title != oldValue { didChange() } } }
  /// A line above the title.
  open var prompt: String? { didSet { if prompt != oldValue { didChange() } } }
  /// The title of the back button on the controller above this one; `nil` is this item's title.
  open var backButtonTitle: String? { didSet { didChange() } }
  /// Whether the bar has no back button. Such a controller is also not left by a link to another
  /// place.
  open var hidesBackButton = false { didSet { didChange() } }
  /// The buttons at the leading edge, from the edge on.
  open var leftBarButtonItems: [UIBarButtonItem]? { didSet { adopt(leftBarButtonItems) } }
  /// The buttons at the trailing edge, from the edge on.
  open var rightBarButtonItems: [UIBarButtonItem]? { didSet { adopt(rightBarButtonItems) } }

  /// The search controller, whose search bar is drawn under the title.
  open var searchController: UISearchController? {
    didSet {
      searchController?.host = owner
      didChange()
    }
  }

  /// Makes an item with a title.
  public init(title: String?) { self.title = title }

  /// The first button at the leading edge. Setting it replaces all of them.
  open var leftBarButtonItem: UIBarButtonItem? {
    get { leftBarButtonItems?.first }
    set { leftBarButtonItems = newValue.map { [$0] } }
  }

  /// The first button at the trailing edge. Setting it replaces all of them.
  open var rightBarButtonItem: UIBarButtonItem? {
    get { rightBarButtonItems?.first }
    set { rightBarButtonItems = newValue.map { [$0] } }
  }

  private func adopt(_ items: [UIBarButtonItem]?) {
    for item in items ?? [] { item.navigationItem = self }
    didChange()
  }

  func didChange() { owner?.navigationItemDidChange() }
}

/// A button in a navigation bar or a toolbar.
///
/// Source: UIKit, `UIBarButtonItem`. A button is made of a `UIAction`; a target with a selector
/// would need the Objective-C runtime.
@MainActor
open class UIBarButtonItem {
  /// A predefined button with a title, or a space in a toolbar.
  public enum SystemItem: Int, Sendable {
    case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose
    case action = 9
    case search = 12
    case refresh
    case trash = 16
    case undo = 21
    case redo = 22

    var title: String {
      switch self {
      case .done: "Done"
      case .cancel: "Cancel"
      case .edit: "Edit"
      case .save: "Save"
      case .add: "Add"
      case .undo: "Undo"
      case .redo: "Redo"
      case .compose: "Compose"
      case .action: "Share"
      case .search: "Search"
      case .refresh: "Refresh"
      case .trash: "Delete"
      case .flexibleSpace, .fixedSpace: ""
      }
    }
  }

  /// The emphasis of a button.
  public enum Style: Int, Sendable {
    case plain = 0
    case done = 2
  }

  weak var navigationItem: UINavigationItem?

  /// The button's title.
  open var title: String? { didSet { if title != oldValue { navigationItem?.didChange() } } }
  /// The button's picture.
  open var image: UIImage?
  /// The button's emphasis.
  open var style = Style.plain { didSet { if style != oldValue { navigationItem?.didChange() } } }
  /// Whether the user can press the button.
  open var isEnabled = true { didSet { if isEnabled != oldValue { navigationItem?.didChange() } } }
  /// The name that assistive technology reads instead of the title.
  open var accessibilityLabel: String? { didSet { navigationItem?.didChange() } }
  /// The action that pressing the button runs.
  open var primaryAction: UIAction?
  /// Whether this is a space between the buttons of a toolbar instead of a button.
  package private(set) var isSpace = false

  /// Makes a button. A title or a picture that is `nil` is that of the action.
  public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
    self.title = title ?? primaryAction?.title
    self.image = image ?? primaryAction?.image
    self.primaryAction = primaryAction
  }

  /// Makes a predefined button. `.done` and `.save` are emphasised.
  public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
    self.init(title: systemItem.title, primaryAction: primaryAction)
    style = systemItem == .done || systemItem == .save ? .done : .plain
    isSpace = systemItem == .flexibleSpace || systemItem == .fixedSpace
  }

  /// Presses the button for the user: runs the action of an enabled one.
  package func press() { if isEnabled { primaryAction?.perform(sender: self) } }
}
