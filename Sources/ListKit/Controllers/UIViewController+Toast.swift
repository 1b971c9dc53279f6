extension UIViewController {
  /// Shows a short message that goes away by itself: what happened, and at most one thing to do
  /// about it.
  ///
  /// UIKit has nothing of the kind. On its platforms write a method of this name that shows the
  /// message in your own way.
  public func showToast(_ message: String, action: UIAction? = nil) {
    responderWindow?.record(.toast(Toast(message: message, action: action)))
  }

  /// Shows that something is being done that the user waits for, until it is called with false.
  ///
  /// UIKit has views for that. On its platforms write a method of this name that shows one.
  public func showActivity(_ isWorking: Bool) {
    responderWindow?.record(.working(isWorking))
  }
}
