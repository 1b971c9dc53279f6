import Foundation

/// SQLite's own shell, to look at a store with something that this project did not write.
enum SQLiteShell {
  /// The answer to a query, a line per row.
  static func query(_ sql: String, _ store: URL) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-readonly", store.path, sql]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ApplicationError("sqlite3 ended with \(process.terminationStatus) on \(sql)")
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
