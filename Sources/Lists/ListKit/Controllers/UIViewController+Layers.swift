// The visible part of a tree of controllers, for renderers.
extension UIViewController {
  /// The controller whose content is visible when this one is shown: the receiver, or the topmost
  /// one that it contains or presents.
  package var visibleContent: UIViewController {
    if let presented = presentedScreen { return presented.visibleContent }
    return (askingChild ?? shownChild)?.visibleContent ?? self
  }

  /// The child over which a sheet is shown.
  var askingChild: UIViewController? { presentingChildren.last(where: \.hasSheet) }

  private var hasSheet: Bool { presentedScreen != nil || askingChild != nil }

  /// The controllers whose content is visible when this one is shown: those that fill it beside
  /// each other, and that of every sheet over them, from the bottom to the top.
  fileprivate var layers: (columns: [UIViewController], sheets: [UIViewController]) {
    let shown = shownChildren.map(\.layers)
    let columns = shown.isEmpty ? [self] : shown.flatMap(\.columns)
    let sheets = presentingChildren.flatMap(\.layers.sheets)
    guard let presented = presentedScreen?.layers else { return (columns, sheets) }
    if presentedScreen?.covers == true { return presented }
    return (columns, sheets + presented.columns + presented.sheets)
  }

  /// The presented controller, unless it is an alert.
  var presentedScreen: UIViewController? {
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

  /// The controllers whose content is visible, from the bottom to the top: those that fill the
  /// window, and the sheets over them.
  package var visibleLayers: [UIViewController] { visibleColumns + visibleSheets }

  /// The controllers that fill the window: one, or several beside each other.
  package var visibleColumns: [UIViewController] { rootViewController?.layers.columns ?? [] }

  /// The sheets over them, from the bottom to the top.
  package var visibleSheets: [UIViewController] { rootViewController?.layers.sheets ?? [] }

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

  /// Whether the topmost sheet refuses to be cancelled, and no alert waits above it.
  package var asksBeforeCancelling: Bool {
    guard visibleAlert == nil, let controller = visibleViewController, let sheet = controller.sheet
    else { return false }
    return sheet.isModalInPresentation || sheet.visibleContent.isModalInPresentation
  }
}
