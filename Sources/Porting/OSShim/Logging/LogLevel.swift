/// The levels of swift-log, which are finer than ``OSLogType``: Apple stores trace as debug, notice
/// as default and warning as error.
enum LogLevel: CaseIterable {
  case trace, debug, info, notice, warning, error, critical

  init(_ type: OSLogType) {
    switch type {
    case .debug: self = .debug
    case .info: self = .info
    case .error: self = .error
    case .fault: self = .critical
    default: self = .notice
    }
  }
}
