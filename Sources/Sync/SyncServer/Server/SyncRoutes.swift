#if Web
  import CoreDataSync
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging

  /// The requests that the server answers, each with a key in `Authorization: Bearer KEY`.
  ///
  /// | request | body | answer |
  /// |---|---|---|
  /// | POST /sync/v1/hello | `SyncGreeting` | `SyncWelcome` |
  /// | POST /sync/v1/push | `PushMessage` | `Pushed` |
  /// | POST /sync/v1/pull | `PullRequest` | `Pulled` |
  /// | GET /sync/v1/changed?zone=NAME&zone=… | | server-sent events: HEAD, a space, the zone |
  /// | GET /sync/v1/alive | | 204, without a key |
  ///
  /// Bodies are CBOR; one that says `Content-Encoding: deflate` is RFC 1951. Answers above 1 KB are
  /// compressed for who accepts gzip.
  ///
  /// | status | meaning |
  /// |---|---|
  /// | 400 | the body is no such message |
  /// | 401, 403 | the key is unknown; the zone is not this key's |
  /// | 413 | the body, or the number of changes, is above the limits |
  /// | 426 | another protocol; the body says which is spoken |
  /// | 500 | the store fails: the log has the reason |
  /// | 503 | too much is asked, `Retry-After` says when to come again |
  struct SyncRoutes: Sendable {
    let ledger: SyncLedger
    let keys: any SyncKeyring
    let limits: SyncLimits
    let pool: WorkPool
    let queue: PushQueue
    let board: WakeBoard
    let logger: Logger
    let refusals = RefusalLog()

    private static let mostZones = 256

    func add(to router: Router<BasicRequestContext>) {
      router.get("/sync/v1/alive") { _, _ in Response(status: .noContent) }
      router.post("/sync/v1/hello") { request, _ in await answer(request, by: hello) }
      router.post("/sync/v1/push") { request, _ in await answer(request, by: push) }
      router.post("/sync/v1/pull") { request, _ in await answer(request, by: pull) }
      router.get("/sync/v1/changed") { request, _ in await changed(request) }
    }

    // MARK: - Messages

    private func hello(_ greeting: SyncGreeting, key: SyncKey) async throws -> SyncWelcome {
      guard greeting.zones.count <= Self.mostZones else {
        throw Refusal(.contentTooLarge, "A greeting names at most \(Self.mostZones) zones.")
      }
      guard greeting.zones.allSatisfy(ZoneName.isValid) else {
        throw Refusal(.badRequest, ZoneName.rule)
      }
      var welcome = try await pool.run { [ledger] in
        try ledger.greet(greeting) { key.rights(in: $0) }
      }
      welcome.limits = limits
      return welcome
    }

    private func push(_ message: PushMessage, key: SyncKey) async throws -> Pushed {
      let rights = try rights(key, in: message.zone)
      let count = message.records.count + message.pairs.count + message.aliases.count
      guard count <= limits.changesPerPush else {
        throw Refusal(
          .contentTooLarge, "A push has at most \(limits.changesPerPush) changes, not \(count).")
      }
      return try await queue.push(.init(message, rights: rights, key: key.name))
    }

    private func pull(_ request: PullRequest, key: SyncKey) async throws -> Pulled {
      _ = try rights(key, in: request.zone)
      guard request.wanted.count <= limits.rowsPerPage else {
        throw Refusal(
          .contentTooLarge, "At most \(limits.rowsPerPage) records are wanted at once.")
      }
      guard request.cursor >= 0, request.base >= 0, request.safe >= 0 else {
        throw Refusal(.badRequest, "Numbers of a zone are not negative.")
      }
      var request = request
      request.limit = min(request.limit, limits.rowsPerPage)
      return try await pool.run { [ledger, request] in try ledger.pull(request) }
    }

    private func rights(_ key: SyncKey, in zone: String) throws -> SyncRights {
      guard let rights = key.rights(in: zone) else {
        refusals.note("The key of \(key.name) has no right in a zone that it asks for.", to: logger)
        throw Refusal(.forbidden, "The zone is not this key's.")
      }
      return rights
    }

    // MARK: - Requests and answers

    private struct Refusal: Error {
      let status: HTTPResponse.Status
      let text: String

      init(_ status: HTTPResponse.Status, _ text: String) {
        self.status = status
        self.text = text
      }
    }

    private func answer<Message: SyncMessage, Answer: SyncMessage>(
      _ request: Request, by body: (Message, SyncKey) async throws -> Answer
    ) async -> Response {
      do {
        let key = try await key(of: request)
        let data = try await self.body(of: request)
        let message = try Message(encodedMessage: data)
        return response(try await body(message, key).encodedMessage(), to: request)
      } catch {
        return response(to: error)
      }
    }

    private func key(of request: Request) async throws -> SyncKey {
      guard let text = Self.keyText(of: request), let key = try await keys.key(text) else {
        refusals.note("Somebody has no key, an unknown one, or one that was revoked.", to: logger)
        throw Refusal(.unauthorized, "The key is missing, unknown or revoked.")
      }
      return key
    }

    private static func keyText(of request: Request) -> String? {
      let words = (request.headers[.authorization] ?? "").split(separator: " ")
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    private func body(of incoming: Request) async throws -> Data {
      var request = incoming
      let encoding = request.headers[.contentEncoding]
      guard encoding == nil || encoding == "deflate" || encoding == "identity" else {
        throw Refusal(.unsupportedMediaType, "A body is plain or deflated.")
      }
      let buffer = try await request.collectBody(upTo: limits.bytesPerPush)
      let data = Data(buffer.readableBytesView)
      guard encoding == "deflate" else { return data }
      do {
        return try Deflated.inflate(data, as: .raw, most: limits.bytesPerPush)
      } catch let error as Deflated.Failure {
        throw error.isTooLong
          ? Refusal(.contentTooLarge, "A message has at most \(limits.bytesPerPush) bytes.")
          : Refusal(.badRequest, "The body is not deflated.")
      }
    }

    private func response(_ data: Data, to request: Request) -> Response {
      var headers: HTTPFields = [.contentType: "application/cbor", .cacheControl: "no-store"]
      var data = data
      if data.count > 1024, request.headers[.acceptEncoding]?.contains("gzip") ?? false,
        let compressed = Deflated.deflate(data, as: .gzip)
      {
        headers[.contentEncoding] = "gzip"
        data = compressed
      }
      return Response(
        status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Says the sender's faults to the sender, the store's to the log.
    private func response(to error: any Error) -> Response {
      switch error {
      case let refusal as Refusal: return Self.plain(refusal.status, text: refusal.text)
      case let error as SyncWireError:
        refusals.note("A request is no message of sync: \(error.reason).", to: logger)
        return Self.plain(
          error.reason == .protocolNumber ? .upgradeRequired : .badRequest, text: error.message)
      case let error as SyncLedgerError: return Self.plain(.forbidden, text: error.description)
      case let error as SyncTransportError:
        return Self.plain(.serviceUnavailable, text: error.message, retryAfter: error.retryAfter)
      case let error as SyncServerBusy:
        return Self.plain(.serviceUnavailable, text: error.description, retryAfter: 2)
      case let error as any HTTPResponseError where error.status == .contentTooLarge:
        return Self.plain(
          .contentTooLarge, text: "A message has at most \(limits.bytesPerPush) bytes.")
      case let error as CocoaError where error.code == .fileWriteOutOfSpace:
        refusals.note("The disk is full: \(error.localizedDescription)", to: logger)
        return Self.plain(
          .init(code: 507, reasonPhrase: "Insufficient Storage"),
          text: "The server's disk is full. It goes on when there is room.",
          retryAfter: 30)
      case is CancellationError: return Self.plain(.serviceUnavailable, text: "The server stops.")
      default:
        refusals.note("A request failed: \(error)", to: logger)
        return Self.plain(
          .internalServerError, text: "The server's store failed. Its log has the reason.")
      }
    }

    private static func plain(
      _ status: HTTPResponse.Status, text: String, retryAfter: Double? = nil
    ) -> Response {
      var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
      if let retryAfter { headers[.retryAfter] = "\(Int(retryAfter.rounded(.up)))" }
      return Response(
        status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: - Changes

    private func changed(_ request: Request) async -> Response {
      do {
        let key = try await key(of: request)
        let zones = Set(
          request.uri.queryParameters.filter { $0.key == "zone" }.map { String($0.value) })
        guard !zones.isEmpty, zones.count <= Self.mostZones else {
          throw Refusal(.badRequest, "Changes are asked for with 1 to \(Self.mostZones) zones.")
        }
        for zone in zones { _ = try rights(key, in: zone) }
        let stream = WakeStream(
          zones: zones, key: Self.keyText(of: request) ?? "", board: board)
        board.note(try await pool.run { [ledger] in try ledger.heads(of: zones) })
        return Response(
          status: .ok,
          headers: [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            HTTPField.Name("X-Accel-Buffering")!: "no",
          ],
          body: .init { writer in
            try await stream.run(&writer)
            try await writer.finish(nil)
          })
      } catch {
        return response(to: error)
      }
    }
  }
#endif
