// The columns: which are shown, and what stands in them.
extension UISplitViewController {
  /// The columns of an expanded interface, from the leading edge on.
  var order: [Column] {
    style == .tripleColumn ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
  }

  /// The display mode that is preferred, in the number of columns that there are.
  var wantedMode: DisplayMode {
    switch (preferredDisplayMode, style) {
    case (.secondaryOnly, _): .secondaryOnly
    case (.oneBesideSecondary, _), (.oneOverSecondary, _): .oneBesideSecondary
    case (_, .tripleColumn): .twoBesideSecondary
    default: .oneBesideSecondary
    }
  }

  /// The columns that an expanded interface shows in a display mode.
  func columns(in mode: DisplayMode) -> [Column] {
    switch mode {
    case .secondaryOnly: [.secondary]
    case .oneBesideSecondary: Array(order.suffix(2))
    default: order
    }
  }

  var shownNavigations: [UINavigationController] {
    if isCollapsed { return [columns[.compact]?.navigation ?? stack] }
    return columns(in: mode).compactMap { columns[$0]?.navigation }
  }

  /// The stack in which all columns stand while the interface is collapsed.
  var stack: UINavigationController {
    columns[.primary]?.navigation ?? wrapper(for: .primary)
  }

  /// Whether a column's root is in one of the stacks.
  func isHere(_ column: SplitColumn) -> Bool {
    guard let root = column.root else { return false }
    return root.parent === column.navigation || root.parent === stack
  }

  /// The column of a navigation controller in an expanded interface.
  func column(of navigation: UIViewController) -> Column? {
    order.first { columns[$0]?.navigation === navigation }
  }

  func put(_ controller: UIViewController?, in column: Column) {
    if let old = columns[column] { clear(old, column) }
    columns[column] = nil
    guard let controller else { return }
    let own = controller as? UINavigationController
    let navigation = own ?? wrapper(for: column)
    if navigation.parent !== self { addChild(navigation) }
    if own == nil { navigation.restack([controller]) }
    columns[column] = SplitColumn(
      navigation: navigation, isApplications: own != nil, root: navigation.viewControllers.first)
  }

  /// Takes a column's controllers out of the stack that they stand in.
  private func clear(_ old: SplitColumn, _ column: Column) {
    if isCollapsed, let root = old.root, let index = stack.viewControllers.firstIndex(of: root) {
      stack.restack(Array(stack.viewControllers[..<index]))
    }
    if old.isApplications {
      old.navigation.viewIfLoaded?.removeFromSuperview()
      old.navigation.removeFromParent()
    } else if column != .primary || !isCollapsed {
      old.navigation.restack([])
    }
  }

  // MARK: Showing and hiding

  func bringIn(_ column: Column) {
    guard let known = columns[column] else { return }
    if isCollapsed { return showInStack(column) }
    if !columns(in: mode).contains(column) {
      change(to: column == .primary ? wantedWhole : .oneBesideSecondary)
    }
    active = known.navigation
  }

  func takeAway(_ column: Column) {
    if isCollapsed { return popFromStack(column) }
    switch (column, style) {
    case (.primary, .tripleColumn):
      if mode == .twoBesideSecondary { change(to: .oneBesideSecondary) }
    case (.primary, _), (.supplementary, .tripleColumn): change(to: .secondaryOnly)
    default: break
    }
  }

  /// All columns.
  private var wantedWhole: DisplayMode {
    style == .tripleColumn ? .twoBesideSecondary : .oneBesideSecondary
  }

  func toggleSidebar() {
    if columns(in: mode).first == .primary { hide(.primary) } else { show(.primary) }
  }

  func change(to new: DisplayMode) {
    guard new != mode else { return }
    guard !isCollapsed else { return mode = new }
    let (old, now) = (columns(in: mode), columns(in: new))
    delegate?.splitViewController(self, willChangeTo: new)
    for column in now where !old.contains(column) {
      delegate?.splitViewController(self, willShow: column)
    }
    for column in old where !now.contains(column) {
      delegate?.splitViewController(self, willHide: column)
    }
    rearrange(.replace) { mode = new }
  }
}
