import Foundation

/// A terminal, given by its two file descriptors: raw mode, size, and output.
///
/// Owned by a session on the main actor. `Restoration` restores the terminal in whatever way the
/// process ends.
@MainActor
final class TerminalDevice {
  private let input: Int32
  private let output: Int32
  private let isConsole: Bool
  private var original: termios?
  /// Whether the terminal is in use; otherwise nothing is written to it.
  private var isEntered = false

  init(input: Int32, output: Int32, environment: [String: String]) {
    self.input = input
    self.output = output
    isConsole = environment["TERM"] == "linux"
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size in cells; 80 by 24 if the terminal does not report it.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    // Limited: a terminal may report an absurd size.
    return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 500))
  }

  /// Enters raw mode and the screen's modes: keys arrive one by one without echo.
  func enter() {
    var settings = termios()
    if tcgetattr(input, &settings) == 0 {
      if original == nil { original = settings }
      cfmakeraw(&settings)
      // Output processing stays on, so that lines of other programs end as usual.
      settings.c_oflag |= tcflag_t(OPOST | ONLCR)
      tcsetattr(input, TCSADRAIN, &settings)
    }
    Restoration.arm(
      input: input, output: output, settings: original,
      sequence: TerminalModes.leave(isConsole: isConsole))
    isEntered = true
    write(TerminalModes.enter(isConsole: isConsole))
  }

  /// Restores the terminal's former state.
  func leave() {
    isEntered = false
    Restoration.restore()
  }

  /// Writes all of the text, waiting for a slow terminal. Output to a closed terminal is lost.
  func write(_ text: String) {
    guard isEntered else { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, 1000)
      } else if errno != EINTR {
        return
      }
    }
  }
}
