import CoreData
import Synchronization

/// Standbys that read for a store, and how far in the primary's log they must have come, so that nobody misses what
/// the store itself has written, read or been told of.
///
///     save, note of another's     the primary has gone on, nobody knows how far
///     next read      primary      pg_current_wal_insert_lsn(): the position to be reached
///                    standby      pg_last_wal_replay_lsn(): reached? waits a little; else another standby, else
///                                 the primary reads
///
/// Without a save in between a read asks nobody. Of several standbys one reads, the first of them by chance, as long as
/// it can be reached and is not behind: so what is read never goes back. One that fails is left alone for a while.
///
/// Sendable: `state` and `asking` guard what changes.
final class Replicas: Sendable {
  /// How long the last standby that is left is waited for, seconds.
  private static let patience: TimeInterval = 0.5
  /// The same where another one may have come further.
  private static let shortPatience: TimeInterval = 0.05
  /// What connecting may take, at most.
  private static let connecting: TimeInterval = 5

  fileprivate struct State {
    var hasMoved = true
    var position: UInt64 = 0
    /// Which standby reads.
    var current: Int
  }

  private let primary: ConnectionPool
  private let standbys: [Standby]
  private let state: Mutex<State>
  /// Held while the primary is asked: the last answer is the one that counts.
  private let asking = TurnLock()

  /// - Parameter address: of one standby or of several.
  init(_ address: ServerAddress, of primary: ConnectionPool) throws {
    self.primary = primary
    standbys = try address.hosts.map {
      Standby(
        $0, limit: primary.limit, primary.limits.ofOneOfSeveral(within: Self.connecting))
    }
    state = Mutex(State(current: Int.random(in: standbys.indices)))
  }

  func close() { for standby in standbys { standby.pool.close() } }

  /// To be called after every save, and before others are told of one.
  func primaryHasMoved() { state.withLock { $0.hasMoved = true } }

  /// Runs `body`, which only reads and can be begun anew.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    while let (standby, isLast) = next() {
      let position = try position()
      do {
        return try standby.pool.with { connection in
          let patience = isLast ? Self.patience : Self.shortPatience
          guard try standby.reaches(position, connection, within: patience) else { throw Late() }
          return try body(connection)
        }
      } catch is Late {
        // The next reads do not wait for it in vain, too.
        standby.rest()
      } catch let error as PostgreSQLError where error.isConnectionLost {
        standby.pool.dropIdle()
        standby.rest()
      } catch let error as PostgreSQLError where error.isTransient {
        // The rows were cleared away on the primary, and the standby could not keep them any longer.
        break
      }
    }
    // What is read there may be newer than what a standby has.
    defer { primaryHasMoved() }
    return try primary.reading(body)
  }

  /// The standby that reads, and whether there is no other in its place; nil when none is worth asking.
  private func next() -> (Standby, isLast: Bool)? {
    let usable = standbys.map(\.isUsable)
    guard let index = state.withLock({ $0.choose(usable) }) else { return nil }
    return (standbys[index], usable.filter { $0 }.count == 1)
  }

  /// A standby that has not come far enough.
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

  // MARK: - Opening

  /// Throws for a server that has another store; one that cannot be reached now may be there later.
  func check(_ storeUUID: String) throws {
    for standby in standbys { try check(standby, storeUUID) }
  }

  private func check(_ standby: Standby, _ storeUUID: String) throws {
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
  /// The one that reads, or the next that is usable: how far the former had come nobody knows, so the primary is asked.
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
