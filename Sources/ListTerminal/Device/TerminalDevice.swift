import Foundation

/// A terminal by its two file descriptors: raw mode, size, and writing to it.
///
/// Owned by a session on the main actor. Whatever way the process ends, `Restoration` brings the
/// terminal back.
@MainActor
final class TerminalDevice {
  private let input: Int32
  private let output: Int32
  private let isConsole: Bool
  private var original: termios?
  /// While the terminal is not ours, nothing is written to it.
  private var isEntered = false

  init(input: Int32, output: Int32, environment: [String: String]) {
    self.input = input
    self.output = output
    isConsole = environment["TERM"] == "linux"
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// In cells; 80 by 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    // A terminal that claims to be endless is not believed.
    return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 500))
  }

  /// Keys come one by one and are not echoed; the screen is ours.
  func enter() {
    var settings = termios()
    if tcgetattr(input, &settings) == 0 {
      if original == nil { original = settings }
      cfmakeraw(&settings)
      // Output is left as it is: other programs' lines end as they are used to.
      settings.c_oflag |= tcflag_t(OPOST | ONLCR)
      tcsetattr(input, TCSADRAIN, &settings)
    }
    Restoration.arm(
      input: input, output: output, settings: original,
      sequence: TerminalModes.leave(isConsole: isConsole))
    isEntered = true
    write(TerminalModes.enter(isConsole: isConsole))
  }

  /// The terminal is as it was before.
  func leave() {
    isEntered = false
    Restoration.restore()
  }

  /// Writes all of it, however slowly the terminal takes it. A terminal that is gone takes nothing.
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
