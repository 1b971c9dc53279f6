/// A screen that shows the screens it leads to when it is asked for them by name.
///
/// The place of a window is a path: the restoration identifiers of its screens from the root on. A
/// window that is made again, a link and the way back and forth through a browser's history come to
/// their place by asking each screen on the path for the next one:
///
///     extension ListController: ScreenRestoration {
///       func showScreen(withRestorationIdentifier identifier: String) -> Bool {
///         guard let item = item(named: identifier) else { return false }
///         show(item)
///         return true
///       }
///     }
///
/// The screen that comes has the same ``UIViewController/restorationIdentifier``; without one a
/// screen, and all that follows it, is not part of the place. The root needs none.
///
/// UIKit restores from archives, through classes. On its platforms declare this protocol yourself.
@MainActor
public protocol ScreenRestoration: UIViewController {
  /// Pushes, presents or selects the screen with an identifier, as the user would. False when there
  /// is none, or no longer.
  func showScreen(withRestorationIdentifier identifier: String) -> Bool
}
