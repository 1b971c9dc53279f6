import CoreData
import Synchronization

/// Standbys that read for a store. A read uses a standby only if the standby has replayed the
/// primary's write-ahead log far enough to include everything that the store itself has written,
/// read or been notified of.
///
///     save, notification   the primary has moved on, to an unknown position
///     next read  primary   pg_current_wal_insert_lsn(): the position to reach
///                standby   pg_last_wal_replay_lsn(): reached? If not, waits a little; then tries
///                          another standby, then reads from the primary
///
/// Without a save in between, a read asks no other server. Of several standbys one reads, initially
/// chosen at random, as long as it can be reached and is not behind; so reads never go back in
/// time. A standby that fails is not used for a while.
///
/// Sendable: `state` is in a mutex, `asking` serializes requests to the primary, everything else is
/// constant.
final class Replicas: Sendable {
  /// Seconds to wait for the last remaining standby.
  private static let patience: TimeInterval = 0.5
  /// Seconds to wait for a standby while another one may be further ahead.
  private static let shortPatience: TimeInterval = 0.05
  /// Maximum seconds to connect to a standby.
  private static let connecting: TimeInterval = 5

  fileprivate struct State {
    var hasMoved = true
    var position: UInt64 = 0
    /// The index of the standby that reads.
    var current: Int
  }

  private let primary: ConnectionPool
  private let standbys: [Standby]
  private let state: Mutex<State>
  /// Held while the primary is asked for its position, so that the latest answer is stored last.
  private let asking = TurnLock()

  /// - Parameter address: the address of one or several standbys.
  init(_ address: ServerAddress, of primary: ConnectionPool) throws {
    self.primary = primary
    standbys = try address.hosts.map {
      Standby(
        $0, limit: primary.limit, limits: primary.limits.ofOneOfSeveral(within: Self.connecting))
    }
    state = Mutex(State(current: Int.random(in: standbys.indices)))
  }

  func close() { for standby in standbys { standby.pool.close() } }

  /// Records that the primary has changed. Call it after each save, and before notifying listeners
  /// of one.
  func primaryHasMoved() { state.withLock { $0.hasMoved = true } }

  /// Runs `body`, which must only read, so that it can be repeated.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    while let (standby, isLast) = next() {
      let position = try position()
      do {
        return try standby.pool.with { connection in
          let patience = isLast ? Self.patience : Self.shortPatience
          guard try standby.reaches(position, connection: connection, within: patience) else {
            throw Late()
          }
          return try body(connection)
        }
      } catch is Late {
        // Following reads do not wait for this standby either.
        standby.rest()
      } catch let error as PostgreSQLError where error.isConnectionLost {
        standby.pool.dropIdle()
        standby.rest()
      } catch let error as PostgreSQLError where error.isTransient {
        // The primary has vacuumed rows that this query needs, and the standby had to follow.
        break
      }
    }
    // The primary's data may be newer than that of the standbys.
    defer { primaryHasMoved() }
    return try primary.reading(body)
  }

  /// The standby to read from, and whether it is the only usable one; nil if none is usable.
  private func next() -> (Standby, isLast: Bool)? {
    let usable = standbys.map(\.isUsable)
    guard let index = state.withLock({ $0.choose(usable) }) else { return nil }
    return (standbys[index], usable.filter { $0 }.count == 1)
  }

  /// Thrown for a standby that has not replayed far enough.
  private struct Late: Error {}

  private func position() throws -> UInt64 {
    try asking.with(primary.limits, at: primary.address) {
      let (hasMoved, known) = state.withLock { state in
        defer { state.hasMoved = false }
        return (state.hasMoved, state.position)
      }
      guard hasMoved else { return known }
      do {
        let position = try primary.reading { connection in
          UInt64(
            bitPattern: try connection.query("SELECT pg_current_wal_insert_lsn()").integer(
              0, column: 0))
        }
        state.withLock { $0.position = position }
        return position
      } catch {
        primaryHasMoved()
        throw error
      }
    }
  }

  // MARK: - Opening

  /// Throws if a server has another store. A server that cannot be reached now may be available
  /// later.
  func check(_ storeUUID: String) throws {
    for standby in standbys { try check(standby, storeUUID: storeUUID) }
  }

  private func check(_ standby: Standby, storeUUID: String) throws {
    do {
      let found = try standby.pool.with { connection -> String? in
        guard try StoreTables.exist(connection) else { return nil }
        return try StoreTables.metadata(connection)[NSStoreUUIDKey] as? String
      }
      guard let found, found != storeUUID else { return }
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The server at \(standby.pool.address.url.absoluteString) is no replica of the one "
          + "at \(primary.address.url.absoluteString): it has the store \(found), not \(storeUUID)."
      )
    } catch let error as PostgreSQLError where error.isConnectionLost {
      standby.rest()
    }
  }
}

extension Replicas.State {
  /// The current standby if it is usable, else the next usable one. A change of standby requires
  /// the primary's position again, because the replay position of the last standby is unknown.
  fileprivate mutating func choose(_ usable: [Bool]) -> Int? {
    let order = usable.indices.map { (current + $0) % usable.count }
    guard let index = order.first(where: { usable[$0] }) else { return nil }
    if index != current {
      current = index
      hasMoved = true
    }
    return index
  }
}
