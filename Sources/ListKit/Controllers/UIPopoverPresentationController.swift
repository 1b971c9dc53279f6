import Foundation

/// Between a popover and the user.
///
/// Source: UIKit, `UIPopoverPresentationController`. What a popover belongs to is kept; it is drawn
/// over the screen, as UIKit's are where room is short, and a click beside it takes it away.
open class UIPopoverPresentationController: UIPresentationController {
  open weak var sourceView: UIView?
  open var sourceRect: CGRect = .zero
  open weak var barButtonItem: UIBarButtonItem?
}

extension UIViewController {
  /// There for a controller whose `modalPresentationStyle` was set to `.popover` before.
  public var popoverPresentationController: UIPopoverPresentationController? {
    presentationController as? UIPopoverPresentationController
  }
}
