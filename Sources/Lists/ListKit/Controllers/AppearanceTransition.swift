/// The phase of a controller's appearance.
package enum Appearance {
  case disappeared
  case appearing
  case appeared
  case disappearing
}

/// Calls the appearance methods of a controller and of the children that appear with it, in UIKit's
/// order.
@MainActor
enum AppearanceTransition {
  /// Replaces a controller in a push, a pop or a change of the root: old will disappear, new will
  /// appear, new is appearing, old did disappear, new did appear. The new view is loaded before the
  /// first call.
  static func exchange(
    _ old: UIViewController?, for new: UIViewController?, in container: UIView, animated: Bool
  ) {
    new?.loadViewIfNeeded()
    old?.willDisappear(animated)
    new?.willAppear(animated)
    if let view = new?.view { container.addSubview(view) }
    new?.isAppearing(animated)
    old?.viewIfLoaded?.removeFromSuperview()
    old?.didDisappear(animated)
    new?.didAppear(animated)
  }

  /// Replaces a controller in a change of the tab: the new one will appear before the old one will
  /// disappear.
  static func switchTab(
    _ old: UIViewController?, to new: UIViewController?, in container: UIView
  ) {
    new?.loadViewIfNeeded()
    new?.willAppear(false)
    old?.willDisappear(false)
    if let view = new?.view { container.insertSubview(view, at: 0) }
    new?.isAppearing(false)
    old?.viewIfLoaded?.removeFromSuperview()
    old?.didDisappear(false)
    new?.didAppear(false)
  }
}

extension UIViewController {
  func willAppear(_ animated: Bool) {
    loadViewIfNeeded()
    appearance = .appearing
    viewWillAppear(animated)
    for child in appearingChildren { child.willAppear(animated) }
  }

  func isAppearing(_ animated: Bool) {
    viewIsAppearing(animated)
    for child in appearingChildren { child.isAppearing(animated) }
  }

  func didAppear(_ animated: Bool) {
    appearance = .appeared
    viewDidAppear(animated)
    for child in appearingChildren { child.didAppear(animated) }
  }

  func willDisappear(_ animated: Bool) {
    appearance = .disappearing
    viewWillDisappear(animated)
    for child in appearingChildren { child.willDisappear(animated) }
  }

  func didDisappear(_ animated: Bool) {
    appearance = .disappeared
    viewDidDisappear(animated)
    for child in appearingChildren { child.didDisappear(animated) }
  }
}
