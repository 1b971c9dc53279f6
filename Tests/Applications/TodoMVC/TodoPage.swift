import BrowserDriver
import Foundation

/// TodoMVC in a browser, found by the names of its specification.
struct TodoPage {
  static let one = "buy some cheese"
  static let two = "feed the cat"
  static let three = "book a doctors appointment"

  let application: ApplicationProcess
  let browser: Browser
  let store: URL

  func open(_ fragment: String = "") async throws {
    try await browser.preferReducedMotion()
    let address = application.address.absoluteString + fragment
    guard let url = URL(string: address) else { throw ApplicationError("No address: \(address)") }
    try await browser.open(url)
    try await browser.waitForConnection()
  }

  // MARK: Doing

  func create(_ titles: String...) async throws {
    for title in titles {
      let count = try await browser.texts(".todo-list li").count
      try await browser.type("\(title)\n", into: ".new-todo")
      try await waitFor("\(Self.items).length === \(count + 1)")
    }
  }

  func createDefaultTodos() async throws { try await create(Self.one, Self.two, Self.three) }

  /// Clicks on the box of a todo, counted from 0.
  func toggle(_ index: Int) async throws {
    try await browser.click(.init("\(item(index)) .toggle"))
  }

  func choose(_ filter: String) async throws {
    try await browser.click(.init(".filters li a", containing: filter))
    try await waitFor("\(Self.selected) === '\(filter)'")
  }

  func beginEditing(_ index: Int) async throws {
    try await browser.doubleClick(.init("\(item(index)) label"))
    try await waitFor("document.activeElement?.matches('.todo-list li .edit')")
  }

  /// Types in place of what the field of the title says.
  func edit(_ text: String) async throws {
    try await browser.script("document.querySelector('.edit').select()")
    try await browser.press(.backspace)
    try await browser.type(text)
  }

  func item(_ index: Int) -> String { ".todo-list li:nth-child(\(index + 1))" }

  // MARK: Seeing

  static let items = "[...document.querySelectorAll('.todo-list li')]"
  static let selected = "document.querySelector('.filters .selected')?.textContent"

  func waitFor(_ expression: String) async throws { try await browser.wait(until: expression) }

  func waitForTitles(_ titles: String...) async throws {
    let shown = "\(Self.items).map((e) => e.querySelector('label').textContent).join('|')"
    try await waitFor("\(shown) === \(JavaScript.literal(titles.joined(separator: "|")))")
  }

  /// Which todos are completed, in their order.
  func waitForCompleted(_ completed: Bool...) async throws {
    let shown = "\(Self.items).map((e) => e.classList.contains('completed')).join()"
    try await waitFor("\(shown) === '\(completed.map(String.init).joined(separator: ","))'")
  }

  func waitUntil(_ css: String, isVisible: Bool) async throws {
    try await waitFor(
      "document.querySelector('\(css)').getClientRects().length \(isVisible ? ">" : "===") 0")
  }

  /// What the store's file says, by a program that shares no code with this one.
  func waitForSaved(_ rows: String...) async throws {
    try await SQLiteShell.wait(
      for: rows, "SELECT ZTITLE || ' ' || ZCOMPLETED FROM ZTODO ORDER BY ZORDER", store)
  }
}

/// Runs TodoMVC on a store of its own with a browser on it, for the time of a test.
func withTodos(
  arguments: [String] = [], _ body: (TodoPage) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let store = folder.file("Todos.sqlite")
  let application = try ApplicationProcess("todomvc", store: store, arguments: arguments)
  let browser = try await Browser()
  let page = TodoPage(application: application, browser: browser, store: store)
  do {
    try await page.open()
    try await body(page)
  } catch {
    await browser.quit()
    throw error
  }
  await browser.giveBack()
  application.kill()
}
