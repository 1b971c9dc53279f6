import Foundation
import RawSQLite

/// Where the figures come from: absolute times mean nothing without it.
struct Machine {
  let processor: String
  let cores: Int
  let system: String
  let swift: String
  let sqlite: String

  static var current: Machine {
    Machine(
      processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount,
      system: "\(field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "unknown"), Linux "
        + kernelRelease,
      swift: swiftVersion,
      sqlite: String(cString: sqlite3_libversion()))
  }

  private static var kernelRelease: String {
    // A machine without this file is described with a gap; no figure depends on it.
    let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
  }

  /// Code cannot ask its compiler for the whole version: the Makefile passes it on.
  private static var swiftVersion: String {
    ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "unknown"
  }

  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    // As above: a gap in the description is no error.
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      return line.split(separator: separator, maxSplits: 1).last?
        .trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }
}
