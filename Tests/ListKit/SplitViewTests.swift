import Foundation
import Testing

@testable import ListKit

/// Notes which of its appearance methods are called.
private final class Page: UIViewController {
  nonisolated(unsafe) static var log: [String] = []

  init(_ name: String) {
    super.init(nibName: nil, bundle: nil)
    title = name
    restorationIdentifier = name
  }

  required init?(coder: NSCoder) { nil }

  override func viewWillAppear(_ animated: Bool) { note("will appear") }
  override func viewDidAppear(_ animated: Bool) { note("appeared") }
  override func viewWillDisappear(_ animated: Bool) { note("will disappear") }
  override func viewDidDisappear(_ animated: Bool) { note("disappeared") }
  private func note(_ what: String) { Self.log.append("\(title ?? "") \(what)") }
}

/// Leads to pages of any name in the next column.
private final class List: UITableViewController, ScreenRestoration {
  init(_ name: String) {
    super.init(style: .plain)
    title = name
    restorationIdentifier = name
  }

  required init?(coder: NSCoder) { nil }

  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard identifier != "nowhere" else { return false }
    showDetailViewController(Page(identifier), sender: self)
    return true
  }
}

private final class Chooser: UISplitViewControllerDelegate {
  var top: UISplitViewController.Column?
  var log: [String] = []

  func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column { top ?? proposedTopColumn }
  func splitViewControllerDidCollapse(_ svc: UISplitViewController) { log.append("collapsed") }
  func splitViewControllerDidExpand(_ svc: UISplitViewController) { log.append("expanded") }
  func splitViewController(
    _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode
  ) { log.append("mode \(displayMode.rawValue)") }
  func splitViewController(
    _ svc: UISplitViewController, willShow column: UISplitViewController.Column
  ) { log.append("show \(column.rawValue)") }
  func splitViewController(
    _ svc: UISplitViewController, willHide column: UISplitViewController.Column
  ) { log.append("hide \(column.rawValue)") }
}

@MainActor
@Suite struct SplitViewTests {
  private let scene = UIWindowScene()
  private let window: UIWindow
  private let list = List("list")
  private let chooser = Chooser()

  init() { window = UIWindow(windowScene: scene) }

  private func makeSplit(
    _ style: UISplitViewController.Style = .doubleColumn, isWide: Bool = true
  ) -> UISplitViewController {
    let split = UISplitViewController(style: style)
    split.delegate = chooser
    split.setViewController(list, for: .primary)
    scene.setWide(isWide)
    window.rootViewController = split
    window.makeKeyAndVisible()
    return split
  }

  private var titles: [String?] { window.visibleColumns.map(\.title) }
  private var place: [String?] { window.restorationLevels.map(\.identifier) }
  private func stack(_ column: UISplitViewController.Column) -> [String?] {
    let split = window.rootViewController as? UISplitViewController
    return (split?.viewController(for: column)?.navigationController?.viewControllers ?? [])
      .map(\.title)
  }

  @Test func columnsStandBesideEachOtherInAWideWindow() {
    let split = makeSplit()
    #expect(!split.isCollapsed)
    #expect(titles == ["list"])
    let page = Page("a")
    list.showDetailViewController(page, sender: nil)
    #expect(titles == ["list", "a"])
    #expect(split.viewController(for: .secondary) === page)
    #expect(page.splitViewController === split)
    #expect(page.navigationController !== list.navigationController)
    #expect(window.visibleLayers.count == 2)
    #expect(place == ["a"])
  }

  @Test func aNarrowWindowHasOneStack() {
    let split = makeSplit(isWide: false)
    #expect(split.isCollapsed)
    list.showDetailViewController(Page("a"), sender: nil)
    #expect(titles == ["a"])
    #expect(stack(.secondary) == ["list", "a"])
    #expect(place == ["a"])
    list.navigationController?.popViewController(animated: true)
    #expect(titles == ["list"])
    #expect(split.viewController(for: .secondary) == nil)
    #expect(place == [])
  }

  @Test func collapsingAndExpandingKeepsWhereOneWas() {
    let split = makeSplit()
    let page = Page("a")
    list.showDetailViewController(page, sender: nil)
    page.navigationController?.pushViewController(Page("b"), animated: true)
    #expect(place == ["a", "b"])
    for _ in 0..<2 {
      scene.setWide(false)
      #expect(titles == ["b"])
      #expect(list.navigationController?.viewControllers.map(\.title) == ["list", "a", "b"])
      #expect(place == ["a", "b"])
      scene.setWide(true)
      #expect(titles == ["list", "b"])
      #expect(stack(.secondary) == ["a", "b"])
      #expect(place == ["a", "b"])
    }
    #expect(split.viewController(for: .secondary) === page)
    #expect(chooser.log == ["collapsed", "expanded", "collapsed", "expanded"])
  }

  @Test func onlyWhatIsCoveredOrUncoveredAppearsAndDisappears() {
    _ = makeSplit()
    let first = Page("first")
    let split = window.rootViewController as? UISplitViewController
    split?.setViewController(first, for: .primary)
    let page = Page("a")
    first.showDetailViewController(page, sender: nil)
    Page.log = []
    scene.setWide(false)
    #expect(Page.log == ["first will disappear", "first disappeared"])
    Page.log = []
    scene.setWide(true)
    #expect(Page.log == ["first will appear", "first appeared"])
    Page.log = []
    first.showDetailViewController(Page("b"), sender: nil)
    #expect(
      Page.log == ["a will disappear", "b will appear", "a disappeared", "b appeared"])
    #expect(page.viewIfLoaded?.window == nil)
  }

  @Test func theDelegateChoosesTheColumnOnTopOfTheStack() {
    let split = makeSplit()
    let empty = UIViewController()
    split.setViewController(empty, for: .secondary)
    chooser.top = .primary
    scene.setWide(false)
    #expect(titles == ["list"])
    #expect(list.navigationController?.viewControllers == [list])
    scene.setWide(true)
    #expect(window.visibleColumns == [list, empty])
    // A root without an identifier is not part of the place.
    #expect(place == [])
  }

  @Test func aCompactColumnStandsInThePlaceOfAllOthers() {
    let split = makeSplit()
    let compact = Page("compact")
    split.setViewController(compact, for: .compact)
    #expect(titles == ["list"])
    scene.setWide(false)
    #expect(titles == ["compact"])
    scene.setWide(true)
    #expect(titles == ["list"])
  }

  @Test func threeColumnsBecomeOneStackAndThreeColumnsAgain() {
    let split = makeSplit(.tripleColumn)
    split.setViewController(Page("a"), for: .supplementary)
    split.setViewController(Page("b"), for: .secondary)
    #expect(titles == ["list", "a", "b"])
    #expect(place == ["a", "b"])
    scene.setWide(false)
    #expect(list.navigationController?.viewControllers.map(\.title) == ["list", "a", "b"])
    list.navigationController?.popViewController(animated: true)
    scene.setWide(true)
    #expect(titles == ["list", "a"])
    #expect(split.viewController(for: .secondary) == nil)
  }

  @Test func theSidebarIsHiddenAndShown() {
    let split = makeSplit(.tripleColumn)
    split.setViewController(Page("a"), for: .supplementary)
    split.setViewController(Page("b"), for: .secondary)
    let button = split.displayModeButtonItem
    #expect(list.shownDisplayModeButton === button)
    button.press()
    #expect(titles == ["a", "b"])
    #expect(split.displayMode == .oneBesideSecondary)
    #expect(list.shownDisplayModeButton == nil)
    #expect(window.visibleColumns.first?.shownDisplayModeButton === button)
    #expect(button.accessibilityLabel == "Show sidebar")
    button.press()
    #expect(titles == ["list", "a", "b"])
    #expect(chooser.log == ["mode 2", "hide 0", "mode 4", "show 0"])
    split.hide(.supplementary)
    #expect(titles == ["b"])
    split.show(.supplementary)
    #expect(titles == ["a", "b"])
  }

  @Test func aPreferredDisplayModeHoldsAfterANarrowTime() {
    let split = makeSplit(isWide: false)
    list.showDetailViewController(Page("a"), sender: nil)
    split.preferredDisplayMode = .secondaryOnly
    scene.setWide(true)
    #expect(titles == ["a"])
    split.preferredDisplayMode = .automatic
    #expect(titles == ["list", "a"])
  }

  @Test func showInANarrowWindowPushesAColumnOrPopsToIt() {
    let split = makeSplit(.tripleColumn, isWide: false)
    split.setViewController(Page("a"), for: .supplementary)
    #expect(titles == ["list"])
    split.show(.supplementary)
    split.setViewController(Page("b"), for: .secondary)
    split.show(.secondary)
    #expect(stack(.secondary) == ["list", "a", "b"])
    split.show(.supplementary)
    #expect(titles == ["a"])
    split.hide(.supplementary)
    #expect(titles == ["list"])
  }

  @Test func aColumnIsReplacedInANarrowWindow() {
    let split = makeSplit(isWide: false)
    list.showDetailViewController(Page("a"), sender: nil)
    list.showDetailViewController(Page("b"), sender: nil)
    #expect(stack(.secondary) == ["list", "b"])
    split.setViewController(nil, for: .secondary)
    #expect(titles == ["list"])
  }

  @Test func aNavigationControllerOfTheApplicationsIsKept() {
    let split = makeSplit()
    let navigation = UINavigationController(rootViewController: Page("a"))
    split.setViewController(navigation, for: .secondary)
    #expect(split.viewControllers.last === navigation)
    scene.setWide(false)
    #expect(titles == ["a"])
    scene.setWide(true)
    #expect(split.viewController(for: .secondary) === navigation)
    #expect(navigation.viewControllers.map(\.title) == ["a"])
  }

  @Test func aSheetOfAnyColumnIsAboveAllOfThem() {
    _ = makeSplit()
    let page = Page("a")
    list.showDetailViewController(page, sender: nil)
    let sheet = Page("sheet")
    list.present(sheet, animated: true)
    #expect(window.visibleSheets == [sheet])
    #expect(window.visibleViewController === sheet)
    #expect(place == ["a", "sheet"])
    scene.setWide(false)
    #expect(window.visibleColumns == [page])
    #expect(window.visibleSheets == [sheet])
    #expect(place == ["a", "sheet"])
    scene.setWide(true)
    sheet.dismiss(animated: true)
    #expect(titles == ["list", "a"])
  }

  @Test(arguments: [true, false]) func aPlaceIsRestored(isWide: Bool) {
    _ = makeSplit(isWide: isWide)
    window.restore(["a"])
    #expect(titles.last == "a")
    window.restore(["b"])
    #expect(titles == (isWide ? ["list", "b"] : ["b"]))
    window.restore(["nowhere"])
    #expect(place == [])
    #expect(titles == ["list"])
  }

  @Test func theAttentionIsWithAColumn() {
    _ = makeSplit()
    #expect(window.visibleViewController === list)
    let page = Page("a")
    list.showDetailViewController(page, sender: nil)
    #expect(window.visibleViewController === page)
    list.attend()
    #expect(window.visibleViewController === list)
    #expect(place == ["a"])
  }
}
