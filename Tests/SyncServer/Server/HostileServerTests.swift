import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

/// A server that means ill, or is none: each of the four requests ends with an error that says why.
@Suite struct HostileServerTests {
  enum Call: CaseIterable {
    case hello, push, pull, wakeUp

    func make(by transport: URLSessionSyncTransport) async throws {
      var writer = SyncWriter(seed: 6)
      switch self {
      case .hello: _ = try await transport.greet(writer.greeting())
      case .push: _ = try await transport.push(writer.insertions())
      case .pull: _ = try await transport.pull(writer.pull())
      case .wakeUp: for try await _ in transport.changes(in: ["home"]) {}
      }
    }
  }

  /// A server in Python that answers everything in one way. It writes who has come with which key,
  /// and whatever the answer prints.
  private struct Silly {
    let process = Process()
    let url: URL
    private let log = Pipe()

    /// - Parameter opensStreams: whether it says that it is alive, which comes before wake-ups.
    init(_ answer: String, opensStreams: Bool = true) throws {
      let port = try LentPorts.lend()
      url = try #require(URL(string: "http://127.0.0.1:\(port)"))
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "python3", "-u", "-c",
        """
        import http.server, sys, time, zlib
        class Silly(http.server.BaseHTTPRequestHandler):
            def endless(self, chunk):
                try:
                    while True: self.wfile.write(chunk())
                except OSError: pass
            def do_POST(self):
                print(self.path, self.headers.get("Authorization"))
                \(answer)
            def do_GET(self):
                if not \(opensStreams ? "True" : "False") or not self.path.endswith("/alive"): return self.do_POST()
                self.send_response(204); self.end_headers()
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", \(port)), Silly)
        sys.stdout.write("ready\\n")
        server.serve_forever()
        """,
      ]
      process.standardOutput = log
      try process.run()
      _ = log.fileHandleForReading.availableData
    }

    /// Ends it; what it has written.
    func end() -> String {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    func transport(timeout: TimeInterval = Patience.seconds) -> URLSessionSyncTransport {
      URLSessionSyncTransport(
        server: url, key: "secret", timeout: timeout, longestAnswer: 1 << 21)
    }
  }

  private func error(of call: Call, _ server: Silly, timeout: TimeInterval = Patience.seconds)
    async throws -> SyncTransportError
  {
    let transport = server.transport(timeout: timeout)
    return try #require(
      await #expect(throws: SyncTransportError.self) { try await call.make(by: transport) })
  }

  @Test(arguments: Call.allCases, [301, 302, 303, 307, 308])
  func aKeyDoesNotGoToWhoeverARedirectionNames(_ call: Call, status: Int) async throws {
    let thief = try Silly("self.send_response(200); self.end_headers()")
    let server = try Silly(
      """
      self.send_response(\(status)); self.send_header('Location', '\(thief.url)/')
              self.send_header('Content-Length', '0'); self.end_headers()
      """)
    let error = try await error(of: call, server)
    #expect(!error.isPassing && error.message.contains("\(thief.url)"))
    #expect(thief.end().isEmpty)
    #expect(server.end().contains("secret"))
  }

  @Test(arguments: Call.allCases.filter { $0 != .wakeUp })
  func anAnswerThatTricklesIsGivenUp(_ call: Call) async throws {
    let server = try Silly(
      """
      self.send_response(200); self.send_header('Content-Length', '100000'); self.end_headers()
              while True: self.wfile.write(b'x'); self.wfile.flush(); time.sleep(0.1)
      """)
    let error = try await error(of: call, server, timeout: 1)
    #expect(error.reason == .unreachable && error.message.contains("5 seconds"))
    _ = server.end()
  }

  /// Before wake-ups come, a short answer does: one that has no end is given up.
  @Test func aStreamThatDoesNotOpenIsGivenUp() async throws {
    let server = try Silly(
      """
      self.send_response(200); self.end_headers()
              while True: self.wfile.write(b'x'); self.wfile.flush(); time.sleep(0.1)
      """, opensStreams: false)
    let error = try await error(of: .wakeUp, server, timeout: 1)
    #expect(error.reason == .unreachable && error.isPassing)
    _ = server.end()
  }

  /// Wake-ups trickle by nature.
  @Test func aStreamThatTricklesIsHeard() async throws {
    let server = try Silly(
      """
      self.send_response(200); self.send_header('Content-Type', 'text/event-stream')
              self.end_headers()
              for byte in b':\\n' * 20 + b'data: 5 home\\n\\n':
                  self.wfile.write(bytes([byte])); self.wfile.flush(); time.sleep(0.02)
              time.sleep(1000)
      """)
    var wakes = server.transport().changes(in: ["home"]).makeAsyncIterator()
    #expect(try await wakes.next() == SyncWakeUp(zone: "home", head: 5))
    _ = server.end()
  }

  enum Body: CaseIterable { case plain, compressed, error, lines }

  /// What has no end is read up to a limit, which the error names.
  @Test(.serialized, arguments: Call.allCases, Body.allCases)
  func anEndlessAnswerIsNotRead(_ call: Call, body: Body) async throws {
    let status = body == .error ? 500 : 200
    let chunk =
      switch body {
      case .compressed: "c.compress(b'\\0' * 1000000) + c.flush(zlib.Z_SYNC_FLUSH)"
      case .lines: "b'data: 1 home\\n\\n' * 4096"
      default: "b'x' * 65536"
      }
    let server = try Silly(
      """
      c = zlib.compressobj(wbits=31); self.send_response(\(status))
              \(body == .compressed ? "self.send_header('Content-Encoding', 'gzip')" : "pass")
              self.end_headers()
              self.endless(lambda: \(chunk))
      """)
    let error = try await error(of: call, server)
    switch (body, call) {
    case (.error, _): #expect(error.reason == .unavailable && error.message.count == 1000)
    case (.lines, .wakeUp): #expect(error.message.contains("1048576 bytes in a minute"))
    case (_, .wakeUp): #expect(error.message.contains("4096 bytes"))
    case (_, .hello): #expect(error.message.contains("1048576 bytes"))
    default: #expect(error.message.contains("2097152 bytes"))
    }
    _ = server.end()
  }

  /// Nobody reads on, wake-ups have a connection of their own that stays, and the next request is answered.
  @Test(arguments: [Call.hello, .wakeUp])
  func whoeverWasRefusedIsLeft(_ call: Call) async throws {
    // Gets a letter for each connection that was left.
    let left = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: left) }
    let server = try Silly(
      """
      if self.path.endswith('pull'):
                  self.send_response(503); self.send_header('Content-Length', '0')
                  return self.end_headers()
              self.send_response(200); self.end_headers()
              chunk = b'data: 1 quiet\\n\\n' if 'quiet' in self.path else b'x' * 65536
              try:
                  while True: self.wfile.write(chunk); time.sleep(0.01)
              except OSError: open('\(left.path)', 'a').write('x')
      """)
    let transport = server.transport()
    var quiet = transport.changes(in: ["quiet"]).makeAsyncIterator()
    _ = try await quiet.next()
    await #expect(throws: SyncTransportError.self) { try await call.make(by: transport) }
    #expect(try await quiet.next()?.zone == "quiet")
    let writer = SyncWriter(seed: 6)
    let pull = writer.pull()
    let error = await #expect(throws: SyncTransportError.self) { try await transport.pull(pull) }
    #expect(error?.reason == .unavailable)
    try await Patience.waiting(for: "the connection to be left") {
      (try? Data(contentsOf: left))?.count == 1
    }
    #expect(try await quiet.next()?.zone == "quiet")
    _ = server.end()
  }

  /// A message of few bytes whose elements are many.
  @Test func aMessageOfTooManyElementsIsRefused() {
    let zone = SyncWelcome.Zone(
      epoch: RecordID(high: 1, low: 2), head: 1, horizon: 0,
      readOnly: Set((0..<100).map { "\($0)" }))
    let welcome = SyncWelcome(now: 1, zones: ["home": zone])
    var bytes = [UInt8](welcome.encodedMessage())
    // The list of a hundred names, one byte or two each, becomes one of two million.
    let head: [UInt8] = [0x98, 100]
    let starts = bytes.indices.dropLast(1).filter { Array(bytes[$0..<$0 + 2]) == head }
    guard let start = starts.last else {
      Issue.record("The list was not found.")
      return
    }
    let count = 2_000_000
    let long: [UInt8] =
      [0x9A] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      + [UInt8](repeating: 0, count: count)
    bytes.replaceSubrange(start..., with: long)
    let error = #expect(throws: SyncWireError.self) {
      try SyncWelcome(encodedMessage: Data(bytes))
    }
    #expect(error?.reason == .limit && error?.message.contains("1000000") == true)
  }

  @Test func eachStatusHasItsReason() async throws {
    let reasons: [(Int, SyncTransportError.Reason, isPassing: Bool)] = [
      (400, .refused, false), (401, .unauthorized, false), (403, .forbidden, false),
      (404, .forbidden, false), (408, .unavailable, true), (413, .tooLarge, false),
      (426, .protocolNumber, false), (429, .unavailable, true), (500, .unavailable, true),
      (502, .unavailable, true), (503, .unavailable, true), (507, .unavailable, true),
    ]
    for (status, reason, isPassing) in reasons {
      let server = try Silly(
        """
        self.send_response(\(status)); self.send_header('Content-Length', '3')
                self.end_headers(); self.wfile.write(b'why')
        """)
      let error = try await error(of: .push, server)
      #expect(error.reason == reason && error.isPassing == isPassing, "\(status)")
      #expect(error.message == "why")
      _ = server.end()
    }
  }

  @Test(arguments: ["1e300", "inf", "nan", "-1", "1e18", "2"])
  func noServerKeepsADeviceAwayForLong(_ pause: String) async throws {
    let server = try Silly(
      "self.send_response(503); self.send_header('Retry-After', '\(pause)'); self.end_headers()")
    let error = try await error(of: .pull, server)
    #expect(error.retryAfter.map { (0...3600).contains($0) } ?? true)
    _ = server.end()
  }
}
