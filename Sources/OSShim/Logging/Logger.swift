/// Writes messages whose values say how they are shown and whether they are private.
///
///     let logger = Logger(subsystem: "com.example.shop", category: "orders")
///     logger.info("Order \(number) of \(name, privacy: .public)")
///
/// Source: developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
  let log: OSLog

  public init() { log = .default }

  public init(_ log: OSLog) { self.log = log }

  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public func log(_ message: OSLogMessage) { write(.notice, message) }

  public func log(level: OSLogType, _ message: OSLogMessage) { write(LogLevel(level), message) }

  public func trace(_ message: OSLogMessage) { write(.trace, message) }

  public func debug(_ message: OSLogMessage) { write(.debug, message) }

  public func info(_ message: OSLogMessage) { write(.info, message) }

  public func notice(_ message: OSLogMessage) { write(.notice, message) }

  public func warning(_ message: OSLogMessage) { write(.warning, message) }

  public func error(_ message: OSLogMessage) { write(.error, message) }

  public func critical(_ message: OSLogMessage) { write(.critical, message) }

  public func fault(_ message: OSLogMessage) { write(.critical, message) }

  private func write(_ level: LogLevel, _ message: OSLogMessage) {
    log.write(level) { message.text }
  }
}
