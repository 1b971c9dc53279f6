/// An action on a row, offered when the row is swiped, hovered or focused.
///
/// Source: UIKit, `UIContextualAction`. The handler must call its completion with true when the
/// action was carried out, else with false.
@MainActor
public final class UIContextualAction {
  /// How the action is drawn: as usual, or as one that destroys data.
  public enum Style: Int, Sendable {
    case normal
    case destructive
  }

  /// Carries out the action. The last argument is the completion to call.
  public typealias Handler =
    @MainActor (UIContextualAction, UIView, @escaping @MainActor (Bool) -> Void) -> Void

  /// The style that the action was made with.
  public let style: Style
  /// The title of the action's button.
  public var title: String?
  /// The picture of the action's button.
  public var image: UIImage?
  /// The handler that the action was made with.
  public let handler: Handler

  /// Makes an action. A handler must call its completion exactly once.
  public init(style: Style, title: String?, handler: @escaping Handler) {
    self.style = style
    self.title = title
    self.handler = handler
  }
}

/// The actions that swiping a row in one direction offers.
///
/// Source: UIKit, `UISwipeActionsConfiguration`. An empty configuration means no actions.
@MainActor
public final class UISwipeActionsConfiguration {
  /// The actions, the outermost first.
  public let actions: [UIContextualAction]
  /// Whether a swipe over the whole row carries out the first action.
  public var performsFirstActionWithFullSwipe = true

  /// Makes a configuration of these actions.
  public init(actions: [UIContextualAction]) { self.actions = actions }
}
