import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// What sync is doing, above the titles of a window's screens, with a switch in their toolbars.
@MainActor
final class SyncLine: NSObject, UINavigationControllerDelegate {
  private weak var navigation: UINavigationController?
  private let turn: @MainActor () -> Void
  private struct Screen {
    weak var controller: UIViewController?
  }

  /// The screens that have the line.
  private var drawn: [Screen] = []
  private var text = ""
  private var isOn = true

  init(_ navigation: UINavigationController, turn: @escaping @MainActor () -> Void) {
    self.navigation = navigation
    self.turn = turn
    super.init()
    navigation.delegate = self
    navigation.setToolbarHidden(false, animated: false)
  }

  func show(_ text: String, isOn: Bool) {
    (self.text, self.isOn) = (text, isOn)
    drawAgain()
  }

  /// Draws on the screens of the stack, which may be others now; the line is above the first
  /// column alone.
  func drawAgain() {
    let controllers = navigation?.viewControllers ?? []
    for screen in drawn where screen.controller.map(controllers.contains) == false {
      screen.controller?.navigationItem.prompt = nil
    }
    drawn = []
    for controller in controllers { draw(on: controller) }
  }

  func tell(_ message: String) { navigation?.topViewController?.showToast(message) }

  private func draw(on controller: UIViewController) {
    drawn.append(Screen(controller: controller))
    controller.navigationItem.prompt = text
    let title = isOn ? "Go Offline" : "Back Online"
    if let button = controller.toolbarItems?.compactMap({ $0 as? SyncButton }).first {
      return button.title = title
    }
    let button = SyncButton(
      title: title, primaryAction: UIAction(title: title) { [weak self] _ in self?.turn() })
    controller.toolbarItems = (controller.toolbarItems ?? []) + [.flexibleSpace(), button]
  }

  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool
  ) {
    draw(on: viewController)
  }
}

/// Goes offline, and online again.
private final class SyncButton: UIBarButtonItem {}
