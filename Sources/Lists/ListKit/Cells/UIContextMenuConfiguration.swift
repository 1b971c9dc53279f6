import Foundation

/// The menu that belongs to an item: a long press opens it; a mouse and the keyboard find its
/// actions on the item.
///
/// Source: UIKit, `UIContextMenuConfiguration`. There are no previews.
@MainActor
public final class UIContextMenuConfiguration {
  /// Returns the menu, or nil for none. Receives no suggestions.
  public typealias ActionProvider = @MainActor ([UIMenuElement]) -> UIMenu?

  /// The name of the configuration. Stored and not used.
  public let identifier: AnyHashable?
  private let actionProvider: ActionProvider?

  /// Makes a configuration whose menu is made when it is needed.
  public init(
    identifier: AnyHashable? = nil,
    previewProvider: (@MainActor () -> UIViewController?)? = nil,
    actionProvider: ActionProvider? = nil
  ) {
    self.identifier = identifier
    self.actionProvider = actionProvider
  }

  /// The menu as actions of a row: as in a swipe, the last entry is at the edge.
  var rowActions: UISwipeActionsConfiguration {
    let actions = (actionProvider?([])?.actions ?? []).reversed().map { action in
      let isDestructive = action.attributes.contains(.destructive)
      let made = UIContextualAction(
        style: isDestructive ? .destructive : .normal, title: action.title
      ) { _, view, done in
        action.perform(sender: view)
        done(true)
      }
      made.image = action.image
      return made
    }
    let configuration = UISwipeActionsConfiguration(actions: actions)
    configuration.performsFirstActionWithFullSwipe = false
    return configuration
  }
}
