import Foundation
import Testing
import TestSupport

/// A ``StoreWriter`` at work.
final class WriterProcess {
  private let process = Process()
  private let input = Pipe()
  private let output: PrintedLines

  convenience init(_ arguments: String...) throws { try self.init(arguments, environment: [:]) }

  /// - Parameter environment: what differs from that of the tests.
  init(_ arguments: [String], environment: [String: String]) throws {
    process.executableURL = try BuiltProgram.url("StoreWriter")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    output = PrintedLines(of: process)
    try process.run()
  }

  deinit { kill() }

  /// The next line that it prints; nil at the end.
  func line() -> String? { output.next() }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let line = try #require(self.line())
    return try JSONDecoder().decode(type, from: Data(line.utf8))
  }

  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// SIGKILL: nothing in the process gets a chance to tidy up.
  func kill() { process.killAndWait() }

  func waitUntilExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
