/// One step on the path from the root to the visible screen.
@MainActor
package struct RestorationLevel {
  package enum Kind { case tab, screen, sheet, alert }

  package let kind: Kind
  /// Nil for a level that cannot be restored.
  package let identifier: String?
  /// Leaves the level as the user would, which may be refused. Does nothing for a tab.
  let leave: @MainActor () -> Void
}

extension UIWindow {
  /// The window's place: the levels of its visible screens, up to the first that cannot be
  /// restored.
  package var restorationLevels: [RestorationLevel] {
    Array(allLevels.prefix { $0.identifier != nil })
  }

  private var allLevels: [RestorationLevel] { topController?.restorationLevels ?? [] }
  private var topController: UIViewController? { visibleAlert ?? visibleViewController }

  /// Goes to a place as far as it exists: back to the common prefix with the current place, then
  /// forward by identifiers. Stops at a level that refuses to be left.
  package func restore(_ path: [String]) {
    let kept = zip(allLevels, path).prefix { $0.identifier == $1 }.count
    while allLevels.count > kept, let last = allLevels.last, last.kind != .tab {
      let count = allLevels.count
      last.leave()
      guard allLevels.count < count else { return }
    }
    for identifier in path[kept...] {
      guard topController?.showScreenInChain(identifier) ?? false else { return }
    }
  }
}

extension UIViewController {
  /// The path to this controller; nil if one of its levels cannot be restored.
  package var restorationPath: [String]? {
    let levels = restorationLevels
    let path = levels.compactMap(\.identifier)
    return path.count == levels.count ? path : nil
  }

  /// The levels from the root to this controller.
  fileprivate var restorationLevels: [RestorationLevel] {
    if let parent { return parent.restorationLevels + parent.levels(to: self) }
    guard let presenter = presentingViewController else { return [] }
    let isAlert = self is UIAlertController
    let level = RestorationLevel(
      kind: isAlert ? .alert : .sheet, identifier: restorationIdentifier,
      leave: { [weak self] in
        if let alert = self as? UIAlertController { return alert.choose(nil) }
        self?.presentationController?.dismissForUser()
      })
    return presenter.shownContent.restorationLevels + [level]
  }

  /// The receiver, or the topmost controller that it contains; sheets excluded.
  private var shownContent: UIViewController { shownChild?.shownContent ?? self }

  private func levels(to child: UIViewController) -> [RestorationLevel] {
    switch self {
    case let navigation as UINavigationController:
      // The root of a stack is part of the stack's own level.
      navigation.viewControllers.prefix { $0 !== child }.dropFirst().map(navigation.level)
        + (child === navigation.viewControllers.first ? [] : [navigation.level(of: child)])
    case is UITabBarController:
      child.restorationIdentifier.map { [.init(kind: .tab, identifier: $0, leave: {})] } ?? []
    default: []
    }
  }

  fileprivate func showScreenInChain(_ identifier: String) -> Bool {
    if let self = self as? any ScreenRestoration,
      self.showScreen(withRestorationIdentifier: identifier)
    {
      return true
    }
    if let tabs = self as? UITabBarController, tabs.selectTab(identifier) { return true }
    return parent?.showScreenInChain(identifier) ?? false
  }
}

extension UINavigationController {
  fileprivate func level(of controller: UIViewController) -> RestorationLevel {
    RestorationLevel(
      kind: .screen, identifier: controller.restorationIdentifier,
      leave: { [weak self, weak controller] in
        guard let controller, !controller.navigationItem.hidesBackButton else { return }
        self?.popViewController(animated: true)
      })
  }
}

extension UITabBarController {
  fileprivate func selectTab(_ identifier: String) -> Bool {
    let tab = viewControllers?.first { $0.restorationIdentifier == identifier }
    guard let tab else { return false }
    if tab !== selectedViewController, let item = tab.tabBarItem { choose(item) }
    return true
  }
}
