import Foundation
import ListKit
import Testing

@testable import ListWeb

/// Two tabs of titles, each with a search: events in, messages out.
@MainActor
@Suite struct TabsAndSearchTests {
  private let tabs = UITabBarController()
  private let lists = ["First", "Second"].map {
    FilteredList(["Ant", "Bee", "Antelope"], title: $0)
  }

  private func makeSession() -> WindowSession {
    tabs.viewControllers = lists.map { UINavigationController(rootViewController: $0) }
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = tabs
    let session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
    return session
  }

  private func send(
    _ session: WindowSession, _ type: String, _ object: AnyObject, _ text: String? = nil
  ) throws -> String {
    let before = session.log.last
    var event = WindowEvent(type: type)
    event.id = session.names.name(for: object)
    event.text = text
    try session.handle(event)
    return (session.log.messages(after: before) ?? []).map(\.text).joined()
  }

  @Test func thePageHasTheTabsWithTheSelectedOneMarked() throws {
    let session = makeSession()
    let page = session.drawScreen().markup
    #expect(page.contains("role=\"tablist\""))
    #expect(page.contains("aria-selected=\"true\" tabindex=\"0\" data-tab="))
    #expect(try send(session, "tab", lists[1].navigationController!.tabBarItem).contains("Second"))
    #expect(tabs.selectedIndex == 1)
    #expect(session.shownScreens.last?.controller === lists[1])
  }

  @Test func aTabThatChangesIsDrawnAloneAndAForeignOneMeansNothing() throws {
    let session = makeSession()
    let before = session.log.last
    lists[1].tabBarItem.badgeValue = "<3>"
    session.flush()
    let sent = (session.log.messages(after: before) ?? []).map(\.text).joined()
    #expect(sent.contains("&lt;3&gt;"))
    #expect(!sent.contains("\"op\":\"screen\""))
    #expect(try send(session, "tab", UITabBarItem(title: "?", image: nil, tag: 0)) == "")
    #expect(tabs.selectedIndex == 0)
  }

  @Test func typingNarrowsTheListAndNeverSendsTheTextBack() throws {
    let session = makeSession()
    let field = lists[0].search.searchBar.searchTextField
    let sent = try send(session, "type", field, "an")
    #expect(lists[0].shown == ["Ant", "Antelope"])
    #expect(sent.contains("\"op\":\"table\""))
    #expect(!sent.contains("\"op\":\"field\""))
  }

  @Test func cancellingSaysThatTheFieldIsEmpty() throws {
    let session = makeSession()
    let search = lists[0].search
    _ = try send(session, "type", search.searchBar.searchTextField, "bee")
    let sent = try send(session, "cancelSearch", search.searchBar)
    #expect(sent.contains("\"op\":\"field\""))
    #expect(lists[0].shown.count == 3)
    #expect(!search.isActive)
  }

  @Test func textForASearchThatIsNotSeenIsTold() throws {
    let session = makeSession()
    tabs.selectedIndex = 1
    session.flush()
    let sent = try send(session, "type", lists[0].search.searchBar.searchTextField, "bee")
    #expect(sent.contains("That field is no longer there."))
    #expect(lists[0].shown.count == 3)
  }
}

/// Titles of which a search leaves some.
final class FilteredList: UITableViewController, UISearchResultsUpdating {
  private let titles: [String]
  let search = UISearchController(searchResultsController: nil)
  private(set) var shown: [String]

  init(_ titles: [String], title: String) {
    self.titles = titles
    shown = titles
    super.init(style: .plain)
    self.title = title
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    search.searchResultsUpdater = self
    navigationItem.searchController = search
  }

  func updateSearchResults(for searchController: UISearchController) {
    let text = (searchController.searchBar.text ?? "").lowercased()
    shown = titles.filter { text.isEmpty || $0.lowercased().hasPrefix(text) }
    tableView.reloadData()
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    shown.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = shown[indexPath.row]
    return cell
  }
}
