#if Shims
  import Foundation
  import Logging
  import Synchronization

  /// A swift-log logger for a subsystem and category. It is made at the first message, because logs
  /// are mostly global constants and a program may call `LoggingSystem.bootstrap` later.
  final class LogChannel: Sendable {
    private let label: String
    private let category: String
    private let made = Mutex<Logging.Logger?>(nil)

    init(subsystem: String, category: String) {
      label = subsystem.isEmpty ? ProcessInfo.processInfo.processName : subsystem
      self.category = category
    }

    func isEnabled(_ level: LogLevel) -> Bool { logger.logLevel <= level.ofSwiftLog }

    func write(_ level: LogLevel, _ text: String, _ details: [String: String]) {
      logger.log(
        level: level.ofSwiftLog, "\(text)", metadata: details.mapValues { .string($0) },
        source: label, file: "", function: "", line: 0)
    }

    private var logger: Logging.Logger {
      made.withLock { made in
        if let made { return made }
        var logger = Logging.Logger(label: label)
        if !category.isEmpty { logger[metadataKey: "category"] = "\(category)" }
        made = logger
        return logger
      }
    }
  }

  extension LogLevel {
    fileprivate var ofSwiftLog: Logging.Logger.Level {
      switch self {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      case .critical: .critical
      }
    }
  }
#endif
