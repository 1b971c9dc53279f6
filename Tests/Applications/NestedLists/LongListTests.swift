import BrowserDriver
import Foundation
import Testing

/// A list of 100,000 items in one window: what is seen, and how little goes over the line.
///
/// The application numbers later siblings anew when an item goes, which is its own work on its own
/// objects; what the page hears of it is one row.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct LongListTests {
  private static let count = 100_000
  private static let mostBytes = 4096

  @Test func aListOf100000ItemsScrollsAndChangesByOneSmallPatchEach() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let clock = ContinuousClock()
    let start = clock.now
    let application = try ApplicationProcess(store: store, arguments: ["--seed", "\(Self.count)"])
    print("100,000 items: made in \(clock.now - start)")
    let opening = clock.now
    try await withBrowser(on: application, store: store) { page in
      print("100,000 items: opened in \(clock.now - opening), with the browser's start")
      try await listen(page)
      try await waitForRow(1, "Bread", page)
      try await scroll(to: Self.count, page)
      try await waitForRow(Self.count, title(Self.count), page)
      try await scroll(to: Self.count / 2, page)
      try await waitForRow(Self.count / 2, title(Self.count / 2), page)
      try await deleteInTheMiddle(page)
      try await insertAtTheTop(page)
      print("100,000 items: \(try application.residentMemory / 1_000_000) MB of memory")
    }
  }

  /// A row is carried past all the rows that the page held when it was lifted; it lands where it is
  /// let go, and so it is stored.
  @Test func aRowIsCarriedBeyondTheRowsThatThePageHeld() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store, arguments: ["--seed", "2000"])
    try await withBrowser(on: application, store: store) { page in
      let browser = page.browser
      try await browser.resize(width: 700, height: 800)
      let held = try await browser.script(
        """
        return Math.max(
          ...[...document.querySelectorAll('.row')].map((e) => Number(e.ariaPosInSet)))
        """
      ).number
      let first = Int(try #require(held))
      var gesture = try await Gesture(.mouse, on: ".row:nth-child(2) .grip", in: browser)
      try await gesture.move(y: 780 - gesture.y)
      // The page scrolls as long as the pointer is at its edge.
      try await browser.wait(
        until: """
          [...document.querySelectorAll('.row:not(.origin, .dragged)')].some((e) =>
            e.getBoundingClientRect().top < innerHeight && Number(e.ariaPosInSet) > \(2 * first))
          """)
      // To the edge of a row in the middle, where nothing scrolls and no row is entered.
      try await gesture.move(y: 400 - gesture.y)
      let edge = try await browser.script(
        """
        return Math.min(...[...document.querySelectorAll('.row:not(.origin, .dragged)')]
          .map((e) => e.getBoundingClientRect().top).filter((top) => top > 300)) + 4
        """
      ).number
      try await gesture.move(y: try #require(edge) - gesture.y)
      try await browser.wait(
        until: "document.querySelector('.gap')?.getBoundingClientRect().top < 500")
      let beside = try await browser.script(
        """
        const gap = document.querySelector('.gap');
        return [gap.previousElementSibling, gap.nextElementSibling]
          .map((e) => e?.querySelector('.title')?.textContent ?? '')
        """
      ).strings
      try await gesture.end()
      // Two below the row above the one below.
      try await SQLiteShell.wait(
        for: ["2"],
        """
        SELECT b.ZORDER - a.ZORDER FROM ZITEM a, ZITEM b, ZITEM c
        WHERE a.ZTITLE = '\(beside[0])' AND b.ZTITLE = '\(beside[1])'
          AND c.ZTITLE = 'Vegetables from the market' AND c.ZORDER = a.ZORDER + 1
        """, store)
      let isOver =
        "document.querySelectorAll('.row').length <= 500 && !document.querySelector('.gap')"
      try await browser.wait(until: isOver)
    }
  }

  private func deleteInTheMiddle(_ page: ListsPage) async throws {
    let place = Self.count / 2
    try await forget(page)
    try await page.delete(title(place))
    try await waitForTotal(Self.count - 1, page)
    try await waitForRow(place, title(place + 1), page)
    try await expectOneSmallPatch("a deletion in the middle", leaving: Self.count - 1, page)
  }

  /// An item comes to the top by taking its deletion back.
  private func insertAtTheTop(_ page: ListsPage) async throws {
    try await scroll(to: 1, page)
    try await waitForRow(1, "Bread", page)
    try await forget(page)
    try await page.delete("Bread")
    try await waitForTotal(Self.count - 2, page)
    try await expectOneSmallPatch("a deletion at the top", leaving: Self.count - 2, page)
    try await forget(page)
    try await page.browser.click(".bar .undo")
    try await waitForTotal(Self.count - 1, page)
    try await waitForRow(1, "Bread", page)
    try await expectOneSmallPatch("an insertion at the top", leaving: Self.count - 1, page)
  }

  // MARK: The page

  /// The title of the item at a place, counted from 1, as the application makes them up.
  private func title(_ place: Int) -> String {
    let things = [
      "Bread", "Vegetables from the market", "Olive oil", "Coffee", "Candles", "Batteries",
      "Tickets", "A map of the old town", "Paint for the door", "Lamp", "Tulips", "Rosemary",
      "Paper", "Stamps",
    ]
    let (number, thing) = (place - 1).quotientAndRemainder(dividingBy: things.count)
    return number == 0 ? things[thing] : "\(things[thing]), no. \(number + 1)"
  }

  private func scroll(to place: Int, _ page: ListsPage) async throws {
    try await page.browser.script("scrollTo(0, arguments[0] * 48 - 200)", [.number(Double(place))])
  }

  private func waitForRow(_ place: Int, _ title: String, _ page: ListsPage) async throws {
    let row = "document.querySelector('.row[aria-posinset=\"\(place)\"]')"
    try await page.browser.wait(
      until: """
        \(row)?.querySelector('.title').textContent === \(JavaScript.literal(title))
          && \(row).getBoundingClientRect().top < innerHeight
          && \(row).getBoundingClientRect().bottom > 0
        """)
  }

  private func waitForTotal(_ count: Int, _ page: ListsPage) async throws {
    try await page.browser.wait(
      until: "document.querySelector('.row').ariaSetSize === '\(count)'")
  }

  // MARK: The line

  /// Writes down what comes for the page over the line that all pages of the browser share.
  private func listen(_ page: ListsPage) async throws {
    let source: JSONValue = """
      window.heard = [];
      const Worker = window.SharedWorker;
      window.SharedWorker = class extends Worker {
        constructor(address, options) {
          super(address, options);
          this.port.addEventListener("message", ({ data }) => {
            if (data.kind === "message") window.heard.push(data.text);
          });
        }
      };
      """
    try await page.browser.developerCommand(
      "Page.addScriptToEvaluateOnNewDocument", ["source": source])
    try await page.reload()
  }

  private func forget(_ page: ListsPage) async throws {
    try await page.browser.script("window.heard = []")
  }

  /// One message, and none after the change has been saved.
  private func expectOneSmallPatch(
    _ change: String, leaving count: Int, _ page: ListsPage
  ) async throws {
    try await SQLiteShell.wait(
      for: ["\(count)"], "SELECT count(*) FROM ZITEM WHERE ZPARENT NOT NULL", page.store)
    let heard = try await page.browser.script("return window.heard").strings
    let patches = heard.filter { $0.contains("\"cause\":\"update\"") }
    // Rows that came late of what was scrolled to before are no part of the change.
    let sent = heard.filter { patches.contains($0) || !$0.contains("\"cause\":\"scroll\"") }
    let bytes = sent.map(\.utf8.count).reduce(0, +)
    print("100,000 items: \(change) sends \(sent.count) messages, \(bytes) bytes")
    #expect(patches.count == 1, "\(heard)")
    #expect(bytes < Self.mostBytes)
  }
}
