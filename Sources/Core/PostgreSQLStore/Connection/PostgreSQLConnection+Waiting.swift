internal import CPostgreSQL
import CoreData
import Synchronization

// Waiting for the server, with time limits.
//
//     no data for `silence`   another connection asks the server whether it still works on the
//                             statement; if not, the connection is given up
//     no data for `answer`    the connection is given up
//     a cancelled read        the server gets a cancel request and answers with an error
//
// Giving up shuts the socket down, so that no later call of libpq waits for it.
extension PostgreSQLConnection {
  /// Seconds between checks for cancellation.
  private static let pause: TimeInterval = 0.01
  /// Seconds after which a wait polls libpq again, without cancellation.
  private static let look: TimeInterval = 1

  /// The next result, like `PQgetResult`, with time limits.
  func nextResult() -> OpaquePointer? {
    wait { PQisBusy(handle) == 1 }
    return PQgetResult(handle)
  }

  /// Waits until all data has been sent.
  func flush() { wait { PQflush(handle) == 1 } }

  /// Sends buffered data and reads arriving data while `isBusy` returns true. Ends if the
  /// connection is lost or given up.
  func wait(while isBusy: () -> Bool) {
    guard isBusy() else { return }
    let cancellation = ReadCancellation.ofThisRead
    var heard = ContinuousClock.now
    var asked = heard
    repeat {
      if let cancellation, cancellation.isCancelled, !isSpent {
        // The cancel request may arrive after the statement has ended and would then hit the next
        // one.
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

  /// Waits until the socket is readable, or writable if there is data to send.
  private func poll(for time: TimeInterval) -> Bool {
    let isSending = PQflush(handle) == 1
    var interest = pollfd(
      fd: socket, events: Int16(isSending ? POLLIN | POLLOUT : POLLIN), revents: 0)
    return Glibc.poll(&interest, 1, Int32((time * 1000).rounded(.up))) > 0
  }

  /// Gives the connection up. The server may continue, so it gets a cancel request; if it may have
  /// committed a transaction, the caller finds out later.
  private func giveUp(after silence: TimeInterval) {
    isSpent = true
    self.silence = silence
    cancelStatement()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  // MARK: - Requests on other connections

  /// Returns whether the same server reports that it still works on this connection's statement.
  private func isStillAtIt() -> Bool {
    do {
      let other = try PostgreSQLConnection(address, limits: .ofQuestion)
      guard other.host == host else { return false }
      let found = try other.query(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state IS DISTINCT FROM 'idle'",
        parameters: [.integer(Int64(PQbackendPID(handle)))])
      return found.integer(0, column: 0) > 0
    } catch let error as PostgreSQLError {
      // A server that refuses because of too many connections is alive.
      return error.state.hasPrefix("53")
    } catch {
      return false
    }
  }

  /// The host and port of the address that this connection uses.
  private var host: [String] {
    [PQhost(handle), PQport(handle)].map { $0.map { String(cString: $0) } ?? "" }
  }

  /// Maximum number of concurrent cancel requests: each blocks a thread if the server does not
  /// respond.
  private static let mostCancellations = 8
  private static let cancellations = Mutex(0)

  /// Sends a cancel request, over another connection on a new thread, and does not wait for it. If
  /// the server cannot be reached, the statement runs to its end unread.
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

  /// Sendable: the thread that sends the request is the only user of the pointer.
  private struct Told: @unchecked Sendable {
    let cancel: OpaquePointer
  }
}
