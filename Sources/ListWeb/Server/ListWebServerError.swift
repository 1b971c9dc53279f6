#if Web
  import Foundation
  import NIOCore

  /// Why a server could not start.
  public enum ListWebServerError: Error, CustomStringConvertible {
    /// Another program listens there already.
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String)

    init(_ error: any Error, host: String, port: Int) {
      if let error = error as? IOError, error.errnoCode == EADDRINUSE {
        self = .portInUse(host: host, port: port)
      } else {
        self = .cannotListen(host: host, port: port, reason: String(describing: error))
      }
    }

    public var description: String {
      switch self {
      case .portInUse(let host, let port):
        "Port \(port) on \(host) is in use by another program. "
          + "Choose another one with --port, or 0 for any free port."
      case .cannotListen(let host, let port, let reason):
        "Cannot listen on port \(port) of \(host): \(reason)"
      }
    }
  }

  /// So that the words also reach those who show errors by `localizedDescription`.
  extension ListWebServerError: LocalizedError {
    public var errorDescription: String? { description }
  }
#endif
