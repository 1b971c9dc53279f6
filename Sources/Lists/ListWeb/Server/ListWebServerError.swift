#if Web
  import Foundation
  import NIOCore

  /// The reason for which a server could not start.
  public enum ListWebServerError: Error, CustomStringConvertible {
    /// Another program listens on the port already.
    case portInUse(host: String, port: Int)
    /// The system refuses to listen on the address, for the reason given.
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

  /// Makes `localizedDescription` return `description`.
  extension ListWebServerError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
  }
#endif
