import Foundation
import Testing

/// A ``StoreWriter`` at work.
final class WriterProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()

  convenience init(_ arguments: String...) throws { try self.init(arguments, environment: [:]) }

  /// - Parameter environment: what differs from that of the tests.
  init(_ arguments: [String], environment: [String: String]) throws {
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { kill() }

  /// The next line that it prints; nil at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        buffer = Data(buffer[buffer.index(after: end)...])
        return String(decoding: line, as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      // What is not a whole line was under way when the process was killed.
      if data.isEmpty { return nil }
      buffer += data
    }
  }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let line = try #require(self.line())
    return try JSONDecoder().decode(type, from: Data(line.utf8))
  }

  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// SIGKILL: nothing in the process gets a chance to tidy up.
  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func waitUntilExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// It lies beside the bundle of the tests.
  private static var executable: URL {
    get throws {
      let program = URL(fileURLWithPath: CommandLine.arguments[0])
      let places = [Bundle.main.executableURL, program].compactMap {
        $0?.deletingLastPathComponent().appendingPathComponent("StoreWriter")
      }
      let found = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      return try #require(found, "StoreWriter is not beside the tests: run `swift build` first")
    }
  }
}
