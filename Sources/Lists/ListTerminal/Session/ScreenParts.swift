import Foundation
import ListKit
import Undo

/// The identity of an element that Tab reaches.
enum StopID: Hashable {
  case object(ObjectIdentifier)
  case back, undo, redo

  init(_ object: AnyObject) { self = .object(ObjectIdentifier(object)) }
}

/// A button of a bar, of the application or built in.
@MainActor
struct BarButton {
  let id: StopID
  let title: String
  var symbol: KeyPath<Symbols, String>?
  var isEnabled = true
  var isDone = false
  let press: @MainActor () -> Void
}

@MainActor
struct Stop {
  enum Kind {
    case bar(BarButton)
    case field(UITextField)
    case picker(UIDatePicker)
    case button(UIButton)
    case control(UIControl)
    case list(ListView)
    case tab(UITabBar, UITabBarItem)
    case answer(UIAlertAction)
  }

  let id: StopID
  let kind: Kind

  init(_ object: AnyObject, kind: Kind) { (id, self.kind) = (StopID(object), kind) }
  init(_ button: BarButton) { (id, kind) = (button.id, .bar(button)) }
}

/// The parts of a controller's screen, for both the screen and plain mode.
@MainActor
struct ScreenParts {
  let controller: UIViewController

  var title: String { controller.navigationItem.title ?? controller.title ?? "" }
  var prompt: String? { controller.navigationItem.prompt }
  var searchBar: UISearchBar? { controller.navigationItem.searchController?.searchBar }
  var tabBar: UITabBar? { controller.shownTabBar }
  var tables: [ListView] { views.compactMap { $0 as? ListView } }
  /// The segmented control that gets the keys of tabs, on a screen without tabs.
  var segments: UISegmentedControl? {
    guard tabBar == nil else { return nil }
    return views.lazy.compactMap { $0 as? UISegmentedControl }.first(where: \.isEnabled)
  }

  // MARK: Bar

  var left: [BarButton] {
    [back, controller.shownDisplayModeButton.map(Self.button)].compactMap(\.self)
      + (controller.navigationItem.leftBarButtonItems ?? []).map(Self.button)
  }

  /// The buttons of the navigation controller's toolbar, and of toolbars in the screen itself.
  var toolbar: [BarButton] {
    let own = controller.viewIfLoaded.map { Self.toolbars($0) } ?? []
    return ([controller.shownToolbar].compactMap(\.self) + own).filter { !$0.isHidden }
      .flatMap { $0.items ?? [] }.filter { !$0.isSpace }.map(Self.button)
  }

  /// All buttons of bars.
  var buttons: [BarButton] { left + right + toolbar }

  private static func toolbars(_ view: UIView) -> [UIToolbar] {
    if view.isHidden || view is ListView { return [] }
    return (view as? UIToolbar).map { [$0] } ?? view.subviews.flatMap(toolbars)
  }

  /// UIKit lays out right items from the edge inwards.
  var right: [BarButton] {
    undoButtons
      + (controller.navigationItem.rightBarButtonItems ?? []).reversed().map(Self.button)
  }

  /// Those that are drawn: of columns beside each other the last one has undo and redo, whose keys
  /// all have.
  var shownRight: [BarButton] {
    controller.leavesUndoToLaterColumn
      ? right.filter { $0.id != .undo && $0.id != .redo } : right
  }

  var back: BarButton? {
    guard let navigation = controller.navigationController,
      !controller.navigationItem.hidesBackButton,
      let index = navigation.viewControllers.firstIndex(of: controller), index > 0
    else { return nil }
    let below = navigation.viewControllers[index - 1]
    let title =
      below.navigationItem.backButtonTitle ?? below.navigationItem.title ?? below.title ?? "Back"
    return BarButton(id: .back, title: title, symbol: \.back) {
      navigation.popViewController(animated: true)
    }
  }

  private static func button(_ item: UIBarButtonItem) -> BarButton {
    let kind = item.image.flatMap { kinds[$0.systemName] }
    return BarButton(
      id: kind?.id ?? StopID(item), title: item.title ?? item.accessibilityLabel ?? "",
      symbol: kind?.symbol, isEnabled: item.isEnabled, isDone: item.style == .done
    ) { item.press() }
  }

  private struct Kind {
    let id: StopID
    let symbol: KeyPath<Symbols, String>
  }

  /// The buttons that are drawn as undo and redo, by the name of their picture.
  private static let kinds = [
    "arrow.uturn.backward": Kind(id: .undo, symbol: \.undo),
    "arrow.uturn.forward": Kind(id: .redo, symbol: \.redo),
  ]

  /// Undo and redo buttons for the controller's undo manager, unless the controller has its own.
  private var undoButtons: [BarButton] {
    let item = controller.navigationItem
    let own = (item.leftBarButtonItems ?? []) + (item.rightBarButtonItems ?? [])
    let hasOwn = own.contains { $0.image.map { Self.kinds[$0.systemName] != nil } ?? false }
    let window = controller.viewIfLoaded?.window
    guard !hasOwn, let manager = controller.undoManager ?? window?.undoManager else { return [] }
    guard manager !== window?.undoManager || manager.canUndo || manager.canRedo else { return [] }
    return [
      BarButton(
        id: .undo, title: manager.canUndo ? manager.undoMenuItemTitle : "Undo", symbol: \.undo,
        isEnabled: manager.canUndo
      ) { window?.undo() },
      BarButton(
        id: .redo, title: manager.canRedo ? manager.redoMenuItemTitle : "Redo", symbol: \.redo,
        isEnabled: manager.canRedo
      ) { window?.redo() },
    ]
  }

  // MARK: Content

  /// The buttons of what stands in place of a list's rows while it has none.
  var emptyButtons: [UIButton] {
    tables.filter { $0.counts.total == 0 }.flatMap { table in
      table.backgroundView.map(Self.views) ?? []
    }
    .compactMap { $0 as? UIButton }.filter(\.isEnabled)
  }

  /// The views with content, from top to bottom.
  var views: [UIView] { blocks.flatMap(\.self) }

  /// The views with content, grouped: views of a horizontal stack are one group.
  var blocks: [[UIView]] { controller.viewIfLoaded.map { Self.blocks($0) } ?? [] }

  /// The views with content of a tree, from top to bottom.
  static func views(in view: UIView) -> [UIView] { blocks(view).flatMap(\.self) }

  private static func blocks(_ view: UIView, withHidden: Bool = false) -> [[UIView]] {
    func inside(_ views: [UIView?]) -> [[UIView]] {
      views.compactMap(\.self).flatMap { blocks($0, withHidden: withHidden) }
    }
    if view.isHidden && !withHidden || view is UITabBar || view is UIToolbar { return [] }
    if let table = view as? ListView {
      return inside([table.refreshControl, table.headerView]) + [[table]]
        + inside([table.footerView])
    }
    if view is UILabel || view is UIControl || view is UISearchBar || view is UIProgressView
      || view is UIActivityIndicatorView
    {
      return [[view]]
    }
    if view.subviews.isEmpty { return view.accessibilityLabel == nil ? [] : [[view]] }
    let all = inside(view.subviews)
    guard let stack = view as? UIStackView, stack.axis == .horizontal, !all.isEmpty,
      !all.joined().contains(where: { $0 is ListView })
    else { return all }
    return [all.flatMap(\.self)]
  }

  /// The elements that Tab reaches, from top left to bottom.
  var stops: [Stop] {
    var stops = (left + right).filter(\.isEnabled).map(Stop.init)
    if let field = searchBar?.searchTextField { stops.append(Stop(field, kind: .field(field))) }
    stops += views.compactMap(Self.stop)
    stops += emptyButtons.map { Stop($0, kind: .button($0)) }
    stops += toolbar.filter(\.isEnabled).map(Stop.init)
    if let tabBar {
      stops += (tabBar.items ?? []).filter(\.isEnabled).map { Stop($0, kind: .tab(tabBar, $0)) }
    }
    return stops
  }

  private static func stop(_ view: UIView) -> Stop? {
    switch view {
    case let table as ListView: Stop(table, kind: .list(table))
    case let bar as UISearchBar: Stop(bar.searchTextField, kind: .field(bar.searchTextField))
    case let control as UIControl where !control.isEnabled: nil
    case let field as UITextField: Stop(field, kind: .field(field))
    case let picker as UIDatePicker: Stop(picker, kind: .picker(picker))
    case let button as UIButton: Stop(button, kind: .button(button))
    case let refresh as UIRefreshControl where refresh.isRefreshing: nil
    case let control as UIControl: Stop(control, kind: .control(control))
    default: nil
    }
  }

  /// The fields above the rows in which Return adds a row. The list may be hidden while it is
  /// empty.
  var headerFields: [UITextField] {
    let all =
      controller.viewIfLoaded.map { Self.blocks($0, withHidden: true).flatMap(\.self) } ?? []
    guard let list = all.firstIndex(where: { $0 is ListView }) else { return [] }
    let shown = views
    return all[..<list].compactMap { $0 as? UITextField }
      .filter { field in field.doesSomethingOnReturn && shown.contains { $0 === field } }
  }
}

/// The parts of an alert.
@MainActor
struct AlertParts {
  let alert: UIAlertController

  /// The buttons as UIKit orders them: the cancel action first in a pair, last in a column.
  var actions: [UIAlertAction] {
    let cancel = alert.actions.filter { $0.style == .cancel }
    let others = alert.actions.filter { $0.style != .cancel }
    return isRow ? cancel + others : others + cancel
  }

  /// Whether the buttons are side by side: at most two.
  var isRow: Bool { alert.preferredStyle == .alert && alert.actions.count <= 2 }

  /// The action that Return chooses.
  var preferred: UIAlertAction? {
    alert.preferredAction ?? alert.actions.last { $0.style == .default }
      ?? (alert.preferredStyle == .alert ? alert.actions.last { $0.style == .cancel } : nil)
  }

  var stops: [Stop] {
    (alert.textFields ?? []).filter(\.isEnabled).map { Stop($0, kind: .field($0)) }
      + actions.filter(\.isEnabled).map { Stop($0, kind: .answer($0)) }
  }
}
