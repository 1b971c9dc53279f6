import Foundation
import Testing

@testable import ListKit

/// Popovers: presented like sheets, with a controller of their own between them and the user.
@MainActor
@Suite struct PopoverTests {
  @Test func aPopoverIsALayerThatTheUserTakesAway() {
    let root = UIViewController()
    let window = UIWindow(frame: .zero)
    window.rootViewController = root
    window.makeKeyAndVisible()
    let popover = UIViewController()
    #expect(popover.popoverPresentationController == nil)
    let other = UIViewController()
    other.modalPresentationStyle = .popover
    other.popoverPresentationController?.sourceView = root.view
    root.present(other, animated: true)
    #expect(other.popoverPresentationController?.sourceView === root.view)
    #expect(
      window.visibleLayers.map(ObjectIdentifier.init) == [root, other].map(ObjectIdentifier.init))
    window.cancelSheet()
    #expect(root.presentedViewController == nil)
  }

  @Test func theSourceItemComesBeforeTheButtonAndTheView() {
    let popover = UIViewController()
    popover.modalPresentationStyle = .popover
    let presentation = popover.popoverPresentationController
    let (view, item, button) = (UIView(), UIView(), UIBarButtonItem(title: "Look"))
    #expect(presentation?.source == nil)
    presentation?.sourceView = view
    #expect(presentation?.source === view)
    presentation?.barButtonItem = button
    #expect(presentation?.source === button)
    presentation?.sourceItem = item
    #expect(presentation?.source === item)
    #expect(presentation?.permittedArrowDirections == .any)
  }

  @Test func itsDelegateMayKeepItAPopoverInANarrowWindow() {
    let popover = UIViewController()
    popover.modalPresentationStyle = .popover
    #expect(popover.popoverPresentationController?.isPopoverEverywhere == false)
    let delegate = Keeper()
    popover.presentationController?.delegate = delegate
    #expect(popover.popoverPresentationController?.isPopoverEverywhere == true)
  }
}

private final class Keeper: UIAdaptivePresentationControllerDelegate {
  func adaptivePresentationStyle(
    for controller: UIPresentationController
  ) -> UIModalPresentationStyle { .none }
}
