// The visible part of a tree of controllers, for renderers.
extension UIViewController {
  /// The controller whose content is visible when this one is shown: the receiver, or the topmost
  /// one that it contains or presents.
  package var visibleContent: UIViewController {
    if let presented = presentedScreen { return presented.visibleContent }
    return shownChild?.visibleContent ?? self
  }

  /// The controllers whose content is visible when this one is shown, from the bottom to the top:
  /// its own unless covered, and that of every sheet over it.
  package var visibleLayers: [UIViewController] {
    let own = shownChild?.visibleLayers ?? [self]
    guard let presented = presentedScreen else { return own }
    return (presented.covers ? [] : own) + presented.visibleLayers
  }

  /// The presented controller, unless it is an alert.
  private var presentedScreen: UIViewController? {
    presentedViewController is UIAlertController ? nil : presentedViewController
  }

  /// Whether the controller, when presented, hides its presenter completely.
  package var covers: Bool { modalPresentationStyle == .fullScreen }

  /// The outermost container of this controller, if it is presented as a sheet or a popover.
  package var sheet: UIViewController? {
    let outermost = outermost
    return outermost.presentingViewController == nil || outermost.covers ? nil : outermost
  }

  private var outermost: UIViewController { parent?.outermost ?? self }

  /// The controller presented by this one or by one of its descendants.
  package var deepestPresented: UIViewController? {
    presentedViewController ?? children.lazy.compactMap(\.deepestPresented).last
  }
}

extension UIWindow {
  /// The controller whose content has the user's attention: the topmost pushed or presented one,
  /// alerts excluded.
  package var visibleViewController: UIViewController? { rootViewController?.visibleContent }

  /// The controllers whose content is visible, from the bottom to the top: the one that fills the
  /// window, and the sheets over it.
  package var visibleLayers: [UIViewController] { rootViewController?.visibleLayers ?? [] }

  /// The alert that waits for an answer.
  package var visibleAlert: UIAlertController? {
    var controller = rootViewController
    while let presented = controller?.deepestPresented { controller = presented }
    return controller as? UIAlertController
  }

  /// Cancels the topmost sheet for a user who pressed Escape, swiped it down or clicked beside it.
  /// An alert above it prevents that.
  package func cancelSheet() {
    guard visibleAlert == nil else { return }
    visibleViewController?.sheet?.presentationController?.dismissForUser()
  }
}
