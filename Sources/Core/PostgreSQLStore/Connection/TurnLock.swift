import CoreData

/// A lock with a time limit, since its holder may wait for a server.
///
/// Sendable: `lock` is the only stored property and thread-safe.
final class TurnLock: Sendable {
  private let lock = NSLock()

  /// Runs `body` exclusively. Throws `NSPersistentStoreTimeoutError` (134090) if the lock is not
  /// free in time.
  func with<Result>(
    _ limits: TimeLimits, at address: ServerAddress, body: () throws -> Result
  ) throws -> Result {
    guard lock.lock(before: Date(timeIntervalSinceNow: limits.request)) else {
      throw PostgreSQLError.late(
        "Others have been waiting for \(address.url.absoluteString) for \(limits.request) seconds")
    }
    defer { lock.unlock() }
    return try body()
  }
}
