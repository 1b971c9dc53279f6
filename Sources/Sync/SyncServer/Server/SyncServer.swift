#if Web
  import HTTPLimits
  import CoreData
  import CoreDataSync
  import Foundation
  import Hummingbird
  import Logging
  import NIOCore

  /// Syncs the stores of many devices over HTTP. TLS is left to a proxy.
  ///
  ///     let ledger = try SyncLedger(at: URL(fileURLWithPath: "sync.sqlite"))
  ///     let server = SyncServer(ledger: ledger, keys: try KeyFile(file))
  ///     try await server.run(host: "127.0.0.1", port: 8090) { port in print(port) }
  ///
  /// Several servers may share one PostgreSQL database, behind a balancer.
  public final class SyncServer: Sendable {
    /// What the server does not exceed.
    public struct Limits: Sendable {
      /// Of one message.
      public var messages = SyncLimits()
      /// The time in which a request must have arrived: 64 MB take 5 Mbit/s.
      public var requestTimeout = Duration.seconds(120)
      /// How long what was deleted is remembered: whoever was away for longer attaches again.
      public var horizon = Duration.seconds(180 * 86_400)
      /// Connections at once; nil for as many as the process may have open files, less a reserve.
      public var connections: Int?

      /// What is usual.
      public init() {}
    }

    private let ledger: SyncLedger
    private let keys: any SyncKeyring
    private let limits: Limits
    private let logger: Logger
    private let board = WakeBoard()
    private let pool = WorkPool()

    /// - Parameter keys: who may do what.
    public init(
      ledger: SyncLedger, keys: any SyncKeyring, limits: Limits = Limits(),
      logger: Logger = Logger(label: "SyncServer")
    ) {
      self.ledger = ledger
      self.keys = keys
      self.limits = limits
      self.logger = logger
    }

    /// Serves until SIGINT, SIGTERM or the cancellation of the task. Pushes that have begun are
    /// finished.
    ///
    /// - Parameters:
    ///   - port: 0 chooses a free one.
    ///   - onRunning: called once, with the port.
    /// - Throws: `SyncServerError` if it cannot listen there.
    public func run(
      host: String, port: Int, onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
      let remote = RemoteChanges(ledger: ledger, board: board, pool: pool)
      let application = makeApplication(host: host, port: port, onRunning: onRunning)
      let (stops, stop) = AsyncStream.makeStream(of: Void.self)
      let signals = [SIGINT, SIGTERM].map { ($0, Self.watch($0) { stop.finish() }) }
      defer {
        for (number, source) in signals {
          source.cancel()
          signal(number, SIG_DFL)
        }
      }
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await remote.follow() }
          group.addTask { try await application.run() }
          group.addTask { for await _ in stops {} }
          group.addTask { try await self.keepHouse() }
          group.addTask { try await self.watchKeys() }
          defer {
            board.endAll()
            group.cancelAll()
          }
          try await group.next()
        }
      } catch let error as CancellationError {
        if Task.isCancelled { throw error }
      } catch {
        throw SyncServerError(error, host: host, port: port)
      }
    }

    /// Forgets what lies behind the horizon, an hour after the start and four times a day.
    private func keepHouse() async throws {
      try await Task.sleep(for: .seconds(3600))
      while true {
        let length = UInt64(max(0, limits.horizon / .milliseconds(1)))
        let before = SyncLedger.systemTime() - min(length, SyncLedger.systemTime())
        do {
          try await pool.run { [ledger] in
            for zone in try ledger.report() { try ledger.compact(zone.name, before: before) }
          }
        } catch {
          logger.error("What lies behind the horizon cannot be forgotten: \(error)")
        }
        try await Task.sleep(for: .seconds(6 * 3600))
      }
    }

    /// Ends the streams of keys that were revoked or have lost a zone. Requests look for
    /// themselves.
    private func watchKeys() async throws {
      while true {
        try await Task.sleep(for: .seconds(2))
        for text in board.keys {
          do {
            let key = try await keys.key(text)
            board.end(text) { key?.rights(in: $0) != nil }
          } catch {
            logger.error("A key cannot be looked up: \(error)")
          }
        }
      }
    }

    private static func watch(
      _ number: Int32, by body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      return source
    }

    private func makeApplication(
      host: String, port: Int, onRunning: @escaping @Sendable (Int) -> Void
    ) -> some ApplicationProtocol {
      let queue = PushQueue(ledger: ledger, pool: pool) { [board, ledger, logger] zone in
        do { board.note(try ledger.heads(of: [zone])) } catch {
          logger.error("The head of a zone cannot be read: \(error)")
        }
      }
      let router = Router()
      SyncRoutes(
        ledger: ledger, keys: keys, limits: limits.messages, pool: pool, queue: queue,
        board: board, logger: logger
      ).add(to: router)
      let timeout = TimeAmount(limits.requestTimeout)
      let connections = limits.connections.map { ConnectionCount(maximum: $0) } ?? ConnectionCount()
      let handlers: @Sendable () -> [any RemovableChannelHandler] = {
        [RequestDeadline(timeout: timeout, connections: connections)]
      }
      var quiet = Logger(label: "SyncServer.HTTP")
      // Connections that end while the server stops are not errors.
      quiet.logLevel = .critical
      return Application(
        router: router,
        server: .http1(configuration: .init(additionalChannelHandlers: handlers())),
        configuration: .init(address: .hostname(host, port: port), serverName: nil),
        onServerRunning: { onRunning($0.localAddress?.port ?? 0) },
        logger: quiet)
    }
  }
#endif
