#if Web
  import Foundation
  import NIOCore

  /// Why a server could not start.
  public enum SyncServerError: LocalizedError, CustomStringConvertible, Sendable {
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
        "Port \(port) on \(host) is in use by another program."
      case .cannotListen(let host, let port, let reason):
        "Cannot listen on port \(port) of \(host): \(reason)"
      }
    }

    /// The `description`.
    public var errorDescription: String? { description }
  }
#endif
