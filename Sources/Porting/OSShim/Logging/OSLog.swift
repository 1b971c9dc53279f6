import Foundation

/// A destination of messages: one subsystem and category.
///
/// Messages go to swift-log: the label of the logger is the subsystem, the category is metadata.
/// `LoggingSystem.bootstrap` sets the output; without it, messages from the level `info` on are
/// printed.
///
/// Source: developer.apple.com/documentation/os/oslog
public final class OSLog: NSObject, Sendable {
  let subsystem: String
  let category: String
  let channel: LogChannel?

  /// Creates a log for a subsystem and category.
  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    channel = LogChannel(subsystem: subsystem, category: category)
  }

  /// Creates a log for a subsystem and one of Apple's categories.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private override init() {
    (subsystem, category, channel) = ("", "", nil)
  }

  /// The log of messages without a log of their own.
  public static let `default` = OSLog(subsystem: "", category: "")

  /// The log that discards its messages.
  public static let disabled = OSLog()

  /// Returns whether messages of this type are written.
  public func isEnabled(type: OSLogType) -> Bool { isEnabled(LogLevel(type)) }

  /// Whether signposts are written: they are messages of the level `trace`.
  public var signpostsEnabled: Bool { isEnabled(.trace) }

  func isEnabled(_ level: LogLevel) -> Bool { channel?.isEnabled(level) ?? false }

  /// Writes a message. Evaluates `text`, which may be expensive, only if the level is enabled.
  func write(_ level: LogLevel, _ details: [String: String] = [:], _ text: () -> String) {
    guard let channel, channel.isEnabled(level) else { return }
    channel.write(level, text(), details)
  }

  /// Categories that Apple's tools know by name.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The category's name.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Points of interest in Instruments.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Signposts that are recorded only while a tool traces.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// Signposts with backtraces that are recorded only while a tool traces.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }
}
