import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListWeb

/// A window without a network: events in, messages out.
@MainActor
@Suite struct SessionTests {
  private func makeSession(
    _ titles: [String]
  ) -> (session: WindowSession, list: ListController, table: String) {
    let list = ListController(Titles(titles))
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: list)
    let session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
    return (session, list, session.names.name(for: list.tableView))
  }

  private func event(
    _ type: String, _ fill: (inout WindowEvent) -> Void = { _ in }
  ) -> WindowEvent {
    var event = WindowEvent(type: type)
    fill(&event)
    return event
  }

  private func messages(_ session: WindowSession, after: Int) -> [String] {
    (session.log.messages(after: after) ?? []).map(\.text)
  }

  @Test(arguments: [Int.max, .min, 1 << 41])
  func numbersThatWouldOverflowAreRefused(_ number: Int) throws {
    let (session, list, table) = makeSession(["Bread", "Milk"])
    let row = try #require(list.tableView.rows.last?.id)
    let fields: [WritableKeyPath<WindowEvent, Int?>] = [\.index, \.first, \.anchor, \.count]
    for field in fields {
      #expect(throws: WindowEventError.self) {
        try session.handle(
          event("range") {
            ($0.id, $0.row, $0.index, $0.first, $0.count, $0.anchor) = (table, row, 1, 0, 40, 1)
            $0[keyPath: field] = number
          })
      }
    }
  }

  @Test func insertingAtTheTopOf100000RowsSendsOneSmallPatchAndReadsOneRow() {
    let (session, list, _) = makeSession((0..<100_000).map { "Row \($0)" })
    let before = session.log.last
    list.model.cellsAskedFor = 0
    list.insert("New", at: 0)
    session.flush()
    let patches = messages(session, after: before)
    #expect(patches.count == 1)
    #expect(patches.map(\.utf8.count).reduce(0, +) < 4096)
    #expect(list.model.cellsAskedFor == 1)
  }

  @Test func deletingInTheMiddleOf100000RowsSendsOneSmallPatchAndReadsOneRow() throws {
    let (session, list, table) = makeSession((0..<100_000).map { "Row \($0)" })
    try session.handle(
      event("range") {
        $0.id = table
        $0.first = 50_000
        $0.count = 60
        $0.anchor = 50_016
      })
    let before = session.log.last
    list.model.cellsAskedFor = 0
    list.remove(at: 50_030)
    session.flush()
    let patches = messages(session, after: before)
    #expect(patches.count == 1)
    #expect(patches.map(\.utf8.count).reduce(0, +) < 4096)
    #expect(list.model.cellsAskedFor == 1)
  }

  @Test func aRangeThatThePageAskedForBeforeItKnewOfNewRowsIsMeantAsItWas() throws {
    let (session, list, table) = makeSession((0..<1000).map { "Row \($0)" })
    func range(_ first: Int, anchor: Int, row: String?, index: Int?) -> WindowEvent {
      event("range") {
        $0.id = table
        $0.first = first
        $0.count = 40
        $0.anchor = anchor
        $0.row = row
        $0.index = index
      }
    }
    try session.handle(range(480, anchor: 500, row: nil, index: nil))
    let row = list.tableView.rows[20].id
    for _ in 0..<100 { list.insert("New", at: 0) }
    try session.handle(range(485, anchor: 505, row: row, index: 500))
    #expect(list.tableView.firstPlace == 585)
    #expect(list.tableView.anchorPlace == 605)
  }

  @Test func aChangeFarFromTheViewportSendsCountsAlone() throws {
    let (session, list, _) = makeSession((0..<100_000).map { "Row \($0)" })
    let before = session.log.last
    list.model.cellsAskedFor = 0
    list.remove(at: 50_030)
    session.flush()
    #expect(list.model.cellsAskedFor == 0)
    #expect(messages(session, after: before).joined().contains("\"counts\":[[0,99999]]"))
  }

  @Test func severalLinesAreSeveralRowsInOnePatch() throws {
    let (session, list, _) = makeSession(["a"])
    let before = session.log.last
    try session.handle(
      event("return") {
        $0.id = session.names.name(for: list.field)
        $0.text = "b"
        $0.texts = ["b", "c", "d"]
      })
    #expect(list.model.titles == ["a", "b", "c", "d"])
    #expect(messages(session, after: before).count == 1)
    #expect(list.field.text == "")
    list.undoManager?.undo()
    #expect(list.model.titles == ["a", "b", "c"])
    // Nobody else waits long for the lines of one.
    let many = event("return") {
      $0.id = session.names.name(for: list.field)
      ($0.text, $0.texts) = ("x", Array(repeating: "x", count: 1001))
    }
    #expect(throws: WindowEventError.self) { try session.handle(many) }
    #expect(list.model.titles.count == 3)
  }

  @Test func textsAreEscapedOnThePageAndInPatches() {
    let evil = "<script>alert(1)</script>\"'&"
    let (session, list, _) = makeSession([evil])
    list.title = evil
    list.insert(evil, at: 0)
    // A title that has been drawn is not sent again as text, which needs no escaping.
    let screen = session.drawScreen().markup
    session.flush()
    let page = screen + messages(session, after: 0).joined()
    #expect(!page.contains("<script>"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
  }

  @Test func anEventForARowThatIsGoneIsToldAndChangesNothing() throws {
    let (session, list, table) = makeSession(["a", "b"])
    let row = list.tableView.rows[0].id
    list.remove(at: 0)
    for type in ["select", "edit", "action", "move", "drop", "step"] {
      let before = session.log.last
      try session.handle(
        event(type) {
          $0.id = table
          $0.row = row
          $0.text = "typed"
        })
      let told = messages(session, after: before).joined()
      #expect(told.contains("That row was deleted or is no longer shown."), "\(type)")
      #expect(told.contains(#""typed":"typed""#), "\(type)")
    }
    #expect(list.model.titles == ["b"])
  }

  @Test func aRowThatIsConfiguredAnewAndSaysTheSameIsNotSent() {
    let (session, list, _) = makeSession(["a", "b"])
    let before = session.log.last
    list.model.titles[1] = "B"
    list.tableView.reconfigureRows(at: [[0, 0], [0, 1]])
    session.flush()
    let sent = messages(session, after: before).joined()
    #expect(sent.contains("Rename B"))
    #expect(!sent.contains("Rename a"))
  }

  @Test func rowsAreMeantByNameWhereverTheyStand() throws {
    let (session, list, table) = makeSession(["a", "b", "c"])
    let row = list.tableView.rows[1].id
    list.insert("new", at: 0)
    try session.handle(
      event("edit") {
        $0.id = table
        $0.row = row
        $0.text = "B"
      })
    #expect(list.model.titles == ["new", "a", "B", "c"])
  }

  @Test func theDeleteKeyMeansTheDestructiveAction() throws {
    let (session, list, table) = makeSession(["a", "b"])
    try session.handle(
      event("action") {
        $0.id = table
        $0.row = list.tableView.rows[1].id
      })
    #expect(list.model.titles == ["a"])
  }

  @Test(arguments: [
    ("move", true, ["b", "c", "a"]), ("move", false, ["b", "a", "c"]),
  ]) func draggingARowBesideAnother(type: String, after: Bool, expected: [String]) throws {
    let (session, list, table) = makeSession(["a", "b", "c"])
    try session.handle(
      event(type) {
        $0.id = table
        $0.row = list.tableView.rows[0].id
        $0.target = list.tableView.rows[2].id
        $0.after = after
      })
    #expect(list.model.titles == expected)
  }

  @Test func theBarNamesWhatCanBeUndone() throws {
    let (session, list, _) = makeSession(["Milk"])
    list.remove(at: 0)
    session.flush()
    let page = session.drawScreen().markup
    #expect(page.contains("aria-label=\"Undo Delete “Milk”\""))
    try session.handle(
      event("key") {
        $0.text = "z"
        $0.modifiers = ["command"]
      })
    #expect(list.model.titles == ["Milk"])
    try session.handle(event("redo"))
    #expect(list.model.titles.isEmpty)
  }

  @Test func oneEventIsOneStepToUndoAndOneMessage() throws {
    let (session, list, _) = makeSession([])
    let field = session.names.name(for: list.field)
    for title in ["Milk", "Bread"] {
      let before = session.log.last
      try session.handle(
        event("return") {
          $0.id = field
          $0.text = title
        })
      #expect(messages(session, after: before).count == 1)
      #expect(messages(session, after: before).joined().contains("Undo Add “\(title)”"))
    }
    try session.handle(event("undo"))
    #expect(list.model.titles == ["Milk"])
  }

  @Test func aControllersOwnUndoButtonsTakeThePlaceOfTheBarsOwn() {
    let (session, list, _) = makeSession([])
    let undo = UIBarButtonItem(
      title: "Undo Add “Milk”", image: UIImage(systemName: "arrow.uturn.backward"),
      primaryAction: UIAction { _ in })
    list.navigationItem.rightBarButtonItem = undo
    let page = session.drawScreen().markup
    #expect(page.split(separator: "class=\"undo\"").count == 2)
    #expect(page.contains("<span class=\"name\">Undo Add “Milk”</span>"))
    #expect(!page.contains("data-event=\"undo\""))
  }

  @Test func whatNoPageSendsIsRefusedInWords() {
    let (session, _, table) = makeSession(["a"])
    #expect(throws: WindowEventError.self) { try session.handle(event("explode")) }
    #expect(throws: WindowEventError.self) { try session.handle(event("edit")) }
    #expect(throws: WindowEventError.self) { try session.handle(event("text")) }
    #expect(throws: WindowEventError.self) {
      try session.handle(
        event("range") {
          $0.id = table
          $0.first = 0
          $0.count = 1_000_000
        })
    }
  }

  @Test func aPushAndAPopSendScreens() throws {
    let (session, list, table) = makeSession(["a"])
    try session.handle(
      event("select") {
        $0.id = table
        $0.row = list.tableView.rows[0].id
      })
    #expect(session.log.messages.last?.text.contains("\"how\":\"push\"") == true)
    #expect(session.log.messages.last?.text.contains("Back to Lists") == true)
    try session.handle(event("back"))
    #expect(session.log.messages.last?.text.contains("\"how\":\"pop\"") == true)
  }

  @Test func thePageHidesAndShowsItsScene() throws {
    let model = Titles([])
    let scene = UIWindowScene()
    scene.delegate = SceneLog(model)
    let window = UIWindow(windowScene: scene)
    window.rootViewController = ListController(model)
    let session = WindowSession(token: "test", scene: scene, window: window)
    session.page = 2
    let number = session.startStream(on: StreamLine())
    // The page before the reload says good-bye late.
    try session.handle(event("closing") { $0.page = 1 })
    #expect(model.scenes == ["foreground"] && !session.isClosing)
    try session.handle(event("hidden"))
    session.streamEnded(number)
    try session.handle(event("shown"))
    session.close()
    #expect(
      model.scenes == ["foreground", "background", "foreground", "background", "disconnected"])
  }
}
