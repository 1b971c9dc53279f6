import Foundation
import Testing

@testable import ListKit

@MainActor
private final class Log {
  var lines: [String] = []
}

private final class LoggingController: UIViewController {
  let log: Log

  init(_ name: String, _ log: Log) {
    self.log = log
    super.init(nibName: nil, bundle: nil)
    title = name
  }

  required init?(coder: NSCoder) { nil }

  private func note(_ what: String) { log.lines.append("\(title ?? "") \(what)") }
  override func viewDidLoad() { note("viewDidLoad") }
  override func viewWillAppear(_ animated: Bool) { note("willAppear") }
  override func viewIsAppearing(_ animated: Bool) { note("isAppearing") }
  override func viewDidAppear(_ animated: Bool) { note("didAppear") }
  override func viewWillDisappear(_ animated: Bool) { note("willDisappear") }
  override func viewDidDisappear(_ animated: Bool) { note("didDisappear") }
}

private final class Chooser: UITabBarControllerDelegate {
  let log: Log
  var refuses = false
  init(_ log: Log) { self.log = log }

  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { !refuses }

  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) { log.lines.append("did select \(viewController.title ?? "")") }
}

@MainActor
@Suite struct TabBarTests {
  private let log = Log()
  private let window = UIWindow(frame: .zero)

  private func makeTabs(_ names: String...) -> UITabBarController {
    let tabs = UITabBarController()
    tabs.viewControllers = names.map { LoggingController($0, log) }
    return tabs
  }

  private func show(_ tabs: UITabBarController) {
    window.rootViewController = tabs
    window.makeKeyAndVisible()
    log.lines = []
  }

  @Test func theFirstTabIsSelectedAndTheOthersAreNotLoaded() {
    let tabs = makeTabs("A", "B")
    window.rootViewController = tabs
    window.makeKeyAndVisible()
    #expect(tabs.selectedIndex == 0)
    #expect(log.lines == ["A viewDidLoad", "A willAppear", "A isAppearing", "A didAppear"])
    #expect(window.visibleViewController === tabs.viewControllers?[0])
    #expect(tabs.tabBar.items?.map(\.title) == ["A", "B"])
    #expect(UITabBarController().selectedIndex == NSNotFound)
  }

  @Test func aChangeOfTabExchangesInOrder() {
    let tabs = makeTabs("A", "B")
    show(tabs)
    tabs.selectedIndex = 1
    #expect(
      log.lines == [
        "B viewDidLoad", "B willAppear", "A willDisappear", "B isAppearing", "A didDisappear",
        "B didAppear",
      ])
    #expect(tabs.tabBar.selectedItem?.title == "B")
  }

  @Test func aTabThatWasSelectedBeforeTheWindowIsTheOneThatAppears() {
    let tabs = makeTabs("A", "B")
    tabs.selectedIndex = 1
    window.rootViewController = tabs
    window.makeKeyAndVisible()
    #expect(log.lines == ["B viewDidLoad", "B willAppear", "B isAppearing", "B didAppear"])
  }

  @Test func theDelegateHearsOfTheUsersChoiceAloneAndMayRefuse() {
    let tabs = makeTabs("A", "B")
    let chooser = Chooser(log)
    tabs.delegate = chooser
    show(tabs)
    tabs.selectedIndex = 1
    log.lines = []
    let items = tabs.tabBar.items ?? []
    tabs.tabBar.choose(items[1])
    #expect(log.lines == ["did select B"])
    chooser.refuses = true
    tabs.tabBar.choose(items[0])
    #expect(tabs.selectedIndex == 1)
  }

  @Test func theSelectedTabChosenAgainGoesBackToItsRoot() {
    let root = LoggingController("Root", log)
    let navigation = UINavigationController(rootViewController: root)
    let tabs = UITabBarController()
    tabs.viewControllers = [navigation, LoggingController("B", log)]
    show(tabs)
    navigation.pushViewController(LoggingController("Detail", log), animated: true)
    tabs.tabBar.choose(navigation.tabBarItem)
    #expect(navigation.topViewController === root)
    // A navigation controller has the tab of its first screen.
    #expect(tabs.tabBar.items?.first?.title == "Root")
  }

  @Test func newTabsKeepTheSelectionWhereTheyCan() {
    let tabs = makeTabs("A", "B", "C")
    show(tabs)
    tabs.selectedIndex = 1
    let all = tabs.viewControllers ?? []
    tabs.viewControllers = [all[1], all[2]]
    #expect(tabs.selectedViewController === all[1])
    tabs.viewControllers = [all[2]]
    #expect(tabs.selectedViewController === all[2])
    #expect(all[1].parent == nil && all[1].viewIfLoaded?.superview == nil)
    tabs.viewControllers = nil
    #expect(tabs.selectedIndex == NSNotFound)
  }

  @Test func aScreenThatHidesTheBarHasNone() {
    let navigation = UINavigationController(rootViewController: LoggingController("A", log))
    let tabs = UITabBarController()
    tabs.viewControllers = [navigation]
    show(tabs)
    let detail = LoggingController("Detail", log)
    detail.hidesBottomBarWhenPushed = true
    navigation.pushViewController(detail, animated: false)
    #expect(detail.shownTabBar == nil)
    navigation.pushViewController(LoggingController("Deeper", log), animated: false)
    #expect(navigation.topViewController?.shownTabBar == nil)
    navigation.popToRootViewController(animated: false)
    #expect(navigation.topViewController?.shownTabBar === tabs.tabBar)
  }

  @Test func aBarByItselfSelectsAndTellsItsDelegate() {
    final class Delegate: UITabBarDelegate {
      var chosen: [String] = []
      func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem) {
        chosen.append(item.title ?? "")
      }
    }
    let delegate = Delegate()
    let bar = UITabBar()
    bar.delegate = delegate
    let items = ["A", "B"].map { UITabBarItem(title: $0, image: nil, tag: 0) }
    bar.items = items
    bar.choose(items[1])
    items[0].isEnabled = false
    bar.choose(items[0])
    bar.choose(UITabBarItem(title: "Stranger", image: nil, tag: 0))
    #expect(delegate.chosen == ["B"])
    #expect(bar.selectedItem === items[1])
  }
}
