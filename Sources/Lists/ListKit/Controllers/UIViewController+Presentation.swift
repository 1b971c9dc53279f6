import Foundation

extension UIViewController {
  /// Presents a controller over this one.
  ///
  /// A sheet (the default) leaves this controller appeared; `.fullScreen` makes it disappear. A
  /// second presentation, and one by a controller outside of a window, is refused with a line on
  /// the standard error, as in UIKit.
  public func present(
    _ controller: UIViewController, animated: Bool, completion: (@MainActor () -> Void)? = nil
  ) {
    if let presented = presentedViewController {
      log("Attempt to present \(controller) on \(self) which is already presenting \(presented)")
      return
    }
    guard let window = responderWindow else {
      log("Attempt to present \(controller) on \(self) whose view is not in the window hierarchy!")
      return
    }
    presentedViewController = controller
    controller.presentingViewController = self
    controller.enter(window, over: self, animated: animated)
    window.recordPresentation(of: controller, .push)
    completion?()
  }

  /// Dismisses the controller that this one presents, or this one when it presents none.
  public func dismiss(animated: Bool, completion: (@MainActor () -> Void)? = nil) {
    guard let controller = presentedViewController else {
      let host = presentingViewController ?? parent
      host?.dismiss(animated: animated, completion: completion)
      return
    }
    let window = responderWindow
    controller.leave(to: self, animated: animated)
    presentedViewController = nil
    controller.presentingViewController = nil
    window?.recordPresentation(of: controller, .pop)
    completion?()
  }

  private func enter(_ window: UIWindow, over presenter: UIViewController, animated: Bool) {
    loadViewIfNeeded()
    if covers { presenter.willDisappear(animated) }
    willAppear(animated)
    window.addSubview(view)
    isAppearing(animated)
    didAppear(animated)
    if covers { presenter.didDisappear(animated) }
  }

  private func leave(to presenter: UIViewController, animated: Bool) {
    willDisappear(animated)
    if covers {
      presenter.willAppear(animated)
      presenter.isAppearing(animated)
      presenter.didAppear(animated)
    }
    viewIfLoaded?.removeFromSuperview()
    didDisappear(animated)
  }

  private func log(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

extension UIWindow {
  fileprivate func recordPresentation(
    of controller: UIViewController, _ transition: ScreenTransition
  ) {
    record(controller is UIAlertController ? .alertChanged : .screenChanged(transition))
  }
}
