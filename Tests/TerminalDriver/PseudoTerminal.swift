import Foundation

/// Both ends of a pseudo-terminal: what a program gets as its terminal, and what the user's side
/// reads and writes.
package final class PseudoTerminal {
  package let master: Int32
  package let slave: Int32

  package init(columns: Int, rows: Int) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, ioctl(master, Self.unlock, &unlocked) == 0,
      ioctl(master, Self.getNumber, &number) == 0
    else { throw TerminalError("There is no pseudo-terminal: errno \(errno)") }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw TerminalError("The terminal could not be opened: \(errno)") }
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(slave)
    close(master)
  }

  // `TIOCSPTLCK` and `TIOCGPTN`, which the C module does not show.
  private static let unlock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  package func resize(columns: Int, rows: Int) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// What the program has written, within so many milliseconds; `nil` when nothing came, empty at its
  /// end.
  package func read(milliseconds: Int32) -> [UInt8]? {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(master, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Whether the terminal is as a shell wants it: lines, echoed.
  package var isCooked: Bool {
    var settings = termios()
    guard tcgetattr(slave, &settings) == 0 else { return false }
    let flags = tcflag_t(ICANON | ECHO)
    return settings.c_lflag & flags == flags
  }
}

package struct TerminalError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
