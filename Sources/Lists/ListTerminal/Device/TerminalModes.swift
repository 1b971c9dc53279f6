/// The terminal modes that the screen needs, with the sequences to enter and leave them.
///
/// | sequence | mode |
/// |---|---|
/// | `?1049` | alternate screen, so that the former content comes back |
/// | `?7` | no line breaks at the edge |
/// | `?1000`, `?1002`, `?1006` | presses and drags of the mouse, with numbers of any size |
/// | `?1004` | reports when the terminal's window gains and loses the keyboard focus |
/// | `?2004` | marks around pasted text |
/// | `=1u` | kitty's keys, which distinguish Escape, and Control with Shift |
enum TerminalModes {
  static func enter(isConsole: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?1004h\u{1B}[?2004h" + mouse(true)
      + (isConsole ? "" : "\u{1B}[=1u")
  }

  /// The sequence that leaves every mode, entered or not.
  static func leave(isConsole: Bool) -> String {
    (isConsole ? "" : "\u{1B}[=0u") + mouse(false)
      + "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  }

  static func mouse(_ isOn: Bool) -> String {
    isOn
      ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
  }

  /// Queries for the background colour and for synchronized output. A terminal that does not know
  /// them does not answer.
  static let questions = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p"
}
