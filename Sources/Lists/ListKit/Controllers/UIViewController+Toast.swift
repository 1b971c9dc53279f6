extension UIViewController {
  /// Shows a short message that disappears by itself, with at most one action.
  ///
  /// UIKit has no counterpart. On Apple's platforms write a method of this name that shows the
  /// message in your own way.
  public func showToast(_ message: String, action: UIAction? = nil) {
    responderWindow?.record(.toast(Toast(message: message, action: action)))
  }

  /// Shows that work is going on for which the user waits, until it is called with false.
  ///
  /// UIKit has views for this purpose. On Apple's platforms write a method of this name that shows
  /// one.
  public func showActivity(_ isWorking: Bool) {
    responderWindow?.record(.working(isWorking))
  }
}
