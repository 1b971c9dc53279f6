import Foundation

/// What draws a window. It is told each change in the order in which it happened, and reads the
/// rest from the views.
@MainActor
package protocol ListRenderer: AnyObject {
  func record(_ operation: ListOperation)
}

/// One change of what a window shows.
@MainActor
package enum ListOperation {
  /// A label, a field, a control or a plain view changed.
  case viewChanged(UIView)
  /// The title or the buttons of a controller's bar changed.
  case barChanged(UIViewController)
  /// Another controller fills the window.
  case screenChanged(ScreenTransition)
  /// An alert came or went.
  case alertChanged
  /// A list asked for everything anew.
  case listReloaded(ListView)
  /// A list's rows came, went or moved.
  case listChanged(ListView, ListChange)
  /// A list wants a row to be seen.
  case scrolled(ListView, row: Int, UITableView.ScrollPosition)
  case selectionChanged(ListView)
  case editingChanged(ListView)
  case focused(UIResponder?)
  case toast(Toast)
  /// Work goes on, or is done, that the user waits for.
  case working(Bool)
  /// Something outside of the application has to end first, in words; nil when it has.
  case waiting(String?)
}

package enum ScreenTransition: String, Sendable {
  case push
  case pop
  case replace
}

/// A short message that goes away by itself, with at most one thing to do about it.
@MainActor
package struct Toast {
  package let message: String
  package let action: UIAction?

  package init(message: String, action: UIAction?) {
    self.message = message
    self.action = action
  }
}
