import CoreData
import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A list of the columns: it knows the rows by the identifiers of the screens that they lead to.
@MainActor
package protocol ColumnList: UITableViewController {
  func indexPath(ofRowLeadingTo identifier: String) -> IndexPath?
}

/// A list and what it leads to: columns beside each other in a wide window, one stack in a narrow
/// one. An empty column says what to choose. Whether the first column is hidden is stored in the
/// user defaults.
package final class ColumnsController: UISplitViewController {
  private static let hidesSidebarKey = "HidesSidebar"
  private let defaults: UserDefaults
  private let nothing: NothingChosen
  /// Called when other columns are shown, or when they have become one stack.
  package var onChange: @MainActor () -> Void = {}
  private var isAdjusting = false
  /// The first column that is shown, now or after the change that is announced.
  private var firstColumn = Column.primary

  /// The stack at the leading edge.
  package var leadingNavigation: UINavigationController? {
    viewController(for: isCollapsed ? .primary : firstColumn)?.navigationController
  }

  /// - Parameter nothing: what an empty column says.
  package init(
    _ list: UIViewController, style: UISplitViewController.Style, nothing: NothingChosen,
    defaults: UserDefaults = .standard
  ) {
    self.nothing = nothing
    self.defaults = defaults
    super.init(style: style)
    delegate = self
    setViewController(list, for: .primary)
    for column in order.dropFirst() { setViewController(nil, for: column) }
  }

  package required init?(coder: NSCoder) { nil }

  private var order: [Column] {
    style == .tripleColumn ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
  }

  // MARK: - What is shown

  /// Shows what a screen leads to: in the next column, or in the last one above the screen.
  package func showNext(_ controller: UIViewController, from screen: UIViewController) {
    guard let column = column(after: screen) else {
      screen.navigationController?.pushViewController(controller, animated: true)
      return
    }
    let shown = viewController(for: column)
    let isShown =
      shown?.restorationIdentifier != nil
      && shown?.restorationIdentifier == controller.restorationIdentifier
    if !isShown {
      setViewController(controller, for: column)
      for later in order.drop(while: { $0 != column }).dropFirst() {
        setViewController(nil, for: later)
      }
    }
    show(column)
  }

  /// Leaves a screen whose object is gone, and all that it has led to.
  package func leave(_ screen: UIViewController) {
    guard let navigation = screen.navigationController,
      let index = navigation.viewControllers.firstIndex(of: screen), let column = column(of: screen)
    else { return }
    for later in order.drop(while: { $0 != column }).dropFirst() { empty(later) }
    if viewController(for: column) !== screen {
      navigation.popToViewController(navigation.viewControllers[index - 1], animated: true)
    } else if column != .primary {
      empty(column)
    }
  }

  /// Shows another list, and nothing that the former has led to.
  package func beginAnew(with list: UIViewController) {
    for column in order.dropFirst().reversed() { empty(column) }
    setViewController(list, for: .primary)
  }

  private func empty(_ column: Column) {
    if isCollapsed { hide(column) }
    setViewController(nil, for: column)
  }

  /// The column in whose stack a screen is.
  private func column(of screen: UIViewController) -> Column? {
    guard let navigation = screen.navigationController,
      let index = navigation.viewControllers.firstIndex(of: screen)
    else { return nil }
    return order.last { column in
      guard let root = viewController(for: column) else { return false }
      return navigation.viewControllers[...index].contains(root)
    }
  }

  private func column(after screen: UIViewController) -> Column? {
    guard let column = column(of: screen) else { return nil }
    return order.drop { $0 != column }.dropFirst().first
  }

  /// What a column shows; nil for nothing.
  package func chosen(in column: Column) -> UIViewController? {
    viewController(for: column).flatMap { $0 is NothingController ? nil : $0 }
  }

  /// Sets what a column shows; in the place of nil it says what to choose, unless the column before
  /// says so.
  package override func setViewController(
    _ controller: UIViewController?, for column: Column
  ) {
    super.setViewController(controller ?? makeEmpty(column), for: column)
    for later in order.drop(while: { $0 != column }).dropFirst() where isEmpty(later) {
      super.setViewController(makeEmpty(later), for: later)
    }
    adjust()
  }

  private func isEmpty(_ column: Column) -> Bool {
    viewController(for: column) is NothingController
  }

  private func makeEmpty(_ column: Column) -> UIViewController {
    let before = order.prefix { $0 != column }.last
    let empty = NothingController(nothing, beside: viewController(for: .primary))
    empty.isLater = before.map(isEmpty) ?? false
    return empty
  }

  // MARK: - The sidebar, and the chosen rows

  /// The sidebar is shown as long as nothing is chosen: without it there is nothing to choose from.
  private func adjust() {
    guard order.allSatisfy({ viewController(for: $0) != nil }) || isCollapsed else { return }
    isAdjusting = true
    let hides = defaults.bool(forKey: Self.hidesSidebarKey) && chosen(in: order[1]) != nil
    let hidden: DisplayMode = style == .tripleColumn ? .oneBesideSecondary : .secondaryOnly
    preferredDisplayMode = hides ? hidden : .automatic
    isAdjusting = false
    if !isCollapsed { markChosen() }
  }

  /// Marks the row of what stands in the next column.
  package func markChosen() {
    for (column, next) in zip(order, order.dropFirst()) {
      guard let list = viewController(for: column) as? any ColumnList, list.isViewLoaded else {
        continue
      }
      let identifier = chosen(in: next)?.restorationIdentifier
      let wanted = identifier.flatMap(list.indexPath(ofRowLeadingTo:))
      let marked = list.tableView.indexPathsForSelectedRows ?? []
      for path in marked where path != wanted {
        list.tableView.deselectRow(at: path, animated: false)
      }
      guard let wanted, !marked.contains(wanted) else { continue }
      list.tableView.selectRow(at: wanted, animated: false, scrollPosition: .none)
    }
  }
}

extension ColumnsController: UISplitViewControllerDelegate {
  package func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column { order.last { chosen(in: $0) != nil } ?? .primary }

  package func splitViewControllerDidCollapse(_ svc: UISplitViewController) { onChange() }

  package func splitViewControllerDidExpand(_ svc: UISplitViewController) {
    for column in order where viewController(for: column) == nil {
      setViewController(nil, for: column)
    }
    firstColumn = self.firstColumn(in: displayMode)
    adjust()
    onChange()
  }

  /// Remembers what the person chose.
  package func splitViewController(
    _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode
  ) {
    firstColumn = firstColumn(in: displayMode)
    onChange()
    guard !isAdjusting else { return }
    defaults.set(firstColumn != .primary, forKey: Self.hidesSidebarKey)
    // On Linux, user defaults are written to disk only on request.
    defaults.synchronize()
  }

  private func firstColumn(in mode: DisplayMode) -> Column {
    switch mode {
    case .secondaryOnly: .secondary
    case .oneBesideSecondary where style == .tripleColumn: .supplementary
    default: .primary
    }
  }
}

/// What a column without content says.
package struct NothingChosen: Sendable {
  let heading: String
  let explanation: String
  /// What a column says if the one before it has nothing either.
  let later: String?

  package init(_ heading: String, explanation: String, later: String? = nil) {
    (self.heading, self.explanation, self.later) = (heading, explanation, later)
  }
}

/// A column without content.
private final class NothingController: UITableViewController {
  private let nothing: NothingChosen
  private weak var list: UIViewController?
  /// Whether the column before says what to choose.
  var isLater = false

  /// - Parameter list: the first column's, which is undone here, too.
  init(_ nothing: NothingChosen, beside list: UIViewController?) {
    (self.nothing, self.list) = (nothing, list)
    super.init(style: .plain)
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { list?.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.accessibilityLabel = nothing.heading
    if isLater, nothing.later == nil { return }
    let emptyView = EmptyView(frame: .zero)
    emptyView.show(
      isLater ? "" : nothing.heading,
      explanation: isLater ? nothing.later : nothing.explanation)
    tableView.backgroundView = emptyView
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell(style: .default, reuseIdentifier: nil) }
}

extension UIViewController {
  /// The columns that this screen stands in.
  package var columnsController: ColumnsController? { splitViewController as? ColumnsController }
}
