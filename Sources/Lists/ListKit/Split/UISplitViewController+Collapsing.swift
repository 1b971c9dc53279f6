// From columns to one stack, and back.
extension UISplitViewController {
  /// - Parameter typing: the controller in which something is being typed: its column comes on top.
  func collapse(typing: UIViewController?) {
    let top = typing?.navigationController.flatMap(column(of:)) ?? chosenTop
    rearrange(.replace) {
      isCollapsed = true
      if top == .compact, columns[.compact] != nil { return }
      let merged = order.prefix { $0.rawValue <= top.rawValue }.compactMap { columns[$0] }
      let controllers = merged.flatMap(\.navigation.viewControllers)
      for column in merged where column.navigation !== stack { column.navigation.restack([]) }
      stack.restack(controllers)
    }
    delegate?.splitViewControllerDidCollapse(self)
  }

  /// The column on top that the delegate chooses.
  private var chosenTop: Column {
    let last = order.last { columns[$0].map(isHere) ?? false } ?? .primary
    let proposed = columns[.compact] == nil ? last : .compact
    return delegate?.splitViewController(self, topColumnForCollapsingToProposedTopColumn: proposed)
      ?? proposed
  }

  /// The column of the screen that filled the window has the user's attention.
  func expand() {
    let top = stack.topViewController
    let chosen =
      delegate?.splitViewController(self, displayModeForExpandingToProposedDisplayMode: mode)
      ?? mode
    rearrange(.replace) {
      isCollapsed = false
      if chosen != .automatic { mode = chosen }
      unmerge()
    }
    active = top?.navigationController
    delegate?.splitViewControllerDidExpand(self)
  }

  /// Gives each column its part of the stack: its root and what was pushed above it.
  private func unmerge() {
    var rest = stack.viewControllers
    for column in order.dropFirst().reversed() {
      guard let known = columns[column] else { continue }
      if let root = known.root, let index = rest.firstIndex(of: root) {
        let own = Array(rest[index...])
        rest.removeSubrange(index...)
        stack.restack(rest)
        known.navigation.restack(own)
      } else if !isHere(known) {
        put(nil, in: column)
      }
    }
    stack.restack(rest)
  }

  // MARK: The stack of a collapsed interface

  func showInStack(_ column: Column) {
    guard let known = columns[column], column != .compact else { return }
    let controllers = stack.viewControllers
    if let root = known.root, controllers.contains(root) {
      return popAbove(column)
    }
    let own = known.navigation.viewControllers
    guard !own.isEmpty else { return }
    rearrange(.push) {
      known.navigation.restack([])
      stack.restack(controllers + own)
    }
  }

  func popFromStack(_ column: Column) {
    guard column != .primary, let root = columns[column]?.root,
      let index = stack.viewControllers.firstIndex(of: root), index > 0
    else { return }
    stack.popToViewController(stack.viewControllers[index - 1], animated: true)
  }

  /// Pops the columns after a column.
  private func popAbove(_ column: Column) {
    let later = order.drop { $0 != column }.dropFirst().compactMap { columns[$0]?.root }
    guard let index = stack.viewControllers.firstIndex(where: later.contains), index > 0 else {
      return
    }
    stack.popToViewController(stack.viewControllers[index - 1], animated: true)
  }

  // MARK: Appearance

  /// Changes what stands where. Controllers that are shown before and after hear nothing; the
  /// others appear and disappear.
  func rearrange(_ transition: ScreenTransition, _ change: () -> Void) {
    let before = shownNavigations.compactMap(\.topViewController)
    change()
    guard isViewLoaded else { return }
    let isSeen = appearance == .appeared || appearance == .appearing
    guard isSeen else { return arrangeViews() }
    let after = shownNavigations.compactMap(\.topViewController)
    let gone = before.filter { !after.contains($0) }
    let come = after.filter { !before.contains($0) }
    for controller in come { controller.loadViewIfNeeded() }
    for controller in gone { controller.willDisappear(false) }
    tell(of: come) { $0.navigationController($1, willShow: $2, animated: false) }
    for controller in come { controller.willAppear(false) }
    arrangeViews()
    for controller in come { controller.isAppearing(false) }
    for controller in gone { controller.didDisappear(false) }
    for controller in come { controller.didAppear(false) }
    tell(of: come) { $0.navigationController($1, didShow: $2, animated: false) }
    view.window?.record(.screenChanged(transition))
  }

  private func tell(
    of controllers: [UIViewController],
    _ call: (any UINavigationControllerDelegate, UINavigationController, UIViewController) -> Void
  ) {
    for controller in controllers {
      guard let navigation = controller.navigationController,
        let delegate = navigation.delegate
      else { continue }
      call(delegate, navigation, controller)
    }
  }

  /// Puts the views of the shown stacks into this controller's view, and takes out the others.
  func arrangeViews() {
    let shown = shownNavigations
    let all = order.compactMap { columns[$0]?.navigation } + shown
    for navigation in all where !shown.contains(navigation) {
      navigation.viewIfLoaded?.removeFromSuperview()
      navigation.appearance = .disappeared
    }
    for navigation in shown {
      if navigation.view.superview !== view { view.addSubview(navigation.view) }
      if appearance == .appeared || appearance == .appearing {
        navigation.appearance = .appeared
      }
      navigation.arrangeViews()
    }
  }
}

extension UINavigationController {
  /// Replaces the stack; no controller appears or disappears. The caller brings the views up to
  /// date.
  func restack(_ controllers: [UIViewController]) {
    for child in children where !controllers.contains(child) && child.parent === self {
      child.parent = nil
      child.viewIfLoaded?.removeFromSuperview()
    }
    children = controllers
    for child in controllers {
      if let former = child.parent, former !== self {
        former.children.removeAll { $0 === child }
      }
      child.parent = self
    }
  }

  /// Puts the view of the top controller into the stack's own, and takes out those of the others.
  func arrangeViews() {
    for child in children.dropLast() where child.viewIfLoaded?.superview === view {
      child.view.removeFromSuperview()
    }
    guard let top = topViewController, top.view.superview !== view else { return }
    view.insertSubview(top.view, at: 0)
  }
}
