import Foundation
import TestSupport

/// SQLite's own shell, to look at a store with something that this project did not write.
enum SQLiteShell {
  /// The answer to a query or a dot command, a line per row.
  static func query(_ sql: String, _ store: URL) throws -> [String] {
    try run(["-readonly", "-cmd", ".timeout \(Patience.milliseconds)", store.path, sql])
  }

  /// Changes a file, or makes it.
  static func change(_ sql: String, _ file: URL) throws { _ = try run([file.path, sql]) }

  private static func run(_ arguments: [String]) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3"] + arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ApplicationError("sqlite3 ended with \(process.terminationStatus) on \(arguments)")
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Asks again and again until the answer is the expected one.
  static func wait(for expected: [String], _ sql: String, _ store: URL) async throws {
    var answer: [String] = []
    try await Patience.waiting(for: "\(expected); \(sql) still says \(answer)") {
      answer = try query(sql, store)
      return answer == expected
    }
  }
}
