import Foundation

/// The presentation of a controller, between it and the user's attempts to dismiss it.
///
/// Source: UIKit, `UIPresentationController`.
@MainActor
open class UIPresentationController: NSObject {
  /// The presented controller, which owns this object.
  public unowned let presentedViewController: UIViewController
  /// Decides about and hears of the user's attempts to dismiss the controller.
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

  init(presentedViewController: UIViewController) {
    self.presentedViewController = presentedViewController
  }
}

/// Decides about and hears of a user's attempt to dismiss a sheet by a gesture, a key or a click
/// beside it. `dismiss(animated:completion:)` calls none of these methods. Every method has a
/// default.
///
/// Source: UIKit, `UIAdaptivePresentationControllerDelegate`.
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
  /// Whether the user may dismiss the sheet; true by default.
  func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool
  /// The style of a popover in a narrow window: `.none` keeps it a popover, any other (the default)
  /// makes it a sheet.
  func adaptivePresentationStyle(for controller: UIPresentationController)
    -> UIModalPresentationStyle
  /// Called before the user's dismissal is carried out.
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  /// Called when the user's dismissal has been carried out.
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
  /// Called when the sheet stays, because its controller is modal or the delegate refused.
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  /// Returns true.
  public func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool { true }
  /// Returns `.automatic`.
  public func adaptivePresentationStyle(
    for controller: UIPresentationController
  ) -> UIModalPresentationStyle { .automatic }
  /// Does nothing.
  public func presentationControllerWillDismiss(
    _ presentationController: UIPresentationController
  ) {}
  /// Does nothing.
  public func presentationControllerDidDismiss(
    _ presentationController: UIPresentationController
  ) {}
  /// Does nothing.
  public func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {}
}

extension UIPresentationController {
  /// Dismisses the sheet for the user, unless the controller is modal or the delegate refuses.
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
