import CoreData
import Synchronization

/// One server that reads for a store, and whether it is worth asking.
///
/// Sendable: `restsUntil` has its lock.
final class Standby: Sendable {
  /// How long one that could not be reached, or was waited for in vain, is left alone, seconds.
  private static let rest: TimeInterval = 2

  let pool: ConnectionPool
  private let restsUntil = Mutex(Date.distantPast)

  init(_ address: ServerAddress, limit: Int, _ limits: TimeLimits) {
    pool = ConnectionPool(address, limit: limit, limits)
  }

  var isUsable: Bool { restsUntil.withLock { $0 < Date() } }

  func rest() { restsUntil.withLock { $0 = Date(timeIntervalSinceNow: Self.rest) } }

  /// Waits until it has come so far in the primary's log; false when it has not in time.
  func reaches(
    _ position: UInt64, _ connection: PostgreSQLConnection, within patience: TimeInterval
  ) throws -> Bool {
    // One server never goes back.
    if connection.replayed >= position { return true }
    let end = Date(timeIntervalSinceNow: patience)
    var pause: TimeInterval = 0.001
    while true {
      let result = try connection.query("SELECT pg_last_wal_replay_lsn()")
      // Not a standby, or none any more.
      if result.isNull(0, 0) { return true }
      connection.replayed = UInt64(bitPattern: result.integer(0, 0))
      if connection.replayed >= position { return true }
      guard Date() < end else { return false }
      Thread.sleep(forTimeInterval: pause)
      pause = min(0.02, pause * 2)
    }
  }
}
