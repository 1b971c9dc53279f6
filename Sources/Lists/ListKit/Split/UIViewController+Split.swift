extension UIViewController {
  /// The nearest split view controller among the controller's ancestors.
  public var splitViewController: UISplitViewController? {
    parent as? UISplitViewController ?? parent?.splitViewController
  }

  /// Gives the user's attention to the column in which this controller is.
  package func attend() {
    guard let split = splitViewController, let navigation = navigationController else { return }
    split.active = navigation
  }

  /// The button that shows and hides the sidebar, for the bar of this controller: if it is the top
  /// one of the first column of several.
  package var shownDisplayModeButton: UIBarButtonItem? {
    guard let split = splitViewController, !split.isCollapsed,
      split.displayModeButtonVisibility != .never,
      split.shownNavigations.first?.topViewController === self
    else { return nil }
    let item = split.displayModeButtonItem
    let isShown = split.columns(in: split.mode).first == .primary
    item.accessibilityLabel = isShown ? "Hide sidebar" : "Show sidebar"
    return item
  }
}

extension UIWindowScene {
  /// Called by the renderer when its window is wide enough for columns beside each other, and when
  /// it no longer is.
  ///
  /// - Parameter typing: the controller in which something is being typed; it stays in sight.
  package func setWide(_ isWide: Bool, typing: UIViewController? = nil) {
    guard isWide != self.isWide else { return }
    self.isWide = isWide
    for window in windows { window.rootViewController?.adapt(toWide: isWide, typing: typing) }
  }
}
