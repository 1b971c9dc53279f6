import Foundation
import ListKit
import ListSnapshots
import TestSupport
import Testing

@testable import ListWeb

/// What others have changed, in its order: each window takes it over when it has its turn.
@MainActor
private final class SharedChanges {
  enum Change {
    case insert(String, at: Int)
    case remove(String)
    case rename(String, to: String)
    case move(String, to: Int)
    case title(String)
  }

  var changes: [Change] = []
  var count = 0
}

/// A list with rows of its own, which are those of the other windows once it has taken over all.
private final class SharedTitlesController: UITableViewController, SharedRows {
  var rows: [(id: String, title: String)]
  var sharingKey: String?
  var cellsAskedFor = 0

  init(_ rows: [(id: String, title: String)], key: String?) {
    self.rows = rows
    sharingKey = key
    super.init(style: .plain)
    title = "Shared"
    restorationIdentifier = "shared"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    cellsAskedFor += 1
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = rows[indexPath.row].title
    return cell
  }

  override func tableView(
    _ tableView: UITableView, identifierForRowAt indexPath: IndexPath
  ) -> String? { rows[indexPath.row].id }

  func apply(_ change: SharedChanges.Change) {
    func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }
    func row(_ id: String) -> Int? { rows.firstIndex { $0.id == id } }
    switch change {
    case .insert(let id, let place):
      rows.insert((id, "new \(id)"), at: min(place, rows.count))
      tableView.insertRows(at: [path(min(place, rows.count - 1))], with: .automatic)
    case .remove(let id):
      guard let row = row(id) else { return }
      rows.remove(at: row)
      tableView.deleteRows(at: [path(row)], with: .automatic)
    case .rename(let id, let title):
      guard let row = row(id) else { return }
      rows[row].title = title
      tableView.reconfigureRows(at: [path(row)])
    case .move(let id, let place):
      guard let row = row(id) else { return }
      let target = min(place, rows.count - 1)
      rows.insert(rows.remove(at: row), at: target)
      tableView.moveRow(at: path(row), to: path(target))
    case .title(let title): self.title = title
    }
  }
}

/// A window, what it follows, and its page, which takes in the messages.
@MainActor
private final class SharedWindow: SceneFollowing {
  let changes: SharedChanges
  let list: SharedTitlesController
  let session: WindowSession
  private let scene = UIWindowScene()
  private var position: Int
  var mustLook = false
  var turnsAskedFor = 0
  /// The names and titles that the page shows.
  private(set) var page: [(name: String, title: String)] = []
  private var last: Int
  private(set) var tablesDrawn = 0

  init(_ changes: SharedChanges, rows: [(id: String, title: String)], key: String? = "titles") {
    self.changes = changes
    position = changes.changes.count
    list = SharedTitlesController(rows, key: key)
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: list)
    // Windows have used different numbers of names.
    session = WindowSession(token: "\(ObjectIdentifier(list))", scene: scene, window: window)
    changes.count += 1
    for _ in 0..<changes.count { _ = session.names.name(for: NSObject()) }
    last = 0
    let html = session.drawScreen().markup
    session.flush()
    last = session.log.last
    page = Self.rows(html)
    scene.following = self
  }

  var isBehind: Bool { position < changes.changes.count }
  func askForTurn() { turnsAskedFor += 1 }

  func takeOver() {
    let new = changes.changes[position...]
    position = changes.changes.count
    for change in new { list.apply(change) }
  }

  func takeTurn() { list.view.window?.takeTurn() }

  /// Something that the window's user does.
  func act(_ change: SharedChanges.Change) {
    session.stepOut()
    #expect(!isBehind)
    changes.changes.append(change)
    position = changes.changes.count
    list.apply(change)
    session.flush()
  }

  // MARK: The page

  private static func rows(_ html: String) -> [(name: String, title: String)] {
    html.matches(of: /data-row="([^"]+)".*?<div class="title"[^>]*>(.*?)<\/div>/).map {
      (String($0.1), String($0.2))
    }
  }

  /// Takes in the messages that have come, as the page's scripts do.
  func receive() throws {
    for message in try #require(session.log.messages(after: last)) {
      #expect(message.sequence == last + 1)
      last = message.sequence
      let operations = try JSONSerialization.jsonObject(with: Data(message.text.utf8))
      for operation in try #require(operations as? [[String: Any]]) { try apply(operation) }
    }
  }

  private func apply(_ operation: [String: Any]) throws {
    let kind = operation["op"] as? String
    guard ["rows", "table", "row"].contains(kind) else { return }
    #expect(operation["id"] as? String == session.names.name(for: list.tableView))
    let html = operation["html"] as? String ?? ""
    if kind == "table" {
      tablesDrawn += 1
      page = Self.rows(html)
      return
    }
    func parts(_ name: String) -> [[String: Any]] { operation[name] as? [[String: Any]] ?? [] }
    let held = Dictionary(page.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let leaving = (parts("removed") + parts("moved")).compactMap { $0["row"] as? String }
    page.removeAll { leaving.contains($0.name) }
    var arriving: [(place: Int, row: (name: String, title: String))] = []
    for part in parts("moved") {
      let name = try #require(part["row"] as? String)
      arriving.append((try #require(part["place"] as? Int), try #require(held[name])))
    }
    for part in parts("inserted") {
      let row = try #require(Self.rows(part["html"] as? String ?? "").first)
      arriving.append((try #require(part["place"] as? Int), row))
    }
    for (place, row) in arriving.sorted(by: { $0.place < $1.place }) {
      page.insert(row, at: place)
    }
    for part in parts("reloaded") + (kind == "row" ? [operation] : []) {
      let row = try #require(Self.rows(part["html"] as? String ?? "").first)
      let index = try #require(page.firstIndex { $0.name == row.name })
      page[index] = row
    }
  }

  func expectPage(_ place: String) {
    let shown = page.map { "\($0.name) \($0.title)" }
    let wanted = list.rows.prefix(page.count).map { "\($0.id) \($0.title)" }
    #expect(shown == wanted && page.count == min(40, list.rows.count), "\(place)")
  }
}

/// Windows that show the same list: one makes the patches, and the pages of all show them.
@MainActor
@Suite(.serialized) struct SharedListTests {
  private func rows(_ count: Int = 12) -> [(id: String, title: String)] {
    (0..<count).map { ("p\($0)", "Row \($0)") }
  }

  /// Windows whose first turns have brought them together.
  private func makeWindows(
    _ count: Int, _ changes: SharedChanges, rows: [(id: String, title: String)]? = nil
  ) -> [SharedWindow] {
    // A key of the test's own: lists are known to the whole process.
    let key = UUID().uuidString
    let windows = (0..<count).map { _ in
      SharedWindow(changes, rows: rows ?? self.rows(), key: key)
    }
    for window in windows { window.takeTurn() }
    return windows
  }

  @Test func onePatchIsMadeForAllPages() throws {
    let changes = SharedChanges()
    let windows = makeWindows(10, changes)
    #expect(windows.allSatisfy { $0.session.sharing != nil })
    let cells = windows.map(\.list.cellsAskedFor)
    changes.changes.append(.rename("p3", to: "<Other>"))
    for window in windows { window.takeTurn() }
    for window in windows {
      try window.receive()
      #expect(window.page[3].title == "&lt;Other&gt;")
    }
    let asked = zip(windows, cells).filter { $0.list.cellsAskedFor > $1 }.count
    #expect(asked == 2, "the leader, and the follower whose views caught up")
    #expect(windows.count { $0.isBehind } == 8)
    let texts = Set(windows.compactMap { $0.session.log.messages.last?.text.count })
    #expect(texts.count <= 2, "the same but for the name of the table")
  }

  /// A window acts on rows that its page shows, however far its views are behind.
  @Test func aWindowCatchesUpBeforeItsUserDoesSomething() throws {
    let changes = SharedChanges()
    let windows = makeWindows(5, changes)
    for number in 0..<20 { changes.changes.append(.insert("n\(number)", at: number)) }
    for window in windows { window.takeTurn() }
    let late = try #require(windows.last { $0.isBehind })
    late.act(.rename("n7", to: "mine"))
    try late.receive()
    #expect(late.tablesDrawn == 0)
    late.expectPage("the acting window")
    for window in windows { window.takeTurn() }
    for window in windows {
      try window.receive()
      #expect(window.page.contains { $0.title == "mine" })
      #expect(window.tablesDrawn == 0)
    }
    // And it comes back to the others.
    late.takeTurn()
    #expect(late.session.sharing != nil)
  }

  @Test func whatIsTheWindowsOwnKeepsItApart() {
    let changes = SharedChanges()
    let windows = makeWindows(2, changes)
    let other = SharedWindow(changes, rows: rows(), key: nil)
    other.takeTurn()
    #expect(other.session.sharing == nil, "a list that is not shared")
    let key = windows[0].list.sharingKey
    let selected = SharedWindow(changes, rows: rows(), key: key)
    selected.list.tableView.selectRow(
      at: IndexPath(row: 1, section: 0), animated: false, scrollPosition: .none)
    selected.takeTurn()
    #expect(selected.session.sharing == nil)
    let asked = SharedWindow(changes, rows: rows(), key: key)
    asked.list.present(
      UIAlertController(title: "?", message: nil, preferredStyle: .alert), animated: false)
    asked.takeTurn()
    #expect(asked.session.sharing == nil)
    let looking = SharedWindow(changes, rows: rows(), key: key)
    looking.mustLook = true
    looking.takeTurn()
    #expect(looking.session.sharing == nil)
    let different = SharedWindow(changes, rows: rows(11) + [("p11", "another")], key: key)
    different.takeTurn()
    #expect(different.session.sharing == nil)
    #expect(windows.allSatisfy { $0.session.sharing != nil })
  }

  /// A window that must look at each change takes it over although its page would get it.
  @Test func aWindowThatMustLookTakesItsTurn() throws {
    let changes = SharedChanges()
    let windows = makeWindows(4, changes)
    windows[3].mustLook = true
    changes.changes.append(.remove("p0"))
    for window in windows { window.takeTurn() }
    #expect(!windows[3].isBehind && windows[3].session.sharing == nil)
    try windows[3].receive()
    windows[3].expectPage("the window that looks")
    #expect(windows[3].tablesDrawn == 0)
  }

  @Test func aChangeOfTheScreenIsMadeByEachWindow() throws {
    let changes = SharedChanges()
    let windows = makeWindows(4, changes)
    changes.changes.append(.rename("p1", to: "one"))
    for window in windows { window.takeTurn() }
    changes.changes.append(.title("Other"))
    changes.changes.append(.rename("p2", to: "two"))
    for window in windows { window.takeTurn() }
    #expect(windows.dropFirst().allSatisfy { $0.turnsAskedFor == 1 })
    for window in windows {
      #expect(!window.isBehind)
      try window.receive()
      #expect(window.session.shownScreens.first?.title == "Other")
      window.expectPage("a window of its own")
    }
    for window in windows { window.takeTurn() }
    #expect(windows.allSatisfy { $0.session.sharing != nil }, "they meet again")
  }

  /// Without a change of others: the page, which is ahead, gets the table anew.
  @Test func aChangeThatIsTheWindowsOwnReachesItsPage() throws {
    let changes = SharedChanges()
    let windows = makeWindows(4, changes)
    changes.changes.append(.insert("n", at: 0))
    for window in windows { window.takeTurn() }
    let ahead = try #require(windows.first { $0.isBehind })
    ahead.list.apply(.rename("p5", to: "own"))
    ahead.session.flush()
    try ahead.receive()
    #expect(ahead.session.sharing == nil && ahead.tablesDrawn == 1)
    ahead.expectPage("the window with a change of its own")
    let leader = try #require(windows.first { $0.session.sharing?.isLed(by: $0.session) == true })
    leader.list.apply(.rename("p6", to: "own"))
    leader.session.flush()
    for window in windows { window.takeTurn() }
    for window in windows {
      try window.receive()
      window.expectPage("after the leader's own change")
    }
  }

  @Test func anotherWindowLeadsWhenOneCloses() throws {
    let changes = SharedChanges()
    var windows = makeWindows(6, changes)
    while windows.count > 1 {
      changes.changes.append(.insert("n\(windows.count)", at: 1))
      let place = windows.firstIndex { $0.session.sharing?.isLed(by: $0.session) == true }
      windows.remove(at: try #require(place)).session.close()
      for window in windows { window.takeTurn() }
      for window in windows {
        try window.receive()
        #expect(window.page[1].title == "new n\(windows.count + 1)")
        #expect(window.tablesDrawn == 0)
      }
    }
  }

  /// A page that is loaded anew shows what its former page has shown.
  @Test func aReloadShowsWhatThePageHasShown() throws {
    let changes = SharedChanges()
    let windows = makeWindows(4, changes)
    changes.changes.append(.insert("n", at: 0))
    for window in windows { window.takeTurn() }
    let late = try #require(windows.first { $0.isBehind })
    late.session.flushBeforeDrawing()
    #expect(late.session.drawScreen().markup.contains("new n"))
    let other = try #require(windows.first { $0.isBehind })
    #expect(other.session.synchronization().text.contains("new n"))
  }

  /// Whatever happens in whatever order, every page shows the rows of its window in the end, which
  /// are the same everywhere.
  @Test(arguments: 1...20) func pagesShowTheirLists(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let changes = SharedChanges()
    let windows = makeWindows(8, changes, rows: rows(Int.random(in: 0...60, using: &random)))
    var made = 0
    for step in 0..<200 {
      let window = windows.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let known = windows[0].list.rows.randomElement(using: &random)?.id ?? "p0"
        made += 1
        let change: SharedChanges.Change =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: .insert("n\(made)", at: Int.random(in: 0...50, using: &random))
          case 1: .remove(known)
          case 2: .move(known, to: Int.random(in: 0...50, using: &random))
          default: .rename(known, to: "title \(made)")
          }
        window.act(change)
      case 4: window.mustLook.toggle()
      default: window.takeTurn()
      }
      if step % 20 == 0 { try window.receive() }
    }
    for _ in 0..<2 { for window in windows { window.takeTurn() } }
    for (number, window) in windows.enumerated() {
      window.session.stepOut()
      window.session.flush()
      try window.receive()
      window.expectPage("seed \(seed), window \(number)")
      #expect(window.list.rows.map(\.title) == windows[0].list.rows.map(\.title))
      #expect(window.tablesDrawn == 0, "seed \(seed), window \(number)")
    }
  }
}
