import Foundation

/// The privacy of a value in a message.
///
/// Logs have other readers than the people whose data is in them. As in the logs that Apple's
/// systems store, numbers, truth values, pointers and types are shown, while strings, objects and
/// errors are replaced by `<private>` unless the message marks them `.public`. The environment
/// variable `OS_LOG_SHOW_PRIVATE=1` shows private values, for tests and debugging, but never
/// sensitive ones.
///
/// Source: developer.apple.com/documentation/os/oslogprivacy
public struct OSLogPrivacy: Equatable, Sendable {
  enum Level { case automatic, open, hidden, sensitive }

  let level: Level
  let mask: Mask

  /// The replacement for a value that is not shown.
  public enum Mask: Equatable, Sendable {
    /// A hash of the value, which is equal for equal values within one run of a program.
    case hash
    /// The text `<private>`.
    case none
  }

  /// Privacy by type: a number is shown, a string is not.
  public static var auto: OSLogPrivacy { .auto(mask: .none) }
  /// Privacy by type, with a mask for hidden values.
  public static func auto(mask: Mask) -> OSLogPrivacy { .init(level: .automatic, mask: mask) }

  /// The value is shown.
  public static var `public`: OSLogPrivacy { .init(level: .open, mask: .none) }

  /// The value is hidden, unless `OS_LOG_SHOW_PRIVATE` is 1.
  public static var `private`: OSLogPrivacy { .private(mask: .none) }
  /// The value is replaced by a mask, unless `OS_LOG_SHOW_PRIVATE` is 1.
  public static func `private`(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }

  /// The value is always hidden.
  public static var sensitive: OSLogPrivacy { .sensitive(mask: .none) }
  /// The value is always replaced by a mask.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(level: .sensitive, mask: mask) }

  static let showsPrivate = ProcessInfo.processInfo.environment["OS_LOG_SHOW_PRIVATE"] == "1"

  /// The text of a value, or its replacement.
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
      // `Hasher` has another seed in each run, so a value cannot be found by hashing guesses.
      var hasher = Hasher()
      hasher.combine(text)
      return "<mask.hash: '\(String(UInt(bitPattern: hasher.finalize()), radix: 16))'>"
    }
  }
}
