import Logging
import Synchronization

/// What arrives at swift-log, by label. Other labels' messages go where they go without it.
enum LogRecorder {
  struct Message: Equatable {
    let level: Logging.Logger.Level
    let text: String
    let metadata: [String: String]
  }

  private static let messages = Mutex<[String: [Message]]>([:])

  private static let isInstalled: Void = LoggingSystem.bootstrap { label in
    guard label.hasPrefix("shims.") else { return StreamLogHandler.standardError(label: label) }
    return Handler(label: label, logLevel: label.hasSuffix(".quiet") ? .error : .trace)
  }

  /// A label of a test's own; messages below error are not wanted where it ends in `.quiet`.
  static func label(quiet: Bool = false) -> String {
    _ = isInstalled
    return "shims.\(UInt64.random(in: 0 ... .max))" + (quiet ? ".quiet" : "")
  }

  static func messages(_ label: String) -> [Message] { messages.withLock { $0[label] ?? [] } }

  private struct Handler: LogHandler {
    let label: String
    var logLevel: Logging.Logger.Level
    var metadata: Logging.Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
      let message = Message(level: event.level, text: "\(event.message)", metadata: all)
      messages.withLock { $0[label, default: []].append(message) }
    }
  }
}
