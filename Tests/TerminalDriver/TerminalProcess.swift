import Foundation

/// A program in a terminal of its own, used as a person would: by keys, and by what is on the screen.
package final class TerminalProcess {
  private let process = Process()
  package let terminal: PseudoTerminal
  package private(set) var screen: TerminalScreen
  /// Everything that was written, for what must not be in it.
  package private(set) var transcript: [UInt8] = []

  /// How long a change of the screen may take, on a busy machine.
  private static let patience = 30.0

  package init(
    _ executable: URL, _ arguments: [String], environment: [String: String], columns: Int = 80,
    rows: Int = 24
  ) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    screen = TerminalScreen(columns: columns, rows: rows)
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment.merging(
      ["TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]
    ) { $1 }
    let handle = FileHandle(fileDescriptor: terminal.slave)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  package func type(_ text: String) { terminal.write(Array(text.utf8)) }

  package func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    screen.resize(columns: columns, rows: rows)
    signal(SIGWINCH)
  }

  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Reads until the screen says so.
  package func wait(
    _ what: String, until holds: (TerminalScreen) -> Bool
  ) throws {
    let end = Date().addingTimeInterval(Self.patience)
    while !holds(screen) {
      guard Date() < end else {
        throw TerminalError("Waited in vain for \(what). The screen is:\n\(screen.text)")
      }
      if !readMore(milliseconds: 200), !process.isRunning, !holds(screen) {
        throw TerminalError("The program ended before \(what). The screen is:\n\(screen.text)")
      }
    }
  }

  package func wait(for text: String) throws {
    try wait("“\(text)”") { $0.text.contains(text) }
  }

  package func waitForAbsence(of text: String) throws {
    try wait("“\(text)” to go") { !$0.text.contains(text) }
  }

  private func readMore(milliseconds: Int32) -> Bool {
    guard let bytes = terminal.read(milliseconds: milliseconds), !bytes.isEmpty else {
      return false
    }
    transcript += bytes
    screen.write(bytes)
    return true
  }

  /// Waits for the end; returns the exit status, or the signal as a negative number.
  package func waitForExit() throws -> Int32 {
    let end = Date().addingTimeInterval(Self.patience)
    while process.isRunning {
      guard Date() < end else { throw TerminalError("It did not end:\n\(screen.text)") }
      _ = readMore(milliseconds: 50)
    }
    while readMore(milliseconds: 20) {}
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }
}
