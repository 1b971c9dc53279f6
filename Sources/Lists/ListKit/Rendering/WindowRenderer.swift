import Foundation

/// A renderer of a window. It receives each change in order, and reads everything else from the
/// views.
@MainActor
package protocol WindowRenderer: AnyObject {
  func record(_ operation: WindowOperation)
  /// Brings the window's scene up to date when it has its turn.
  func takeTurn(_ scene: UIScene)
  /// Makes the views what the window shows, before something else than an event changes them.
  func stepOut()
}

extension WindowRenderer {
  package func stepOut() {}
  package func takeTurn(_ scene: UIScene) { scene.following?.takeOver() }
}

/// A change of a window's content.
@MainActor
package enum WindowOperation {
  /// A label, a field, a control or a plain view has changed.
  case viewChanged(UIView)
  /// The title or the buttons of a controller's bar have changed.
  case barChanged(UIViewController)
  /// Another controller fills the window.
  case screenChanged(ScreenTransition)
  /// An alert appeared, changed or disappeared.
  case alertChanged
  case focused(UIResponder?)
  case toast(Toast)
  /// Work for which the user waits begins or ends.
  case working(Bool)
  /// A text about something outside of the application that must end first; nil when it has ended.
  case waiting(String?)
}

package enum ScreenTransition: String, Sendable {
  case push
  case pop
  case replace
}

/// A short message that disappears by itself, with at most one action.
@MainActor
package struct Toast {
  /// The whole message.
  package let message: String
  package let action: UIAction?
  /// A reason, and the typed text that has no place any more for it: a renderer that can, keeps the
  /// message until the user closes it.
  package let lost: (reason: String, text: String)?

  package init(message: String, action: UIAction?) {
    self.message = message
    self.action = action
    lost = nil
  }

  /// A message about typed text that has no place any more.
  package init(reason: String, typed: String) {
    message = EditWords.gone(reason, typed: typed)
    action = nil
    lost = typed.isEmpty ? nil : (reason, typed)
  }
}
