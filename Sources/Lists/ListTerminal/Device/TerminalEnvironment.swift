import Foundation

/// The properties of the terminal as far as environment variables describe them.
struct TerminalEnvironment: Sendable {
  let palette: Palette
  let symbols: Symbols
  /// The user's language and region, in which dates and numbers are written.
  let locale: Locale

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    palette = Palette(
      depth: ColorDepth(environment: environment), isLight: Self.isLight(environment))
    symbols = Symbols(isUnicode: Self.isUnicode(environment))
    locale = Self.locale(environment)
  }

  /// The locale of a variable's value such as `de_CH.UTF-8@euro`; that of C is English.
  private static func locale(_ environment: [String: String]) -> Locale {
    let name = value(of: "LC_TIME", in: environment)?.prefix { $0 != "." && $0 != "@" } ?? "C"
    return Locale(identifier: ["C", "POSIX"].contains(name) ? "en_US" : String(name))
  }

  /// The value of a variable of the locale: `LC_ALL` overrides it, `LANG` is its default.
  private static func value(of name: String, in environment: [String: String]) -> String? {
    ["LC_ALL", name, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
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
    guard let name = value(of: "LC_CTYPE", in: environment)?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }
}
