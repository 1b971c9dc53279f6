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
    for controller in navigation?.viewControllers ?? [] { draw(on: controller) }
  }

  func tell(_ message: String) { navigation?.topViewController?.showToast(message) }

  private func draw(on controller: UIViewController) {
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
