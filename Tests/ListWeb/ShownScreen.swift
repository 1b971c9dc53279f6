import BrowserDriver
import Foundation
import ListKit
import TestSupport
import Testing

@testable import ListWeb

/// Shows one screen in a browser, for the time of a test; the page must have nothing to complain of.
@MainActor
func withScreen(
  _ screen: UIViewController, _ body: (Browser) async throws -> Void
) async throws {
  let server = ListWebServer(title: "Test", limits: .init(), maximumBody: 1 << 16) { scene in
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: screen)
    return window
  }
  let (addresses, address) = AsyncStream.makeStream(of: URL.self)
  let running = Task { try await server.run { address.yield($0) } }
  var iterator = addresses.makeAsyncIterator()
  guard let url = await iterator.next() else { return }
  let browser = try await Browser()
  do {
    try await browser.open(url)
    try await browser.wait(until: "document.body.dataset.connected === 'true'")
    try await body(browser)
    #expect(try await browser.consoleMessages() == [])
  } catch {
    await browser.quit()
    server.stop()
    try await running.value
    throw error
  }
  await browser.giveBack()
  server.stop()
  try await running.value
}

/// Waits until what the page has told has come to a screen.
@MainActor
func wait(for condition: () -> Bool, _ what: String) async throws {
  try await Patience.waiting(for: what, until: condition)
}
