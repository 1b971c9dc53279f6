/// Something to do with a row, shown when it is swiped, hovered or focused.
///
/// Source: UIKit, `UIContextualAction`. The handler must call its completion with whether the
/// action was done.
@MainActor
public final class UIContextualAction {
  public enum Style: Int, Sendable {
    case normal
    case destructive
  }

  public typealias Handler =
    @MainActor (UIContextualAction, UIView, @escaping @MainActor (Bool) -> Void) -> Void

  public let style: Style
  public var title: String?
  public var image: UIImage?
  public let handler: Handler

  public init(style: Style, title: String?, handler: @escaping Handler) {
    self.style = style
    self.title = title
    self.handler = handler
  }
}

/// Source: UIKit, `UISwipeActionsConfiguration`. An empty configuration means: no actions.
@MainActor
public final class UISwipeActionsConfiguration {
  public let actions: [UIContextualAction]
  public var performsFirstActionWithFullSwipe = true

  public init(actions: [UIContextualAction]) { self.actions = actions }
}
