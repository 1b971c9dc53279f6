import CoreData

/// A lock that is waited for no longer than a request may take: who holds it may wait for a server.
///
/// Sendable: a lock.
final class TurnLock: Sendable {
  private let lock = NSLock()

  /// Runs `body` while nobody else does. Throws 134090 when the others have not done in time.
  func with<Result>(
    _ limits: TimeLimits, at address: ServerAddress, _ body: () throws -> Result
  ) throws -> Result {
    guard lock.lock(before: Date(timeIntervalSinceNow: limits.request)) else {
      throw PostgreSQLError.late(
        "Others have been waiting for \(address.url.absoluteString) for \(limits.request) seconds")
    }
    defer { lock.unlock() }
    return try body()
  }
}
