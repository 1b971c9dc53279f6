import Foundation

/// The capabilities of an output stream: colours and progress are for terminals only.
package struct Terminal: Sendable {
  /// Whether colours may be used: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
  package let hasColor: Bool
  /// The number of columns; nil if the stream is not a terminal.
  package let width: Int?

  package init(hasColor: Bool, width: Int?) {
    self.hasColor = hasColor
    self.width = width
  }

  package init(descriptor: Int32) {
    guard isatty(descriptor) == 1 else {
      self.init(hasColor: false, width: nil)
      return
    }
    let environment = ProcessInfo.processInfo.environment
    var size = winsize()
    let code = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    self.init(hasColor: !isPlain, width: code == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80)
  }

  package static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
  package static let standardError = Terminal(descriptor: STDERR_FILENO)

  package enum Style: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  package func styled(_ text: String, style: Style) -> String {
    hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
