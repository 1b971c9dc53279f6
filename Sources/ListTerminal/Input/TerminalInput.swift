/// What comes from the terminal.
enum TerminalInput: Equatable, Sendable {
  case key(KeyPress)
  /// Text that was pasted, as a whole: it is never taken for keys.
  case paste(String)
  case mouse(MouseReport)
  /// The window of the terminal got or lost the keyboard.
  case focus(Bool)
  /// The answer to what colour the background has.
  case background(isLight: Bool)
  /// The answer that the terminal draws at once what is written between two marks.
  case drawsSynchronized

  var isTyped: Bool {
    if case .key(let key) = self { key.typed != nil } else { false }
  }
}

/// What the mouse did, at a column and a line from 0.
struct MouseReport: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    case press, release, drag
    case wheelUp, wheelDown
    /// The button that asks what can be done.
    case menu
  }

  var action: Action
  var x: Int
  var y: Int
}
