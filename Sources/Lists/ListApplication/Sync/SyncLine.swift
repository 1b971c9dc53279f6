import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// What sync is doing, above the titles of a window's screens, with a switch in their toolbars. Of
/// columns beside each other the first one that is shown has it.
@MainActor
final class SyncLine: NSObject, UINavigationControllerDelegate {
  private weak var root: UIViewController?
  private let turn: @MainActor () -> Void
  private struct Screen {
    weak var controller: UIViewController?
  }

  /// The stack whose screens have the line.
  private weak var navigation: UINavigationController?
  /// The screens that have it.
  private var drawn: [Screen] = []
  private var text = ""
  private var isOn = true

  init(_ root: UIViewController, turn: @escaping @MainActor () -> Void) {
    self.root = root
    self.turn = turn
  }

  func show(_ text: String, isOn: Bool) {
    (self.text, self.isOn) = (text, isOn)
    drawAgain()
  }

  /// Draws on the screens at the leading edge, which may be others now.
  func drawAgain() {
    follow((root as? ColumnsController)?.leadingNavigation ?? root as? UINavigationController)
    let controllers = navigation?.viewControllers ?? []
    for screen in drawn.compactMap(\.controller) where !controllers.contains(screen) {
      remove(from: screen)
    }
    drawn = []
    for controller in controllers { draw(on: controller) }
  }

  private func follow(_ stack: UINavigationController?) {
    guard stack !== navigation else { return }
    navigation?.delegate = nil
    navigation?.setToolbarHidden(true, animated: false)
    navigation = stack
    navigation?.delegate = self
    navigation?.setToolbarHidden(false, animated: false)
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

  private func remove(from controller: UIViewController) {
    controller.navigationItem.prompt = nil
    controller.toolbarItems = controller.toolbarItems?.dropLast(2)
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
