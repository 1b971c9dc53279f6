/// What a navigation bar shows for one controller.
///
/// Source: UIKit, `UINavigationItem`.
@MainActor
open class UINavigationItem {
  weak var owner: UIViewController?

  open var title: String? { didSet { if title != oldValue { didChange() } } }
  open var prompt: String? { didSet { if prompt != oldValue { didChange() } } }
  open var backButtonTitle: String? { didSet { didChange() } }
  open var hidesBackButton = false { didSet { didChange() } }
  open var leftBarButtonItems: [UIBarButtonItem]? { didSet { adopt(leftBarButtonItems) } }
  open var rightBarButtonItems: [UIBarButtonItem]? { didSet { adopt(rightBarButtonItems) } }

  /// Its search bar stands under the title.
  open var searchController: UISearchController? {
    didSet {
      searchController?.host = owner
      didChange()
    }
  }

  public init(title: String?) { self.title = title }

  open var leftBarButtonItem: UIBarButtonItem? {
    get { leftBarButtonItems?.first }
    set { leftBarButtonItems = newValue.map { [$0] } }
  }

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

/// A button in a bar.
///
/// Source: UIKit, `UIBarButtonItem`. A button is made from a `UIAction`; targets with selectors
/// need the Objective-C runtime.
@MainActor
open class UIBarButtonItem {
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

  /// How much a button stands out.
  public enum Style: Int, Sendable {
    case plain = 0
    case done = 2
  }

  weak var navigationItem: UINavigationItem?

  open var title: String? { didSet { if title != oldValue { navigationItem?.didChange() } } }
  open var image: UIImage?
  open var style = Style.plain { didSet { if style != oldValue { navigationItem?.didChange() } } }
  open var isEnabled = true { didSet { if isEnabled != oldValue { navigationItem?.didChange() } } }
  open var accessibilityLabel: String? { didSet { navigationItem?.didChange() } }
  open var primaryAction: UIAction?
  /// No button, but room between those of a toolbar.
  package private(set) var isSpace = false

  public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
    self.title = title ?? primaryAction?.title
    self.image = image ?? primaryAction?.image
    self.primaryAction = primaryAction
  }

  public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
    self.init(title: systemItem.title, primaryAction: primaryAction)
    style = systemItem == .done || systemItem == .save ? .done : .plain
    isSpace = systemItem == .flexibleSpace || systemItem == .fixedSpace
  }

  /// What the renderer calls on a click.
  package func press() { if isEnabled { primaryAction?.perform(sender: self) } }
}
