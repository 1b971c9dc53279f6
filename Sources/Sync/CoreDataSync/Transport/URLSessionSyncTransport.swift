import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reaches a sync server over HTTP.
///
///     let transport = URLSessionSyncTransport(
///       server: URL(string: "https://sync.example.org")!, key: "9c1f0a52e6d84b77")
///
/// Wake-ups are server-sent events: a connection that stays open and costs a line every 25 seconds.
public final class URLSessionSyncTransport: SyncTransport {
  private let server: URL
  private let key: String
  private let timeout: TimeInterval
  private let configuration: URLSessionConfiguration
  private let current: Mutex<TransportSession>
  /// The most bytes of an answer.
  private let longestAnswer: Int
  /// The most bytes of an answer to a greeting, which grows with the zones alone.
  private static let longestWelcome = 1 << 20

  /// - Parameters:
  ///   - server: the address of the server, with the path of a proxy if there is one.
  ///   - key: the text of the key.
  ///   - timeout: seconds without a byte after which a connection is given up; an answer that
  ///     takes five times as long is given up, too.
  ///   - longestAnswer: the most bytes that are read of an answer.
  ///   - configuration: of the session.
  public init(
    server: URL, key: String, timeout: TimeInterval = 60, longestAnswer: Int = 256 << 20,
    configuration: URLSessionConfiguration = .ephemeral
  ) {
    self.server = server
    self.key = key
    self.timeout = timeout
    self.longestAnswer = longestAnswer
    configuration.timeoutIntervalForRequest = timeout
    // Wake-ups have no end, and nothing else is asked for twice.
    configuration.urlCache = nil
    self.configuration = configuration
    current = Mutex(TransportSession(configuration))
  }

  /// Asks for `POST /sync/v1/hello`.
  public func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    try await post(greeting, to: "hello", longest: min(longestAnswer, Self.longestWelcome))
  }

  /// Asks for `POST /sync/v1/push`.
  public func push(_ message: PushMessage) async throws -> Pushed {
    try await post(message, to: "push", longest: longestAnswer)
  }

  /// Asks for `POST /sync/v1/pull`.
  public func pull(_ request: PullRequest) async throws -> Pulled {
    try await post(request, to: "pull", longest: longestAnswer)
  }

  /// Listens to `GET /sync/v1/changed`.
  public func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    // Each zone's last head is what counts, but zones must not push one another out.
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: SyncWakeUp.self, bufferingPolicy: .bufferingNewest(max(64, zones.count * 4)))
    var address = URLComponents(url: endpoint("changed"), resolvingAgainstBaseURL: false)
    address?.queryItems = zones.map { URLQueryItem(name: "zone", value: $0) }
    guard let url = address?.url else {
      continuation.finish(
        throwing: SyncTransportError(.refused, message: "\(server) is no address."))
      return stream
    }
    #if canImport(FoundationNetworking)
      // A session of its own, so that nobody else takes the connection.
      let session = TransportSession(configuration)
      let task = session.task(with: request(url))
      let opening = session.task(with: URLRequest(url: endpoint("alive"), timeoutInterval: timeout))
      let reader = OpeningReader { session.start(task, for: WakeReader(continuation)) }
      continuation.onTermination = { _ in
        reader.cancel()
        session.cancel(opening)
        session.cancel(task)
      }
      session.start(opening, for: reader)
      // An answer without an end would keep wake-ups from coming: the stream ends, and is asked
      // for anew.
      DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak session] in
        session?.giveUp(
          opening,
          because: SyncTransportError(.unreachable, message: "The server does not answer."))
      }
    #else
      let session = openSession()
      let task = session.task(with: request(url))
      // The session lives as long as somebody listens.
      continuation.onTermination = { _ in session.cancel(task) }
      session.start(task, for: WakeReader(continuation))
    #endif
    return stream
  }

  // MARK: - Requests

  private func openSession() -> TransportSession {
    current.withLock { session in
      if session.isClosed { session = TransportSession(configuration) }
      return session
    }
  }

  private func endpoint(_ name: String) -> URL {
    server.appendingPathComponent("sync/v1").appendingPathComponent(name)
  }

  private func request(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url, timeoutInterval: timeout)
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    return request
  }

  private func post<Answer: SyncMessage>(
    _ message: some SyncMessage, to name: String, longest: Int
  ) async throws -> Answer {
    guard ["http", "https"].contains(server.scheme?.lowercased() ?? "") else {
      throw SyncTransportError(
        .refused,
        message: "\(server) is no address of a sync server: it begins with https:// or http://.")
    }
    var request = request(endpoint(name))
    request.httpMethod = "POST"
    request.setValue("application/cbor", forHTTPHeaderField: "Content-Type")
    let (body, encoding) = Self.deflated(message.encodedMessage())
    if let encoding { request.setValue(encoding, forHTTPHeaderField: "Content-Encoding") }
    request.httpBody = body
    let data = try await answer(to: request, longest: longest)
    do { return try Answer(encodedMessage: data) } catch let error as SyncWireError {
      throw SyncTransportError(
        error.reason == .protocolNumber ? .protocolNumber : .answer,
        message: data.first == UInt8(ascii: "<")
          ? "A page came in place of an answer: what answers is a proxy or a portal, and no sync server."
          : "The server's answer cannot be read: \(error)")
    }
  }

  private func answer(to request: URLRequest, longest: Int) async throws -> Data {
    let session = openSession()
    let task = session.task(with: request)
    // An answer that comes a byte at a time must not keep the next one from coming.
    let deadline = DispatchWorkItem { [timeout, weak session] in
      session?.giveUp(
        task,
        because: SyncTransportError(
          .unreachable,
          message: "The answer was not whole after \(Int(timeout * Self.longestWait)) seconds."))
    }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + timeout * Self.longestWait, execute: deadline)
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        session.start(
          task, for: AnswerReader(longest: longest) { continuation.resume(with: $0) })
      }
    } onCancel: {
      session.cancel(task)
    }
  }

  /// The longest time that an answer may take, in timeouts.
  private static let longestWait = 5.0

  /// Above 1 KB, where Foundation can compress.
  private static func deflated(_ data: Data) -> (Data, encoding: String?) {
    #if canImport(Darwin)
      if data.count > 1024, let short = try? (data as NSData).compressed(using: .zlib) {
        return (short as Data, "deflate")
      }
    #endif
    return (data, nil)
  }
}

extension SyncTransportError {
  /// What a status other than 200 means.
  init(_ response: HTTPURLResponse, text: String) {
    let reason: Reason =
      switch response.statusCode {
      case 401: .unauthorized
      case 403, 404: .forbidden
      case 413: .tooLarge
      case 426: .protocolNumber
      case 408, 429, 500...599: .unavailable
      default: .refused
      }
    let after = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
    self.init(
      reason, message: text.isEmpty ? Self.words(of: response.statusCode) : text,
      retryAfter: after.flatMap { $0 >= 0 ? min($0, Self.longestPause) : nil })
  }

  /// Of a status that comes without any.
  private static func words(of status: Int) -> String {
    status == 404
      ? "The server answers 404: what is at this address, or at this path of it, is no sync server."
      : "The server answers \(status)."
  }

  /// The most seconds that a server may ask for.
  private static let longestPause: Double = 3600

  /// What an error of the session means.
  static func of(_ error: any Error) -> any Error {
    let code = (error as? URLError)?.code
    if code == .cancelled { return CancellationError() }
    // Foundation on Linux has no words for it.
    let words =
      code == .timedOut ? "The server does not answer." : error.localizedDescription
    return SyncTransportError(.unreachable, message: words)
  }
}
