import Foundation

/// Who may read a value in a message.
///
/// Logs are read by others than the people whose data is in them. So, as in what Apple's systems keep of a program
/// without a debugger, numbers, truth values, pointers and types are shown, and strings, objects and errors are
/// `<private>` unless the message says `.public`. The environment `OS_LOG_SHOW_PRIVATE=1` shows what is private, for
/// tests and debugging, but never what is sensitive.
///
/// Source: developer.apple.com/documentation/os/oslogprivacy
public struct OSLogPrivacy: Equatable, Sendable {
  enum Level { case automatic, open, hidden, sensitive }

  let level: Level
  let mask: Mask

  /// What stands in the place of a value that is not shown.
  public enum Mask: Equatable, Sendable {
    /// A hash of the value: equal values of one run of a program can be told to be equal.
    case hash
    case none
  }

  /// As its type says: a number is shown, a string is not.
  public static var auto: OSLogPrivacy { .auto(mask: .none) }
  public static func auto(mask: Mask) -> OSLogPrivacy { .init(level: .automatic, mask: mask) }

  public static var `public`: OSLogPrivacy { .init(level: .open, mask: .none) }

  public static var `private`: OSLogPrivacy { .private(mask: .none) }
  public static func `private`(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }

  public static var sensitive: OSLogPrivacy { .sensitive(mask: .none) }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(level: .sensitive, mask: mask) }

  static let showsPrivate = ProcessInfo.processInfo.environment["OS_LOG_SHOW_PRIVATE"] == "1"

  /// What is printed of a value, or in its place.
  func shown(
    _ text: String, isPrivateByType: Bool, showsPrivate: Bool = OSLogPrivacy.showsPrivate
  ) -> String {
    switch level {
    case .open: return text
    case .automatic where !isPrivateByType: return text
    case .automatic, .hidden: if showsPrivate { return text }
    case .sensitive: break
    }
    switch mask {
    case .none: return "<private>"
    case .hash:
      // Of another seed in each run of a program, so that nobody finds a value by hashing guesses.
      var hasher = Hasher()
      hasher.combine(text)
      return "<mask.hash: '\(String(UInt(bitPattern: hasher.finalize()), radix: 16))'>"
    }
  }
}
