import BrowserDriver
import Foundation
import TestSupport
import Testing

/// Many windows of one application in one browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ManyWindowsTests {
  @Test(arguments: Sample.share < 50 ? [8] : [8, 50]) func allWindowsOfABrowserWork(_ count: Int)
    async throws
  {
    try await withLists { page in
      var windows = [try await page.browser.currentWindow()]
      for _ in 1..<count { windows.append(try await page.openSecondWindow()) }
      var titles: [String] = []
      for number in [0, count / 2, count - 1] {
        try await page.browser.switchTo(windows[number])
        try await page.add("from \(number)")
        titles.append("from \(number)")
      }
      for window in windows {
        try await page.browser.switchTo(window)
        try await page.waitForTitles(titles)
      }
      // One that is closed takes no other along.
      try await page.browser.closeWindow()
      try await page.browser.switchTo(windows[0])
      try await page.browser.wait(until: "document.body.dataset.connected === 'true'")
      try await page.add("last")
      try await page.browser.switchTo(windows[1])
      try await page.waitForTitles(titles + ["last"])
    }
  }

  /// Where a browser has no shared workers each page has a line of its own.
  @Test func withoutSharedWorkersThePageHasItsOwnLine() async throws {
    try await withLists { page in
      try await page.browser.developerCommand(
        "Page.addScriptToEvaluateOnNewDocument",
        ["source": "delete window.SharedWorker;"])
      try await page.reload()
      try await page.add("Milk")
      let streams = try await page.browser.script(
        """
        return performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname)
          .filter((path) => path.endsWith('/stream')).length
        """)
      #expect((streams.number ?? 0) <= 1)
      try await page.browser.wait(until: "document.body.dataset.connected === 'true'")
    }
  }

  @Test func windowsThatAreStillLoadedAreNotTheOnesToMakeRoom() async throws {
    let folder = try TemporaryFolder()
    // Few: a busy machine must open all of them within the time that a page may take to load.
    let application = try ApplicationProcess(
      store: folder.file("Lists.sqlite"), arguments: ["--windows", "16"])
    var windows: [WindowClient] = []
    var refused = 0
    for _ in 0..<20 {
      do { windows.append(try await WindowClient(application.address, isShown: false)) } catch {
        refused += 1
      }
    }
    #expect(windows.count == 16 && refused == 4)
    for window in windows {
      #expect(try await window.send(["type": "shown"]).status == 204)
    }
    application.kill()
  }
}
