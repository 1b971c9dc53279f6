import BrowserDriver
import Foundation
import PostgreSQLServer
import Testing

/// Applications whose objects are on a PostgreSQL server: several processes on ports of their own show one store.
@Suite(
  .disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"),
  .enabled(if: PostgreSQLServer.isAvailable, "There is no PostgreSQL server"), .serialized)
struct TwoServersTests {
  private func url(_ name: String) throws -> URL {
    try PostgreSQLServer.url(schema: "\(name)_\(UUID().uuidString.prefix(8).lowercased())")
  }

  @Test func twoServersShowOneListLive() async throws {
    let folder = try TemporaryFolder()
    let place = try url("lists")
    let first = try ApplicationProcess(store: folder.file("first"), server: place)
    try await withBrowser(on: first, store: folder.file("first")) { page in
      try await page.add("Groceries", "House")
      let firstWindow = try await page.browser.currentWindow()
      let second = try ApplicationProcess(store: folder.file("second"), server: place)
      #expect(second.address.port != first.address.port)
      let other = ListsPage(
        application: second, browser: page.browser, store: folder.file("second"))
      let secondWindow = try await other.openSecondWindow()
      try await other.waitForTitles("Groceries", "House")
      try await other.add("Garden")
      try await other.rename("House", to: "Home")
      try await page.browser.switchTo(firstWindow)
      try await page.waitForTitles("Groceries", "Home", "Garden")
      try await page.enter("Groceries")
      try await page.add("Milk", "Bread")
      try await page.browser.switchTo(secondWindow)
      try await other.waitForCount(2, of: "Groceries")
      try await other.delete("Groceries")
      try await page.browser.switchTo(firstWindow)
      try await page.waitForHeading("Lists")
      try await page.waitForTitles("Home", "Garden")
      #expect(try first.complaints == "")
      #expect(try second.complaints == "")
      second.kill()
    }
  }

  @Test(arguments: ["nested-lists", "goods", "books", "heroes", "employees", "todomvc"])
  func everyApplicationOpensAStoreOnAServer(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let place = try url("all")
    var counts: [Int] = []
    for round in 1...2 {
      // Books come with a store of their own; the others are filled.
      let arguments = name == "books" ? [] : ["--seed", "20"]
      let application = try ApplicationProcess(
        name, store: folder.file("home"), server: place, arguments: arguments)
      let page = try await PageClient(application.address)
      counts.append(try await page.count())
      #expect(application.terminate() == 0)
      let complaints = try application.complaints
      #expect(complaints == "", "round \(round)")
    }
    #expect(counts[0] > 0)
    #expect(counts[0] == counts[1])
  }

  @Test(arguments: [
    ("mysql://someone@host/database", "postgresql://user@host/database"),
    ("postgresql://someone:hush@127.0.0.1:1/nowhere", "Is the server running"),
    ("postgresql://[", "--store"),
  ])
  func aPlaceThatIsNoneEndsTheStart(_ place: String, _ advice: String) throws {
    let folder = try TemporaryFolder()
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--store", place, "--port", "0"])
    #expect(status == 1)
    #expect(errors.contains(advice), "\(errors)")
    #expect(!errors.contains("hush"))
  }
}
