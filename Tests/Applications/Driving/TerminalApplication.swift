import Foundation
import TerminalDriver
import TestSupport

/// A built application in a terminal of its own, on a store of its own.
struct TerminalApplication {
  let process: TerminalProcess

  init(
    _ name: String, store: URL, arguments: [String] = [], columns: Int = 80, rows: Int = 24
  ) throws {
    process = try TerminalProcess(
      BuiltProgram.url(name),
      ["--terminal", "--store", store.path] + arguments,
      environment: ApplicationProcess.environment(home: store.deletingLastPathComponent()),
      columns: columns, rows: rows)
  }

  /// Plain mode between pipes: what it prints for the lines, and how it ends. That work goes on is left out: it is said of
  /// what takes long, which on a busy machine is anything.
  static func plain(
    _ name: String, store: URL, arguments: [String] = [], _ lines: [String]
  ) throws -> (output: String, status: Int32) {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = try BuiltProgram.url(name)
    process.arguments = ["--terminal", "--store", store.path] + arguments
    process.environment = ApplicationProcess.environment(home: store.deletingLastPathComponent())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text.replacing(/(?m)^(Working…|Done\.)\n/, with: ""), process.terminationStatus)
  }
}

extension TerminalProcess {
  static let escape = "\u{1B}[27u"
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let end = "\u{1B}[F"
  static let home = "\u{1B}[H"
  static let right = "\u{1B}[C"
  static let shiftDown = "\u{1B}[1;2B"
  static let controlS = "\u{13}"

  /// The line of the row that the keys mean.
  var currentLine: String { screen.lines.first { $0.contains("▌") } ?? "" }
}
