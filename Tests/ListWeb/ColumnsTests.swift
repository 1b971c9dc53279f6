import Foundation
import ListKit
import Testing

@testable import ListWeb

/// Columns beside each other in a window without a network: events in, messages out.
@MainActor
@Suite struct ColumnsTests {
  private let list = ListController(Titles(["a", "b"]))
  private let split = UISplitViewController(style: .doubleColumn)
  private let session: WindowSession

  init() {
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    split.setViewController(list, for: .primary)
    window.rootViewController = split
    scene.setWide(true)
    session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
  }

  private var last: String { session.log.messages.last?.text ?? "" }

  private func send(_ type: String, _ change: (inout WindowEvent) -> Void = { _ in }) throws {
    var event = WindowEvent(type: type)
    change(&event)
    try session.handle(event)
  }

  private func showPage(_ title: String) -> ListController {
    let page = ListController(Titles(["one"]), title: title)
    split.showDetailViewController(page, sender: nil)
    session.flush()
    return page
  }

  @Test func theFirstPageOfTheDetailMakesColumns() {
    _ = showPage("Page")
    #expect(last.contains("\"op\":\"columns\""))
    #expect(last.contains("data-count"))
    // One main landmark; the other column is a region with a name.
    #expect(last.components(separatedBy: "<main>").count == 2)
    #expect(last.contains("<section class=\\\"screen\\\""))
    #expect(last.contains("aria-label=\\\"Lists\\\""))
  }

  @Test func anotherDetailIsSentAloneAndTheListStays() {
    _ = showPage("First")
    _ = showPage("Second")
    #expect(last.contains("\"op\":\"column\""))
    #expect(last.contains("\"first\":1"))
    #expect(!last.contains("Rename a"))
    list.insert("new", at: 0)
    session.flush()
    #expect(last.contains("\"op\":\"rows\""))
    #expect(!last.contains("\"op\":\"column\""))
  }

  @Test func aSheetIsTheLayerOverAllColumns() {
    _ = showPage("Page")
    let sheet = ListController(Titles([]), title: "Sheet")
    list.present(sheet, animated: true)
    session.flush()
    #expect(last.contains("\"first\":1"))
    #expect(last.contains("\"how\":\"present\""))
    // A column changes under it.
    _ = showPage("Other")
    #expect(last.contains("\"op\":\"column\""))
    #expect(!last.contains("\"op\":\"screen\""))
    sheet.dismiss(animated: true)
    session.flush()
    #expect(last.contains(#""first":1,"op":"dismiss""#))
  }

  @Test func theWidthOfThePageCollapsesAndExpands() throws {
    _ = showPage("Page")
    try send("width") { $0.count = 999 }
    #expect(split.isCollapsed)
    #expect(last.contains("\"op\":\"columns\""))
    #expect(!last.contains("data-count"))
    #expect(last.contains("Back to Lists"))
    #expect(session.shownColumns == 1)
    try send("width") { $0.count = 1000 }
    #expect(!split.isCollapsed)
    #expect(last.contains("data-count"))
    #expect(session.shownColumns == 2)
  }

  @Test func keysAreForTheColumnOfTheEvent() throws {
    let page = showPage("Page")
    #expect(session.window.visibleViewController === page)
    try send("key") {
      $0.text = "z"
      $0.screen = session.names.name(for: list)
    }
    #expect(session.window.visibleViewController === list)
    try send("back") { $0.screen = session.names.name(for: page) }
    #expect(session.window.visibleViewController === page)
    #expect(session.window.visibleColumns == [list, page])
  }

  @Test func theFirstBarHasTheButtonOfTheSidebar() throws {
    let page = showPage("Page")
    let button = split.displayModeButtonItem
    try send("press") { $0.id = session.names.name(for: button) }
    #expect(session.window.visibleColumns == [page])
    #expect(last.contains("Show sidebar"))
    try send("press") { $0.id = session.names.name(for: button) }
    #expect(last.contains("Hide sidebar"))
    #expect(session.shownColumns == 2)
  }

  @Test func aPlaceIsThatOfAllColumns() {
    _ = showPage("Page")
    #expect(session.place.text == "Page")
    session.restore(Place([]))
    session.flush()
    #expect(session.window.visibleColumns == [list])
    #expect(session.place.text == "")
  }

  @Test func aWindowIsOpenedInTheWidthOfItsPage() throws {
    func open(_ width: Int) throws -> Bool? {
      let registry = WindowRegistry(limits: .init()) { scene in UIWindow(windowScene: scene) }
      return try registry.open(at: Place([]), width: width)?.scene.isWide
    }
    #expect(try open(1000) == true)
    #expect(try open(999) == false)
    #expect(try open(0) == false)
  }
}
