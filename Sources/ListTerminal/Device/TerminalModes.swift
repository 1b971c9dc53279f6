/// The modes that the screen needs of a terminal, and how they are left again.
///
/// | sequence | mode |
/// |---|---|
/// | `?1049` | the alternate screen, so that what was there comes back |
/// | `?7` | no line breaks at the edge |
/// | `?1000`, `?1002`, `?1006` | presses and drags of the mouse, in numbers of any size |
/// | `?1004` | the terminal's window gets and loses the keyboard |
/// | `?2004` | marks around what is pasted |
/// | `=1u` | kitty's keys, which tell Escape and Control with Shift apart |
enum TerminalModes {
  static func enter(isConsole: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?1004h\u{1B}[?2004h" + mouse(true)
      + (isConsole ? "" : "\u{1B}[=1u")
  }

  /// Leaves every mode, whichever were entered.
  static func leave(isConsole: Bool) -> String {
    (isConsole ? "" : "\u{1B}[=0u") + mouse(false)
      + "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  }

  static func mouse(_ isOn: Bool) -> String {
    isOn
      ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
  }

  /// Asks for the colour of the background and whether drawing can be synchronized. Who does not know
  /// the questions does not answer.
  static let questions = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p"
}
