/// Input from the terminal.
enum TerminalInput: Equatable, Sendable {
  case key(KeyPress)
  /// Pasted text as a whole. It is never treated as keys.
  case paste(String)
  case mouse(MouseReport)
  /// The terminal's window gained or lost the keyboard focus.
  case focus(Bool)
  /// The answer to the query for the background colour.
  case background(isLight: Bool)
  /// The terminal supports synchronized output.
  case drawsSynchronized

  var isTyped: Bool {
    if case .key(let key) = self { key.typed != nil } else { false }
  }
}

/// A mouse report, with column and line from 0.
struct MouseReport: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    case press, release, drag
    case wheelUp, wheelDown
    /// The secondary button.
    case menu
  }

  var action: Action
  var x: Int
  var y: Int
}
