#if Web
  import Logging
  import Synchronization

  /// Logs why requests are refused: each reason once a minute, with how often it was heard since.
  /// Neither a device that tries again and again nor somebody hostile fills the log.
  final class RefusalLog: Sendable {
    private struct Line {
      var logged: ContinuousClock.Instant
      var others = 0
    }
    private let lines = Mutex<[String: Line]>([:])
    private static let pause = Duration.seconds(60)
    /// More reasons than this are another minute's.
    private static let most = 256

    func note(_ reason: String, to logger: Logger) {
      let now = ContinuousClock.now
      let others = lines.withLock { lines -> Int? in
        if lines.count >= Self.most { lines = lines.filter { now - $0.value.logged < Self.pause } }
        guard lines[reason] != nil || lines.count < Self.most else { return nil }
        if let line = lines[reason], now - line.logged < Self.pause {
          lines[reason]?.others += 1
          return nil
        }
        defer { lines[reason] = Line(logged: now) }
        return lines[reason]?.others ?? 0
      }
      guard let others else { return }
      logger.warning("\(reason)\(others > 0 ? " (\(others) times more in between)" : "")")
    }
  }
#endif
