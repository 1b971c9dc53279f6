/// The way in which a window is shown in a terminal.
public enum TerminalMode: String, Sendable, CaseIterable {
  /// `screen` if input and output are a terminal, else `plain`.
  case automatic
  /// The whole screen, drawn and kept up to date.
  case screen
  /// Lines of text without escape codes, with commands line by line: for screen readers and pipes.
  case plain
}
