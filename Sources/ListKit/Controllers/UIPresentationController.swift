import Foundation

/// Stands between a presented controller and what the user does to get rid of it.
///
/// Source: UIKit, `UIPresentationController`.
@MainActor
open class UIPresentationController: NSObject {
  /// Owns this object.
  public unowned let presentedViewController: UIViewController
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

  init(presentedViewController: UIViewController) {
    self.presentedViewController = presentedViewController
  }
}

/// Asked and told when the user wants a sheet to go away by a gesture, a key or a click beside it;
/// `dismiss(animated:completion:)` calls none of these. Every method has a default.
///
/// Source: UIKit, `UIAdaptivePresentationControllerDelegate`.
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
  func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool
  /// What a popover is in a narrow window: a sheet, unless this says `.none`.
  func adaptivePresentationStyle(for controller: UIPresentationController)
    -> UIModalPresentationStyle
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
  /// The sheet stays, because its controller is modal or the delegate refused.
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  public func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool { true }
  public func adaptivePresentationStyle(
    for controller: UIPresentationController
  ) -> UIModalPresentationStyle { .automatic }
  public func presentationControllerWillDismiss(
    _ presentationController: UIPresentationController
  ) {}
  public func presentationControllerDidDismiss(
    _ presentationController: UIPresentationController
  ) {}
  public func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {}
}

extension UIPresentationController {
  /// The user wants the sheet to go away.
  func dismissForUser() {
    let controller = presentedViewController
    let isModal =
      controller.isModalInPresentation || controller.visibleContent.isModalInPresentation
    guard !isModal, delegate?.presentationControllerShouldDismiss(self) ?? true else {
      delegate?.presentationControllerDidAttemptToDismiss(self)
      return
    }
    delegate?.presentationControllerWillDismiss(self)
    controller.presentingViewController?.dismiss(animated: true)
    delegate?.presentationControllerDidDismiss(self)
  }
}
