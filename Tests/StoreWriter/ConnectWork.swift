import Foundation

@testable import PostgreSQLStore

/// Connects to a server that takes connections and says nothing, in an environment that the test chooses.
enum ConnectWork {
  /// The seconds until the server is given up.
  static func seconds(_ url: URL, timeout: TimeInterval?) throws -> Double {
    let address = try ServerAddress(url)
    let start = ContinuousClock.now
    do {
      _ = try PostgreSQLConnection(address, timeout: timeout)
      fatalError("A silent server has answered.")
    } catch is PostgreSQLError { return (ContinuousClock.now - start) / .seconds(1) }
  }
}
