#if Web
  import HTTPLimits
  import Foundation
  import Hummingbird
  import ListKit
  import Logging
  import NIOCore

  /// Shows windows made of ListKit's views in browsers.
  ///
  /// Each page load is a window with its own tree of controllers; reloading a page keeps its
  /// window. The server listens on this machine only, unless another host is given, and answers
  /// only requests of its own pages.
  ///
  ///     let server = ListWebServer(title: "Lists") { scene in
  ///       let window = UIWindow(windowScene: scene)
  ///       window.rootViewController = UINavigationController(rootViewController: ListController())
  ///       return window
  ///     }
  ///     try await server.run { address in print("Lists is at \(address)") }
  @MainActor
  public final class ListWebServer {
    private let title: String
    private let host: String
    private let port: Int
    private let key: AccessKey?
    private let requestTimeout: Duration
    private let registry: WindowRegistry
    private let maximumBody: Int
    private let connections: ConnectionCount
    private let stopping = AsyncStream.makeStream(of: Void.self)

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - title: the title of the pages.
    ///   - host: the address to listen on. On a loopback address the server answers only to the
    ///     names `127.0.0.1`, `localhost` and `[::1]`.
    ///   - port: the port to listen on; 0 chooses a free one.
    ///   - key: the key that a browser needs to open a window, by default a new one for this run.
    ///     nil gives access to everyone who can reach the port, which includes all users of this
    ///     machine.
    ///   - maximumWindows: how many windows there may be at once. A page beyond that waits until
    ///     one is closed.
    ///   - showsOthers: whether each page shows which other windows show the same list, and which
    ///     rows they edit.
    ///   - makeWindow: called once for each window, with its scene, and makes the window, which is
    ///     shown afterwards. Set the scene's delegate to hear when the page is hidden, lost or
    ///     closed.
    public convenience init(
      title: String, host: String = "127.0.0.1", port: Int = 0, key: AccessKey? = AccessKey(),
      maximumWindows: Int = 256, showsOthers: Bool = true,
      makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
    ) {
      self.init(
        title: title, host: host, port: port, key: key, maximumWindows: maximumWindows,
        company: showsOthers ? Company() : nil, makeWindow: makeWindow)
    }

    /// Makes a server whose pages show the windows of a company, such as that of a terminal.
    package init(
      title: String, host: String = "127.0.0.1", port: Int, key: AccessKey?, maximumWindows: Int,
      company: Company?, makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
    ) {
      self.title = title
      self.host = host
      self.port = port
      self.key = key
      self.maximumBody = 1 << 20
      self.requestTimeout = .seconds(20)
      connections = ConnectionCount()
      registry = WindowRegistry(
        limits: .init(windows: maximumWindows), company: company,
        record: EventRecord(file: key?.eventsFile), makeWindow: makeWindow)
    }

    init(
      title: String, limits: WindowRegistry.Limits, maximumBody: Int, port: Int = 0,
      key: AccessKey? = nil, requestTimeout: Duration = .seconds(20), connections: Int? = nil,
      makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
    ) {
      self.title = title
      self.host = "127.0.0.1"
      self.port = port
      self.key = key
      self.maximumBody = maximumBody
      self.requestTimeout = requestTimeout
      self.connections = connections.map(ConnectionCount.init) ?? ConnectionCount()
      registry = WindowRegistry(limits: limits, makeWindow: makeWindow)
    }

    /// Serves until `stop()`, SIGINT, SIGTERM or the cancellation of the task. By then every window
    /// has entered the background and been disconnected.
    ///
    /// - Parameter onRunning: called once, with the address that opens a window, such as
    ///   `http://127.0.0.1:8080/#key=…`.
    /// - Throws: `ListWebServerError`, or `CancellationError` if the task was cancelled.
    public func run(onRunning: @escaping @MainActor (URL) -> Void = { _ in }) async throws {
      let signals = SignalPipe([SIGINT, SIGTERM])
      let ends = signals.source(on: .main) { [weak self] _ in
        MainActor.assumeIsolated { self?.stop() }
      }
      defer {
        registry.closeAll()
        UIApplication.shared.terminate()
        // Signals are taken until everything is saved: they are often sent twice.
        ends.cancel()
        signals.close()
      }
      UIApplication.shared.launch()
      let application = makeApplication(onRunning: onRunning)
      do {
        try await serve(application)
      } catch let error as CancellationError {
        if Task.isCancelled { throw error }
      } catch {
        throw ListWebServerError(error, host: host, port: port)
      }
    }

    /// Ends `run(onRunning:)`.
    public func stop() { stopping.continuation.finish() }

    private func serve(_ application: some ApplicationProtocol) async throws {
      let wakes = stopping.stream
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        group.addTask { for await _ in wakes {} }
        group.addTask { try await self.keepHouse() }
        defer { group.cancelAll() }
        try await group.next()
        // Windows are closed, with their last messages, while the connections are still open.
        registry.closeAll()
      }
    }

    private func keepHouse() async throws {
      while true {
        try await Task.sleep(for: .seconds(10))
        registry.expire()
      }
    }

    private func makeApplication(
      onRunning: @escaping @MainActor (URL) -> Void
    ) -> some ApplicationProtocol {
      let router = Router()
      router.add(middleware: RequestGuard(allowedHosts: allowedHosts))
      WindowRoutes(
        title: title, access: AccessGuard(key: key), registry: registry, maximumBody: maximumBody
      ).add(to: router)
      let fragment = key.map { "#key=\($0.text)" } ?? ""
      let host = self.host
      let shownHost = host.contains(":") ? "[\(host)]" : host
      let timeout = TimeAmount(requestTimeout)
      let connections = connections
      // The deadline applies to the arrival of requests. Streams are answers and have none.
      let handlers: @Sendable () -> [any RemovableChannelHandler] = {
        [RequestDeadline(timeout: timeout, connections: connections)]
      }
      var logger = Logger(label: "ListWeb")
      // Connections that end while the server stops are not errors.
      logger.logLevel = .critical
      return Application(
        router: router,
        server: .http1(
          configuration: .init(
            additionalChannelHandlers: handlers(),
            httpDecoderConfiguration: .init(
              maxHeaderFieldSize: Self.longestHead, maxHeaderListSize: Self.longestHead))),
        configuration: .init(address: .hostname(host, port: port), serverName: nil),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? 0
          if let url = URL(string: "http://\(shownHost):\(port)/\(fragment)") {
            await onRunning(url)
          }
        },
        logger: logger)
    }

    /// The length in bytes of the longest request line with headers. A longer one gets a bare 400
    /// by the parser, one with an address beyond `RequestGuard`'s limit a page.
    private static var longestHead: Int { 1 << 18 }

    /// The names that the server answers to; nil for any. Loopback has these names only; on another
    /// address a machine does not know its names.
    private var allowedHosts: Set<String>? {
      let loopback: Set = ["127.0.0.1", "localhost", "[::1]"]
      return host.hasPrefix("127.") || host == "localhost" || host == "::1" ? loopback : nil
    }
  }
#endif
