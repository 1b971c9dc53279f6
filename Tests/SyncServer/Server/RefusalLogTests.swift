import CoreDataSync
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// Who cares for a server learns from its log why a device is refused, and from a hostile one no more than a line.
@Suite struct RefusalLogTests {
  @Test func eachReasonIsLoggedOnce() {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
    let log = RefusalLog()
    for _ in 0..<100 { log.note("An unknown key.", to: logger) }
    for number in 0..<1000 { log.note("Reason \(number)", to: logger) }
    #expect(lines.all.first == "An unknown key.")
    #expect(lines.all.count == 256)
  }

  @Test func aRefusedDeviceIsInTheLog() async throws {
    let lines = Lines()
    let server = try await RunningServer(
      logger: Logger(label: "test") { _ in Recorder(lines: lines) })
    for key in ["nobody-nobody-nobody", "nobody-else-nobody-else"] {
      let (status, _) = try await server.send("hello", Data(), key: key)
      #expect(status == 401)
    }
    #expect(lines.all == ["Somebody has no key, an unknown one, or one that was revoked."])
  }
}

private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock(\.self) }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct Recorder: LogHandler {
  let lines: Lines
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  init(lines: Lines) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.add("\(event.message)") }
}
