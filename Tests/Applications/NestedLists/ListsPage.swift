import BrowserDriver
import Foundation

/// NestedLists in a browser: what a user does there, in the words of the application.
struct ListsPage {
  let application: ApplicationProcess
  let browser: Browser
  let store: URL

  func open() async throws {
    try await browser.preferReducedMotion()
    try await browser.open(application.address)
    try await browser.waitForConnection()
  }

  /// Another window on the same application, which gets the commands from now on.
  @discardableResult
  func openSecondWindow() async throws -> String {
    let window = try await browser.newWindow()
    try await open()
    return window
  }

  func reload() async throws {
    try await browser.reload()
    try await browser.waitForConnection()
  }

  // MARK: Doing

  func add(_ titles: String...) async throws {
    for title in titles {
      try await browser.type("\(title)\n", into: "input[data-field]")
      _ = try await place(of: title)
    }
  }

  /// Opens the list of a row by a click beside its title, which need not wait for a second one.
  func enter(_ title: String) async throws {
    try await click(".chevron", of: title)
    try await waitForHeading(title)
  }

  func back(to title: String) async throws {
    try await browser.click(".bar .back")
    try await waitForHeading(title)
  }

  func rename(_ title: String, to new: String) async throws {
    try await edit(title)
    try await browser.type("\(new)\n", into: ".row.editing input")
    _ = try await place(of: new)
  }

  /// Begins to rename a row by its pencil.
  func edit(_ title: String) async throws {
    try await focus(title)
    try await click(".rename", of: title)
    try await browser.wait(until: "document.activeElement.matches('.row.editing input')")
  }

  func focus(_ title: String) async throws {
    let row = try await row(of: title)
    try await browser.script("document.querySelector(arguments[0]).focus()", [.string(row)])
  }

  /// Until what was done before is answered, which may move the focus, or the page says that the server is away.
  private func waitForAnswers() async throws {
    try await browser.wait(
      until: "!sessionStorage.getItem('events') || !document.getElementById('connection').hidden")
  }

  /// Deletes a row by the button that comes up in it.
  func delete(_ title: String) async throws {
    try await waitForAnswers()
    try await focus(title)
    try await click(".action.destructive", of: title)
  }

  /// Drags a row by its grip; `down` is how many pixels below the middle of the other row it is let
  /// go. Rows are 48 pixels high, and the middle half of one takes what is dropped into its list.
  func drag(_ title: String, onto target: String, down: Int = 0) async throws {
    try await browser.drag(
      .init("\(try await row(of: title)) .grip"), onto: .init(try await row(of: target)), down: down
    )
  }

  /// The page of lists that the Move… button of a row brings.
  func move(_ title: String, into list: String) async throws {
    try await beginMoving(title)
    try await browser.click(.init(".modal .row .title", containing: list))
    try await browser.wait(until: "!document.querySelector('.modal')")
  }

  func beginMoving(_ title: String) async throws {
    try await waitForAnswers()
    try await focus(title)
    try await click(".action:not(.destructive)", of: title)
    try await browser.wait(until: "document.querySelector('.modal .row')")
  }

  func click(_ css: String, of title: String) async throws {
    try await browser.click(.init("\(try await row(of: title)) \(css)"))
  }

  /// The selector of the row with this title.
  func row(of title: String) async throws -> String {
    ".row:nth-child(\(try await place(of: title) + 1))"
  }

  // MARK: Seeing

  private static let titles =
    "[...document.querySelectorAll('.row .title')].map((e) => e.textContent)"

  /// Where a row stands among those that the page holds; waited for.
  private func place(of title: String) async throws -> Int {
    try await browser.wait(until: "\(Self.titles).includes(\(JavaScript.literal(title)))")
    let place = try await browser.script(
      "return \(Self.titles).indexOf(arguments[0])", [.string(title)])
    return Int(place.number ?? -1)
  }

  func waitForTitles(_ expected: String...) async throws { try await waitForTitles(expected) }

  func waitForTitles(_ expected: [String]) async throws {
    try await browser.wait(
      until: "\(Self.titles).join('|') === \(JavaScript.literal(expected.joined(separator: "|")))")
  }

  func waitForHeading(_ title: String) async throws {
    try await waitForText(title, in: "h1")
  }

  func waitForToast(_ text: String) async throws {
    try await browser.wait(
      until: """
        [...document.querySelectorAll('.toast')]
          .some((e) => e.textContent.includes(\(JavaScript.literal(text))))
        """)
  }

  func waitForText(_ text: String, in css: String) async throws {
    try await browser.wait(
      until: "document.querySelector('\(css)')?.textContent === \(JavaScript.literal(text))")
  }

  /// The number of items in its list that a row shows; nil for no number.
  func waitForCount(_ count: Int?, of title: String) async throws {
    let row = try await row(of: title)
    let shown = count.map { "'\($0)'" } ?? "undefined"
    try await browser.wait(
      until: "document.querySelector('\(row)').querySelector('.count')?.textContent === \(shown)")
  }

  /// What the Undo button says, or Redo with a `.redo`.
  func waitForButton(_ css: String, saying text: String) async throws {
    try await browser.wait(
      until: """
        document.querySelector('.bar \(css)').ariaLabel === \(JavaScript.literal(text))
          && !document.querySelector('.bar \(css)').disabled
        """)
  }
}

/// Runs the application on a store of its own with a browser on it, for the time of a test.
func withLists(
  _ titles: String..., arguments: [String] = [], _ body: (ListsPage) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let store = folder.file("Lists.sqlite")
  let application = try ApplicationProcess(store: store, arguments: arguments)
  try await withBrowser(on: application, store: store) { page in
    for title in titles { try await page.add(title) }
    try await body(page)
  }
}

func withBrowser(
  on application: ApplicationProcess, store: URL, _ body: (ListsPage) async throws -> Void
) async throws {
  let browser = try await Browser()
  let page = ListsPage(application: application, browser: browser, store: store)
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
