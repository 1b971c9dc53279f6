import Foundation
import Testing

/// Runs a script of Fixtures, which shares no code with the package, on a store.
enum StoreChecker {
  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// What is in a store, against every rule of the format.
  static func checkRows(_ store: URL) throws -> (status: Int32, text: String) {
    try run("check_rows.py", [store.path])
  }

  static func run(
    _ script: String, _ arguments: [String]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", fixtures.appendingPathComponent(script).path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
