internal import CPostgreSQL
import CoreData
import Synchronization

// Waiting for the server, and giving it up.
//
//     nothing comes for `silence`   another connection asks the server whether it is still at it: if not, given up
//     nothing comes for `answer`    given up
//     a read that is cancelled      the server is told, and says that it was cancelled
//
// What is given up is cut, so that nothing that libpq is asked for afterwards waits for it.
extension PostgreSQLConnection {
  /// How long nobody is asked whether the result is still wanted, milliseconds.
  private static let pause: TimeInterval = 0.01
  /// How long a wait goes on without a look at what may have been read already.
  private static let look: TimeInterval = 1

  /// What the server says next, as `PQgetResult`.
  func nextResult() -> OpaquePointer? {
    wait { PQisBusy(handle) == 1 }
    return PQgetResult(handle)
  }

  /// Waits until everything is on its way.
  func flush() { wait { PQflush(handle) == 1 } }

  /// Sends what libpq keeps and takes what comes, as long as `isBusy` says; not longer than the connection is there.
  func wait(while isBusy: () -> Bool) {
    guard isBusy() else { return }
    let cancellation = ReadCancellation.ofThisRead
    var heard = ContinuousClock.now
    var asked = heard
    repeat {
      if let cancellation, cancellation.isCancelled, !isSpent {
        // What says so may arrive when the statement has ended, and would hit the next one.
        isSpent = true
        cancelStatement()
      }
      let now = ContinuousClock.now
      let silence = seconds(since: heard, now)
      if silence >= limits.answer { return giveUp(after: silence) }
      if seconds(since: asked, now) >= limits.silence {
        guard isStillAtIt() else { return giveUp(after: silence) }
        asked = .now
      }
      let rest = min(limits.answer - silence, limits.silence - seconds(since: asked, now))
      let pause = min(max(rest, 0.001), cancellation == nil ? Self.look : Self.pause)
      let hasNews = poll(for: pause)
      guard PQconsumeInput(handle) == 1 else { return }
      if hasNews {
        heard = .now
        asked = heard
      }
    } while isBusy()
  }

  private func seconds(
    since start: ContinuousClock.Instant, _ now: ContinuousClock.Instant
  ) -> TimeInterval {
    (now - start) / .seconds(1)
  }

  /// Whether something can be read, or written that has to be.
  private func poll(for time: TimeInterval) -> Bool {
    let isSending = PQflush(handle) == 1
    var interest = pollfd(
      fd: socket, events: Int16(isSending ? POLLIN | POLLOUT : POLLIN), revents: 0)
    return Glibc.poll(&interest, 1, Int32((time * 1000).rounded(.up))) > 0
  }

  /// Cut here, the server's end may go on: it is told to stop, and a transaction that it may have committed is asked about.
  private func giveUp(after silence: TimeInterval) {
    isSpent = true
    self.silence = silence
    cancelStatement()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  // MARK: - Questions beside the connection

  /// Whether the same server says that it works for this connection.
  private func isStillAtIt() -> Bool {
    do {
      let other = try PostgreSQLConnection(address, limits: .ofQuestion)
      guard other.host == host else { return false }
      let found = try other.query(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state IS DISTINCT FROM 'idle'",
        [.integer(Int64(PQbackendPID(handle)))])
      return found.integer(0, 0) > 0
    } catch let error as PostgreSQLError {
      // One that has no room for more connections is there.
      return error.state.hasPrefix("53")
    } catch {
      return false
    }
  }

  /// Which of the hosts of an address it is.
  private var host: [String] {
    [PQhost(handle), PQport(handle)].map { $0.map { String(cString: $0) } ?? "" }
  }

  /// So many are told at once: who does not listen keeps a thread.
  private static let mostCancellations = 8
  private static let cancellations = Mutex(0)

  /// By another connection, on a thread of its own: nobody waits for it. A server that cannot be told finishes for
  /// nobody.
  private func cancelStatement() {
    let isFree = Self.cancellations.withLock { count in
      guard count < Self.mostCancellations else { return false }
      count += 1
      return true
    }
    guard isFree else { return }
    guard let cancel = PQgetCancel(handle) else {
      Self.cancellations.withLock { $0 -= 1 }
      return
    }
    let told = Told(cancel: cancel)
    Thread.detachNewThread {
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(told.cancel, &message, Int32(message.count))
      PQfreeCancel(told.cancel)
      Self.cancellations.withLock { $0 -= 1 }
    }
  }

  /// Sendable: handed over once.
  private struct Told: @unchecked Sendable {
    let cancel: OpaquePointer
  }
}
