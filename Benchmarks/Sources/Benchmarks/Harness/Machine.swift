import Foundation
import CSQLite

/// Where the figures come from: absolute times mean nothing without it.
struct Machine {
  let processor: String
  let cores: Int
  let system: String
  let swift: String
  let sqlite: String
  /// Processes that wanted a core in the last minute, at the start: more than none makes figures worse.
  let load: String

  static var current: Machine {
    Machine(
      processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount,
      system: "\(field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "unknown"), Linux "
        + (text(of: "/proc/sys/kernel/osrelease") ?? "unknown"),
      swift: swiftVersion,
      sqlite: String(cString: sqlite3_libversion()),
      load: text(of: "/proc/loadavg")?.split(separator: " ").first.map(String.init) ?? "unknown")
  }

  private static func text(of path: String) -> String? {
    // A machine without this file is described with a gap; no figure depends on it.
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Code cannot ask its compiler for the whole version: the Makefile passes it on.
  private static var swiftVersion: String {
    ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "unknown"
  }

  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    guard let text = text(of: path) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      return line.split(separator: separator, maxSplits: 1).last?
        .trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }
}
