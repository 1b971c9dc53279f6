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
}
