/// swift-log's levels, which tell more apart than ``OSLogType``: Apple stores a trace as debug, a notice as default and
/// a warning as error.
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
