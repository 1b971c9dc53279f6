import Foundation
import TestSupport

/// A program in a terminal of its own, used as a person would: by keys, and by what is on the screen.
///
/// The terminal says that it draws a frame at once, so that the program marks each: a screen is looked at when it is
/// whole, and none is missed, however long the test was kept from reading.
package final class TerminalProcess {
  private let process = Process()
  package let terminal: PseudoTerminal
  package private(set) var screen: TerminalScreen
  /// Everything that was written, for what must not be in it.
  package private(set) var transcript: [UInt8] = []
  /// What was read and comes after the frame that the screen shows.
  private var unshown: [UInt8] = []
  private var hasAnswered = false

  private static let question = Array("\u{1B}[?2026$p".utf8)
  private static let answer = "\u{1B}[?2026;2$y"
  private static let endOfFrame = Array("\u{1B}[?2026l".utf8)

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

  /// Whether it is suspended: SIGCONT has no effect on a process that has not stopped yet.
  package var isSuspended: Bool { statistics.first == "T" }

  /// The seconds of processor time that it has taken, in steps of a hundredth.
  package var processorTime: Double {
    statistics.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) } / 100
  }

  /// What the system says of it, behind its number and its name: its state first.
  private var statistics: [Substring] {
    let path = "/proc/\(process.processIdentifier)/stat"
    // A process that is gone has no such file.
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.split(separator: " ") ?? []
  }

  /// Reads until the screen says so.
  package func wait(
    _ what: String, until holds: (TerminalScreen) -> Bool
  ) throws {
    let start = ContinuousClock.now
    while !isWhole || !holds(screen) {
      if showNextFrame() { continue }
      guard ContinuousClock.now - start < Patience.duration else {
        throw TerminalError("Waited in vain for \(what). The screen is:\n\(screen.text)")
      }
      // What was written before its end is there to be read after it.
      let hasEnded = !process.isRunning
      if !readMore(milliseconds: 200), hasEnded {
        throw TerminalError("The program ended before \(what). The screen is:\n\(screen.text)")
      }
    }
  }

  /// Whether the screen is not in the midst of a frame.
  private var isWhole: Bool { !screen.modes.contains("?2026") }

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
    unshown += bytes
    if !hasAnswered, transcript.firstRange(of: Self.question) != nil {
      hasAnswered = true
      type(Self.answer)
    }
    return true
  }

  /// Shows what was read as far as the next end of a frame, or all of it where there is none. False when nothing was
  /// left.
  private func showNextFrame() -> Bool {
    guard !unshown.isEmpty else { return false }
    let end = unshown.firstRange(of: Self.endOfFrame)?.upperBound ?? unshown.endIndex
    screen.write(unshown[..<end])
    unshown.removeSubrange(..<end)
    return true
  }

  /// Waits for the end; returns the exit status, or the signal as a negative number.
  package func waitForExit() throws -> Int32 {
    let start = ContinuousClock.now
    while process.isRunning {
      guard ContinuousClock.now - start < Patience.duration else {
        throw TerminalError("It did not end:\n\(screen.text)")
      }
      _ = readMore(milliseconds: 50)
    }
    while readMore(milliseconds: 20) {}
    while showNextFrame() {}
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }
}
