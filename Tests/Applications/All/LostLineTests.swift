import BrowserDriver
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Between the browser and the application there is a line that loses answers, falls silent or is cut.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct LostLineTests {
  private let field = "input[data-field]"
  private static let isAllAnswered = "sessionStorage.getItem('events') === null"
  private let waiting = "document.getElementById('connection')"

  private func withLine(
    _ name: String = "nested-lists", _ arguments: [String] = [],
    _ body: (SectionsPage, CuttingProxy, ApplicationProcess, URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("\(name).sqlite")
    let application = try ApplicationProcess(name, store: store, arguments: arguments)
    let proxy = try CuttingProxy(to: application.address)
    try await withSections(at: proxy.address(of: application.address)) {
      try await body($0, proxy, application, store)
    }
    proxy.end()
    application.kill()
  }

  private func titles(_ store: URL) throws -> [String] {
    try SQLiteShell.query(
      "SELECT ZTITLE FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER", store)
  }

  private func waitForTitles(_ titles: [String], _ browser: Browser) async throws {
    let wanted = JavaScript.literal(titles.joined(separator: "|"))
    try await browser.wait(
      until: """
        [...document.querySelectorAll('.row .title')].map((e) => e.textContent).join('|')
          === \(wanted)
        """)
  }

  // MARK: An answer is lost

  @Test func aReturnWhoseAnswerIsLostMakesOneRow() async throws {
    try await withLine { page, proxy, _, store in
      for title in ["h1", "h2", "h3"] {
        proxy.cutAnswers(1)
        try await page.browser.type("\(title)\n", into: Selector(field))
      }
      try await waitForTitles(["h1", "h2", "h3"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(proxy.answersCut > 0)
      #expect(try titles(store) == ["h1", "h2", "h3"])
    }
  }

  /// The browser sends a request again by itself, and so does the page.
  @Test(arguments: [1, 2, 5]) func aClickWhoseAnswersAreLostCountsOne(_ losses: Int) async throws {
    try await withLine("goods", ["--seed", "1"]) { page, proxy, _, store in
      proxy.cutAnswers(losses)
      try await page.choose("Baguette")
      try await page.waitForSections(["Bakery: Baguette 4"])
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(proxy.answersCut == losses)
      try await SQLiteShell.wait(for: ["4"], "SELECT ZNUMBER FROM ZGOODS", store)
    }
  }

  @Test func anUndoWhoseAnswerIsLostIsOneStep() async throws {
    try await withLine { page, proxy, _, store in
      for title in ["a", "b", "c"] {
        try await page.browser.type("\(title)\n", into: Selector(field))
      }
      try await waitForTitles(["a", "b", "c"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      proxy.cutAnswers(1)
      try await page.browser.press("z", .control)
      try await waitForTitles(["a", "b"], page.browser)
      // After one more event all of this one has been done.
      try await page.browser.type("d\n", into: Selector(field))
      try await waitForTitles(["a", "b", "d"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(try titles(store) == ["a", "b", "d"])
    }
  }

  /// How an application ends, and whether the page is loaded anew then.
  static let ends = [(true, false), (true, true), (false, false), (false, true)]

  /// The window is gone, and with it the one that could answer; the next one knows.
  @Test(arguments: ends)
  func whatWasAddedBeforeTheEndIsNotOfferedAgain(isTold: Bool, isReloaded: Bool) async throws {
    try await withLine { page, proxy, application, store in
      let old = try await page.browser.script("return document.body.dataset.window").string ?? ""
      // The answer is on its way for longer than the application lives.
      proxy.slowDown(toSeconds: 6)
      try await page.browser.type("h1\nh2\n", into: Selector(field))
      try await waitForRecord(of: old, page.browser, application)
      if isTold { _ = application.terminate() } else { application.kill() }
      proxy.slowDown(toSeconds: 0)
      let again = try ApplicationProcess(
        "nested-lists", store: store, port: application.address.port)
      try await page.browser.wait(
        until: """
          document.body.dataset.window !== '\(old)' && document.body.dataset.connected === 'true'
          """)
      if isReloaded { try await page.browser.reload() }
      // What had not been sent is offered.
      let offered = "[...document.querySelectorAll('#unsent:not([hidden]) li .texts')]"
      try await page.browser.wait(
        until: "\(offered).map((e) => e.textContent).join('|') === 'h2'")
      #expect(try titles(store) == ["h1"])
      again.kill()
    }
  }

  /// The application notes an event as done after it has saved what the event did.
  private func waitForRecord(
    of window: String, _ browser: Browser, _ application: ApplicationProcess
  ) async throws {
    let event = try await browser.script(
      """
      const [{ event }] = JSON.parse(sessionStorage.getItem('events'));
      return `${event.page}/${event.number}`;
      """
    ).string
    let address = try Door.url("w/\(window)/events/\(event ?? "")", application.address)
    try await Patience.waiting(for: "the record of event \(event ?? "")") {
      let (_, answer) = try await PatientSession.shared.data(from: address)
      return (answer as? HTTPURLResponse)?.statusCode == 204
    }
  }

  // MARK: The line is cut

  @Test func whatIsTypedWhileTheServerIsAwayComesInItsOrder() async throws {
    try await withLine { page, proxy, _, store in
      proxy.refuse()
      try await page.browser.wait(until: "document.body.dataset.connected === 'false'")
      for title in ["h1", "h2", "h3"] {
        try await page.browser.type("\(title)\n", into: Selector(field))
        let said = try await page.browser.script("return document.querySelector('\(field)').value")
        #expect(said.string == "")
      }
      try await page.browser.wait(
        until: "\(waiting).textContent.includes('3 things that you did wait to be sent')")
      // A tab with these in it asks before it closes.
      let asks = try await page.browser.script(
        "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))")
      #expect(asks == true)
      proxy.deliver()
      try await waitForTitles(["h1", "h2", "h3"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(try titles(store) == ["h1", "h2", "h3"])
      try await page.browser.wait(
        until: "dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    }
  }

  @Test func aPageThatIsLoadedAnewGoesOnWithWhatWaited() async throws {
    try await withLine { page, proxy, _, store in
      try await page.browser.type("h0\n", into: Selector(field))
      try await waitForTitles(["h0"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      // The answer to the first is lost, and the others never leave.
      proxy.cutAnswers(1_000_000)
      for title in ["h1", "h2", "h3"] {
        try await page.browser.type("\(title)\n", into: Selector(field))
      }
      try await waitForTitles(["h0", "h1"], page.browser)
      proxy.cutAnswers(0)
      proxy.refuse()
      proxy.deliver()
      try await page.browser.script("setTimeout(() => location.reload(), 0)")
      try await waitForTitles(["h0", "h1", "h2", "h3"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(try titles(store) == ["h0", "h1", "h2", "h3"])
    }
  }

  // MARK: The line falls silent

  @Test func aLineThatDiesInSilenceIsNoticedAndComesBack() async throws {
    try await withLine { page, proxy, _, store in
      try await page.browser.type("h0\n", into: Selector(field))
      try await waitForTitles(["h0"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      proxy.fallSilent()
      try await page.browser.type("h1\n", into: Selector(field))
      try await page.browser.type("h2\n", into: Selector(field))
      try await page.browser.wait(
        until: "document.body.dataset.connected === 'false'")
      try await page.browser.wait(
        until: "\(waiting).textContent.includes('2 things that you did wait')")
      proxy.wake()
      try await page.browser.wait(
        until: "document.body.dataset.connected === 'true'")
      try await waitForTitles(["h0", "h1", "h2"], page.browser)
      try await page.browser.wait(until: Self.isAllAnswered)
      #expect(try titles(store) == ["h0", "h1", "h2"])
    }
  }

  @Test func aQuietLineIsNotTakenForADeadOne() async throws {
    try await withLine { page, _, _, _ in
      try await page.browser.script(
        """
        window.losses = 0;
        new MutationObserver(() => { if (document.body.dataset.connected !== 'true') losses += 1; })
          .observe(document.body, { attributes: true });
        window.began = Date.now();
        """)
      try await page.browser.wait(until: "Date.now() - began > 16000")
      #expect(try await page.browser.script("return losses") == 0)
    }
  }

  @Test func thePageSaysThatTheBrowserIsOffline() async throws {
    try await withLine { page, proxy, _, _ in
      proxy.refuse()
      try await page.browser.developerCommand("Network.enable")
      try await page.browser.developerCommand(
        "Network.emulateNetworkConditions",
        ["offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
      try await page.browser.wait(until: "\(waiting).textContent.includes('You are offline.')")
      proxy.deliver()
      try await page.browser.developerCommand(
        "Network.emulateNetworkConditions",
        ["offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
      try await page.browser.wait(
        until: "document.body.dataset.connected === 'true'")
    }
  }
}
