import CoreData
import Synchronization

/// Standbys that read for a store, and how far in the primary's log they must have come, so that nobody misses what
/// the store itself has written, read or been told of.
///
///     save, note of another's     the primary has gone on, nobody knows how far
///     next read      primary      pg_current_wal_insert_lsn(): the position to be reached
///                    standby      pg_last_wal_replay_lsn(): reached? waits a little; else the primary reads
///
/// Without a save in between a read asks nobody. A standby that cannot be reached, or was
/// waited for in vain, is left alone for a while.
///
/// Sendable: `state` and `asking` guard what changes.
final class Replicas: Sendable {
  /// How long a standby is waited for, seconds.
  private static let patience: TimeInterval = 0.5
  /// How long one that could not be reached is left alone, seconds.
  private static let rest: TimeInterval = 2
  /// What connecting may take, at most.
  private static let connecting: TimeInterval = 5

  private struct State {
    var hasMoved = true
    var position: UInt64 = 0
    var restsUntil = Date.distantPast
  }

  private let primary: ConnectionPool
  private let standbys: ConnectionPool
  private let state = Mutex(State())
  /// Held while the primary is asked: the last answer is the one that counts.
  private let asking = Mutex(())

  /// - Parameter address: of one standby or of several.
  init(_ address: ServerAddress, of primary: ConnectionPool, _ options: StoreOptions) {
    self.primary = primary
    standbys = ConnectionPool(
      address, limit: primary.limit, timeout: min(options.timeout ?? .infinity, Self.connecting))
  }

  func close() { standbys.close() }

  /// To be called after every save, and before others are told of one.
  func primaryHasMoved() { state.withLock { $0.hasMoved = true } }

  /// Runs `body`, which only reads and can be begun anew.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    do {
      guard state.withLock({ $0.restsUntil < Date() }) else { throw Late() }
      let position = try position()
      return try standbys.with { connection in
        try wait(connection, until: position)
        return try body(connection)
      }
    } catch is Late {
    } catch let error as PostgreSQLError where error.isConnectionLost {
      standbys.dropIdle()
      letRest()
    } catch let error as PostgreSQLError where error.isTransient {
      // The rows were cleared away on the primary, and the standby could not keep them any longer.
    }
    // What is read there may be newer than what a standby has.
    defer { primaryHasMoved() }
    return try primary.reading(body)
  }

  private func letRest() {
    state.withLock { $0.restsUntil = Date(timeIntervalSinceNow: Self.rest) }
  }

  /// A standby that has not come far enough.
  private struct Late: Error {}

  private func position() throws -> UInt64 {
    try asking.withLock { _ in
      let (hasMoved, known) = state.withLock { state in
        defer { state.hasMoved = false }
        return (state.hasMoved, state.position)
      }
      guard hasMoved else { return known }
      do {
        let position = try primary.reading { connection in
          UInt64(
            bitPattern: try connection.query("SELECT pg_current_wal_insert_lsn()").integer(0, 0))
        }
        state.withLock { $0.position = position }
        return position
      } catch {
        primaryHasMoved()
        throw error
      }
    }
  }

  private func wait(_ connection: PostgreSQLConnection, until position: UInt64) throws {
    // One server never goes back; the next connection may be to another one.
    let isOne = !standbys.address.namesSeveralHosts
    if isOne, connection.replayed >= position { return }
    let end = Date(timeIntervalSinceNow: Self.patience)
    var pause: TimeInterval = 0.001
    while true {
      let result = try connection.query("SELECT pg_last_wal_replay_lsn()")
      // Not a standby, or none any more.
      if result.isNull(0, 0) { return }
      connection.replayed = UInt64(bitPattern: result.integer(0, 0))
      if connection.replayed >= position { break }
      guard Date() < end else {
        // The next reads do not wait for it in vain, too.
        letRest()
        throw Late()
      }
      Thread.sleep(forTimeInterval: pause)
      pause = min(0.02, pause * 2)
    }
    guard !isOne else { return }
    state.withLock { $0.position = max($0.position, connection.replayed) }
  }

  // MARK: - Opening

  /// Throws for a server that has another store; one that cannot be reached now may be there later.
  func check(_ storeUUID: String) throws {
    do {
      let found = try standbys.with { connection -> String? in
        guard try StoreTables.exist(connection) else { return nil }
        return try StoreTables.metadata(connection)[NSStoreUUIDKey] as? String
      }
      guard let found, found != storeUUID else { return }
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The server at \(standbys.address.url.absoluteString) is no replica of the one at "
          + "\(primary.address.url.absoluteString): it has the store \(found), not \(storeUUID).")
    } catch let error as PostgreSQLError where error.isConnectionLost {
      letRest()
    }
  }
}
