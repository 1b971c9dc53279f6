/// A screen that opens the screens it leads to by their identifiers.
///
/// A window's place is a path: the restoration identifiers of its screens, from the root on. A
/// window that is made again, a link, and Back and Forward in a browser restore a place by asking
/// each screen on the path for the next one:
///
///     extension ListController: ScreenRestoration {
///       func showScreen(withRestorationIdentifier identifier: String) -> Bool {
///         guard let item = item(named: identifier) else { return false }
///         show(item)
///         return true
///       }
///     }
///
/// The screen that opens must have this identifier as its
/// ``UIViewController/restorationIdentifier``. A screen without one, and all screens above it, are
/// not part of the place. The root needs none.
///
/// UIKit restores from archives, through classes. On Apple's platforms declare this protocol
/// yourself.
@MainActor
public protocol ScreenRestoration: UIViewController {
  /// Pushes, presents or selects the screen of an identifier, as the user would. Returns false if
  /// it does not exist, or no longer.
  func showScreen(withRestorationIdentifier identifier: String) -> Bool
}
