import Foundation

/// The lines that a process prints, as they come.
package final class PrintedLines {
  private let output: FileHandle
  private var buffer = Data()

  package init(_ output: FileHandle) { self.output = output }

  /// The output of a process that is yet to be run.
  package convenience init(of process: Process) {
    let pipe = Pipe()
    process.standardOutput = pipe
    self.init(pipe.fileHandleForReading)
  }

  /// The next whole line; nil at the end, where half a line is left when a process was killed.
  package func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[buffer.index(after: end)...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.availableData
      if data.isEmpty { return nil }
      buffer += data
    }
  }

  /// What a line has at the place of the pattern's group, in the first line that has any.
  package func first(_ pattern: Regex<(Substring, Substring)>) throws -> String {
    var lines: [String] = []
    while let line = next() {
      if let match = line.firstMatch(of: pattern) { return String(match.1) }
      lines.append(line)
    }
    throw EndedTooSoon(text: lines.joined(separator: "\n"))
  }

  /// All that is still to come, until the end.
  package func rest() -> String {
    defer { buffer = Data() }
    return String(decoding: buffer + output.readDataToEndOfFile(), as: UTF8.self)
  }
}

/// The error of an output that ended without a line that was waited for.
package struct EndedTooSoon: Error, CustomStringConvertible {
  package let text: String
  package var description: String { "The process ended too soon, and had printed: \(text)" }
}
