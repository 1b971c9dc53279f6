import Foundation

/// The properties of the terminal as far as environment variables describe them.
struct TerminalEnvironment: Sendable {
  let palette: Palette
  let symbols: Symbols

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    palette = Palette(
      depth: ColorDepth(environment: environment), isLight: Self.isLight(environment))
    symbols = Symbols(isUnicode: Self.isUnicode(environment))
  }

  /// Whether the background is light: `COLORFGBG` ends with its colour's number. Without the
  /// variable it counts as dark until the terminal answers the query.
  private static func isLight(_ environment: [String: String]) -> Bool {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
      let color = Int(last)
    else { return false }
    return color == 7 || color >= 9
  }

  /// Whether the locale's character set is UTF-8. The first variable that is set determines it; a
  /// locale without a character set is ASCII.
  private static func isUnicode(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let locale else { return true }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
