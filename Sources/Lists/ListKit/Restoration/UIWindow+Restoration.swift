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
  private var topController: UIViewController? {
    visibleAlert ?? rootViewController?.placeContent
  }

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
    return presenter.placeBelowSheets.restorationLevels + [level]
  }

  /// The controller at the end of the window's place: the topmost one, in columns that of the last
  /// column with a place.
  fileprivate var placeContent: UIViewController {
    if let presented = presentedScreen { return presented.placeContent }
    return (askingChild ?? placeChild)?.placeContent ?? self
  }

  /// The controller at the end of the place of a controller that presents a sheet.
  private var placeBelowSheets: UIViewController {
    let split = self as? UISplitViewController ?? splitViewController
    return split.map(\.placeLeaf) ?? placeLeaf
  }

  /// The receiver, or the topmost controller that it contains; sheets excluded.
  private var placeLeaf: UIViewController { placeChild?.placeLeaf ?? self }

  private var placeChild: UIViewController? {
    (self as? UISplitViewController)?.placeColumn ?? shownChild
  }

  private func levels(to child: UIViewController) -> [RestorationLevel] {
    switch self {
    case let navigation as UINavigationController:
      // The root of a stack is part of the stack's own level.
      navigation.viewControllers.prefix { $0 !== child }.dropFirst().map(navigation.level)
        + (child === navigation.viewControllers.first ? [] : [navigation.level(of: child)])
    case let split as UISplitViewController: split.levels(before: child)
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
    if let split = self as? UISplitViewController, split.showScreenInColumns(identifier) {
      return true
    }
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

// The place of a window with columns is that of all of them, from the leading edge on. A column
// whose root has no identifier is not part of it.
extension UISplitViewController {
  /// The last column that is part of the place.
  fileprivate var placeColumn: UIViewController? {
    guard !isCollapsed else { return shownChild }
    return order.last(where: hasPlace).flatMap { columns[$0]?.navigation } ?? shownChild
  }

  private func hasPlace(_ column: Column) -> Bool {
    column == .primary || columns[column]?.root?.restorationIdentifier != nil
  }

  /// The levels before the stack of a column, with its root.
  fileprivate func levels(before navigation: UIViewController) -> [RestorationLevel] {
    guard !isCollapsed, let column = column(of: navigation) else { return [] }
    let former = order.prefix { $0 != column }.filter(hasPlace)
    return former.flatMap { level(of: $0) + pushedLevels(in: $0) } + level(of: column)
  }

  private func level(of column: Column) -> [RestorationLevel] {
    guard column != .primary, let root = columns[column]?.root else { return [] }
    let level = RestorationLevel(
      kind: .screen, identifier: root.restorationIdentifier,
      leave: { [weak self, weak root] in
        guard let self, let root, !root.navigationItem.hidesBackButton else { return }
        setViewController(nil, for: column)
      })
    return [level]
  }

  private func pushedLevels(in column: Column) -> [RestorationLevel] {
    guard let navigation = columns[column]?.navigation else { return [] }
    return navigation.viewControllers.dropFirst().map(navigation.level)
  }

  /// Asks the screens of the columns, from the last one on.
  fileprivate func showScreenInColumns(_ identifier: String) -> Bool {
    shownNavigations.reversed().compactMap { $0.topViewController as? any ScreenRestoration }
      .contains { $0.showScreen(withRestorationIdentifier: identifier) }
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
