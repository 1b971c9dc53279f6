import Foundation

/// What the environment says of the terminal.
struct TerminalEnvironment: Sendable {
  let palette: Palette
  let symbols: Symbols

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    palette = Palette(
      depth: ColorDepth(environment: environment), isLight: Self.isLight(environment))
    symbols = Symbols(isUnicode: Self.isUnicode(environment))
  }

  /// `COLORFGBG` ends with the number of the background; who does not set it is dark until the
  /// terminal answers.
  private static func isLight(_ environment: [String: String]) -> Bool {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
      let color = Int(last)
    else { return false }
    return color == 7 || color >= 9
  }

  /// The first of these that is set names the character set; a locale without one is ASCII.
  private static func isUnicode(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let locale else { return true }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
