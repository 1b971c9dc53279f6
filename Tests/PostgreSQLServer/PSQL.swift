import Foundation

/// PostgreSQL's own command line: it sees what is in a database, and shares no code with what is tested.
package enum PSQL {
  /// The rows of a query, as texts; NULL is nil.
  package static func rows(_ sql: String, at address: String) throws -> [[String?]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let (field, null) = ("\u{1F}", "\u{1E}")
    process.arguments = [
      "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=\(field)",
      "--pset=null=\(null)", "--dbname=\(address)", "--command=\(sql)",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["PGCONNECT_TIMEOUT": "3"]) {
      $1
    }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ServerFailure(text: "psql ended with \(process.terminationStatus) for: \(sql)")
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: Character(field), omittingEmptySubsequences: false)
        .map { $0 == null ? nil : String($0) }
    }
  }

  /// The first value of the first row.
  package static func value(_ sql: String, at address: String) throws -> String? {
    try rows(sql, at: address).first?.first ?? nil
  }
}

package struct ServerFailure: Error, CustomStringConvertible {
  let text: String
  package var description: String { text }
}
