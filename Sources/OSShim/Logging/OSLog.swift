import Foundation

/// Where messages go: those of one subsystem and category.
///
/// swift-log carries them: the label of its logger is the subsystem, and the category is metadata. What becomes of
/// them says `LoggingSystem.bootstrap`; without it they are printed from the level `info` on.
///
/// Source: developer.apple.com/documentation/os/oslog
public final class OSLog: NSObject, Sendable {
  let subsystem: String
  let category: String
  let channel: LogChannel?

  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    channel = LogChannel(subsystem: subsystem, category: category)
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private override init() {
    (subsystem, category, channel) = ("", "", nil)
  }

  /// The log of messages that name none.
  public static let `default` = OSLog(subsystem: "", category: "")

  /// The log whose messages nobody sees.
  public static let disabled = OSLog()

  /// Whether a message of this type would be seen.
  public func isEnabled(type: OSLogType) -> Bool { isEnabled(LogLevel(type)) }

  /// Whether signposts would be seen: where messages of the level `trace` are.
  public var signpostsEnabled: Bool { isEnabled(.trace) }

  func isEnabled(_ level: LogLevel) -> Bool { channel?.isEnabled(level) ?? false }

  /// Makes the text, which may cost something, only where it is seen.
  func write(_ level: LogLevel, _ details: [String: String] = [:], _ text: () -> String) {
    guard let channel, channel.isEnabled(level) else { return }
    channel.write(level, text(), details)
  }

  /// The categories that Apple's tools know by name.
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }
}
