import CoreData
import Synchronization

/// A standby server that reads for a store, and whether it is usable at present.
///
/// Sendable: constants, a thread-safe pool, and `restsUntil` in a mutex.
final class Standby: Sendable {
  /// Seconds for which a standby is not used after it could not be reached or was waited for in
  /// vain.
  private static let rest: TimeInterval = 2

  let pool: ConnectionPool
  private let restsUntil = Mutex(Date.distantPast)

  init(_ address: ServerAddress, limit: Int, limits: TimeLimits) {
    pool = ConnectionPool(address, limit: limit, limits: limits)
  }

  var isUsable: Bool { restsUntil.withLock { $0 < Date() } }

  func rest() { restsUntil.withLock { $0 = Date(timeIntervalSinceNow: Self.rest) } }

  /// Waits until the standby has replayed the write-ahead log up to a position; returns false if
  /// that takes too long.
  func reaches(
    _ position: UInt64, connection: PostgreSQLConnection, within patience: TimeInterval
  ) throws -> Bool {
    // The replay position of a server never decreases.
    if connection.replayed >= position { return true }
    let end = Date(timeIntervalSinceNow: patience)
    var pause: TimeInterval = 0.001
    while true {
      let result = try connection.query("SELECT pg_last_wal_replay_lsn()")
      // Not a standby, or promoted to primary.
      if result.isNull(0, column: 0) { return true }
      connection.replayed = UInt64(bitPattern: result.integer(0, column: 0))
      if connection.replayed >= position { return true }
      guard Date() < end else { return false }
      Thread.sleep(forTimeInterval: pause)
      pause = min(0.02, pause * 2)
    }
  }
}
