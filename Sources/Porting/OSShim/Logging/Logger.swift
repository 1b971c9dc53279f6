/// Writes messages in which each value has its format and its privacy.
///
///     let logger = Logger(subsystem: "com.example.shop", category: "orders")
///     logger.info("Order \(number) of \(name, privacy: .public)")
///
/// Source: developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
  let log: OSLog

  /// Creates a logger for the default log.
  public init() { log = .default }

  /// Creates a logger for a log.
  public init(_ log: OSLog) { self.log = log }

  /// Creates a logger for a subsystem and category.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Writes a message of the level `notice`.
  public func log(_ message: OSLogMessage) { write(.notice, message) }

  /// Writes a message of a level.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(LogLevel(level), message) }

  /// Writes a message of the level `trace`.
  public func trace(_ message: OSLogMessage) { write(.trace, message) }

  /// Writes a message of the level `debug`.
  public func debug(_ message: OSLogMessage) { write(.debug, message) }

  /// Writes a message of the level `info`.
  public func info(_ message: OSLogMessage) { write(.info, message) }

  /// Writes a message of the level `notice`.
  public func notice(_ message: OSLogMessage) { write(.notice, message) }

  /// Writes a message of the level `warning`.
  public func warning(_ message: OSLogMessage) { write(.warning, message) }

  /// Writes a message of the level `error`.
  public func error(_ message: OSLogMessage) { write(.error, message) }

  /// Writes a message of the level `critical`.
  public func critical(_ message: OSLogMessage) { write(.critical, message) }

  /// Writes a message of the level `critical`, which swift-log uses for faults.
  public func fault(_ message: OSLogMessage) { write(.critical, message) }

  private func write(_ level: LogLevel, _ message: OSLogMessage) {
    log.write(level) { message.text }
  }
}
