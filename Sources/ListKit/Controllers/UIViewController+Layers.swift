// What is seen of a tree of controllers, for renderers.
extension UIViewController {
  /// The controller whose content is seen when this one is: itself, or the top of what it contains
  /// or presents.
  package var visibleContent: UIViewController {
    if let presented = presentedScreen { return presented.visibleContent }
    return shownChild?.visibleContent ?? self
  }

  /// The controllers whose content is seen when this one is, from the bottom to the top: its own,
  /// unless that is covered, and that of every sheet over it.
  package var visibleLayers: [UIViewController] {
    let own = shownChild?.visibleLayers ?? [self]
    guard let presented = presentedScreen else { return own }
    return (presented.covers ? [] : own) + presented.visibleLayers
  }

  /// What is presented, alerts aside.
  private var presentedScreen: UIViewController? {
    presentedViewController is UIAlertController ? nil : presentedViewController
  }

  /// A presented controller of this kind leaves nothing to be seen of its presenter.
  package var covers: Bool { modalPresentationStyle == .fullScreen }

  /// Whether this is the content of a sheet.
  package var sheet: UIViewController? {
    let outermost = outermost
    return outermost.presentingViewController == nil || outermost.covers ? nil : outermost
  }

  private var outermost: UIViewController { parent?.outermost ?? self }

  /// The controller presented by this one or by what it contains.
  package var deepestPresented: UIViewController? {
    presentedViewController ?? children.lazy.compactMap(\.deepestPresented).last
  }
}

extension UIWindow {
  /// The controller whose content has the user's attention: the top of what is pushed and
  /// presented, alerts aside.
  package var visibleViewController: UIViewController? { rootViewController?.visibleContent }

  /// The controllers whose content is seen, from the bottom to the top: the one that fills the
  /// window, and those of the sheets over it.
  package var visibleLayers: [UIViewController] { rootViewController?.visibleLayers ?? [] }

  /// The alert that waits for an answer.
  package var visibleAlert: UIAlertController? {
    var controller = rootViewController
    while let presented = controller?.deepestPresented { controller = presented }
    return controller as? UIAlertController
  }

  /// The user pressed Escape, swiped the topmost sheet down or clicked beside it.
  package func cancelSheet() {
    guard visibleAlert == nil else { return }
    visibleViewController?.sheet?.presentationController?.dismissForUser()
  }
}
