import Foundation
import Synchronization
import TestSupport

/// A headless Chromium, driven over WebDriver.
///
/// Waiting is done by conditions with a deadline, in the page itself; nothing sleeps for a fixed
/// time. Call `giveBack()` at the end, or `quit()` of one that may be in any state; it also ends
/// when the value is let go.
public final class Browser: Sendable {
  /// The processes of a browser.
  private struct Running: Sendable {
    let driver: DriverProcess
    let session: String
    /// The browser's process, which would outlive its driver.
    let process: Int32

    func end() {
      if process > 0 { kill(process, SIGKILL) }
      driver.end()
    }
  }
  private let running: Running
  private let isOver = Mutex(false)
  /// Those that were given back: to start one takes a second.
  private static let idle: Mutex<[Running]> = {
    atexit { Browser.endIdle() }
    return Mutex([])
  }()

  /// True when the environment says to leave the browser's tests out, which a test shows as
  /// skipped.
  public static var isLeftOut: Bool {
    ProcessInfo.processInfo.environment["COREDATA_SKIP_BROWSER"] != nil
  }

  /// A browser with a window of a size in pixels: one that was given back, or a new one.
  public init(width: Int = 760, height: Int = 900) async throws {
    if let known = await Self.idle(width: width, height: height) {
      running = known
    } else {
      running = try await Self.start(width: width, height: height)
      try await slowDown()
    }
  }

  private static func idle(width: Int, height: Int) async -> Running? {
    guard let running = idle.withLock({ $0.popLast() }) else { return nil }
    let size: JSONValue = ["width": .number(Double(width)), "height": .number(Double(height))]
    do {
      _ = try await send(running.driver, "POST", running.session + "/window/rect", size)
      return running
    } catch {
      running.end()
      return nil
    }
  }

  private static func endIdle() {
    for running in idle.withLock({ $0 }) { running.end() }
  }

  /// Chromium without the windows of a desktop, which cost three quarters of the processor time of a test. Its own program,
  /// and not the script that starts it: that one's process is not the browser's.
  private static let binary = "/usr/lib/chromium/chromium-headless-shell"

  private static func start(width: Int, height: Int) async throws -> Running {
    guard FileManager.default.isExecutableFile(atPath: binary) else {
      throw BrowserError.notInstalled
    }
    let options: JSONValue = [
      "binary": .string(binary),
      "args": [
        "--headless", "--no-sandbox", "--accept-lang=en-US", "--disable-dev-shm-usage",
        .string("--window-size=\(width),\(height)"),
      ],
    ]
    let capabilities: JSONValue = [
      "capabilities": [
        "alwaysMatch": [
          "browserName": "chrome", "goog:chromeOptions": options,
          "goog:loggingPrefs": ["browser": "ALL"],
          "timeouts": [
            "script": .number(Double(Patience.milliseconds)),
            "pageLoad": .number(Double(max(300_000, Patience.milliseconds))),
          ],
        ]
      ]
    ]
    let (driver, answer) = try await start(capabilities, since: .now)
    return Running(
      driver: driver, session: "/session/" + (answer["sessionId"]?.string ?? ""),
      process: Int32(answer["capabilities"]?["goog:processID"]?.number ?? 0))
  }

  /// A driver gives its browser a minute to start, which is too little on a busy machine: another one tries again.
  private static func start(
    _ capabilities: JSONValue, since start: ContinuousClock.Instant
  ) async throws -> (DriverProcess, JSONValue) {
    let driver = try DriverProcess()
    do {
      return (driver, try await send(driver, "POST", "/session", capabilities))
    } catch BrowserError.refused(_, let answer)
      where answer.contains("session not created") && .now - start < Patience.duration
    {
      driver.end()
      return try await self.start(capabilities, since: start)
    }
  }

  /// What the page gives a person some seconds for, such as a message to be read, stays as much longer as the machine is
  /// slower: a test that comes to it later finds it.
  private func slowDown() async throws {
    let source = """
      (() => {
        const real = window.setTimeout;
        window.setTimeout = (act, delay, ...rest) =>
          real(act, delay >= 3000 ? delay * \(max(4, Patience.stretch)) : delay, ...rest);
      })()
      """
    try await developerCommand(
      "Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)])
  }

  deinit { end() }

  /// Ends the processes, once: their numbers may belong to others later.
  private func end() { if isFirstEnd() { running.end() } }

  private func isFirstEnd() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }

  /// Ends the browser.
  public func quit() async {
    // A browser that is gone already needs no farewell.
    _ = try? await command("DELETE", "")
    end()
  }

  /// Leaves the browser, with an empty window and nothing that it has kept, to the next test of
  /// this process.
  public func giveBack() async {
    do {
      let former = try await windows()
      let empty = try await newWindow("tab")
      for window in former {
        try await switchTo(window)
        try await closeWindow()
      }
      try await switchTo(empty)
      try await developerCommand("Network.clearBrowserCookies")
      try await developerCommand("Network.clearBrowserCache")
      _ = try await consoleMessages()
      if isFirstEnd() { Self.idle.withLock { $0.append(running) } }
    } catch {
      end()
    }
  }

  // MARK: Pages and windows

  public func open(_ url: URL) async throws {
    try await command("POST", "/url", ["url": .string(url.absoluteString)])
  }

  public func reload() async throws { try await command("POST", "/refresh", [:]) }

  /// The window that commands go to.
  public func currentWindow() async throws -> String {
    try await command("GET", "/window").string ?? ""
  }

  /// Opens another window (`tab` or `window`) and switches to it.
  @discardableResult
  public func newWindow(_ kind: String = "window") async throws -> String {
    let answer = try await command("POST", "/window/new", ["type": .string(kind)])
    let handle = answer["handle"]?.string ?? ""
    try await switchTo(handle)
    try await slowDown()
    return handle
  }

  public func switchTo(_ window: String) async throws {
    try await command("POST", "/window", ["handle": .string(window)])
  }

  public func closeWindow() async throws { try await command("DELETE", "/window") }

  public func resize(width: Int, height: Int) async throws {
    try await command(
      "POST", "/window/rect",
      ["width": .number(Double(width)), "height": .number(Double(height))])
  }

  /// Pretends that the user prefers `light` or `dark` colours.
  public func prefer(colours scheme: String) async throws {
    try await emulate("prefers-color-scheme", scheme)
  }

  public func preferReducedMotion() async throws {
    try await emulate("prefers-reduced-motion", "reduce")
  }

  private func emulate(_ feature: String, _ value: String) async throws {
    let features: JSONValue = [["name": .string(feature), "value": .string(value)]]
    try await developerCommand("Emulation.setEmulatedMedia", ["features": features])
  }

  /// A command of the debugging protocol, for what WebDriver has no word for.
  @discardableResult
  public func developerCommand(
    _ name: String, _ parameters: JSONValue = [:]
  ) async throws -> JSONValue {
    try await command(
      "POST", "/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
  }

  /// A picture of the viewport, as a PNG file.
  public func screenshot(to file: URL) async throws {
    let answer = try await command("GET", "/screenshot")
    try Data(base64Encoded: answer.string ?? "")?.write(to: file)
  }

  /// Errors and warnings on the page's console since last asked.
  public func consoleMessages() async throws -> [String] {
    let answer = try await command("POST", "/se/log", ["type": "browser"])
    return (answer.array ?? []).compactMap { $0["message"]?.string }
  }

  // MARK: Commands

  @discardableResult
  func command(
    _ method: String, _ path: String, _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await Self.send(running.driver, method, running.session + path, body)
  }

  private static func send(
    _ driver: DriverProcess, _ method: String, _ path: String, _ body: JSONValue?
  ) async throws -> JSONValue {
    let body = try body.map { try JSONEncoder().encode($0) } ?? Data()
    let request = DriverRequest(method: method, path: path, body: body)
    let answer = try await request.send(toPort: driver.port)
    guard answer.status == 200 else {
      throw BrowserError.refused(
        command: "\(method) \(path)", answer: String(decoding: answer.body, as: UTF8.self))
    }
    return try JSONDecoder().decode([String: JSONValue].self, from: answer.body)["value"] ?? .null
  }
}
