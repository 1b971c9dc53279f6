/// The number of colours of a terminal.
enum ColorDepth: Int, Sendable, Comparable {
  case none, sixteen, indexed, direct

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The depth by environment variables of terminals and users: `NO_COLOR`, `CLICOLOR`,
  /// `CLICOLOR_FORCE`, `FORCE_COLOR`, `COLORTERM` and `TERM`.
  init(environment: [String: String]) {
    func value(_ name: String) -> String { environment[name] ?? "" }
    let term = value("TERM")
    let isForced = !value("FORCE_COLOR").isEmpty || !["", "0"].contains(value("CLICOLOR_FORCE"))
    if !value("NO_COLOR").isEmpty {
      self = .none
    } else if !isForced, term.isEmpty || term == "dumb" || value("CLICOLOR") == "0" {
      self = .none
    } else if ["truecolor", "24bit"].contains(value("COLORTERM")) || term.hasSuffix("-direct") {
      self = .direct
    } else if term.contains("256color") || term.contains("kitty") || term.contains("ghostty") {
      self = .indexed
    } else if term.hasPrefix("vt") || term.hasSuffix("-m") || term.hasSuffix("-mono") {
      self = .none
    } else {
      self = .sixteen
    }
  }
}
