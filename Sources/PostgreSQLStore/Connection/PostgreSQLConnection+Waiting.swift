internal import CPostgreSQL
import CoreData

// Waiting for the server, and giving it up.
extension PostgreSQLConnection {
  /// How long nobody is asked whether the result is still wanted, milliseconds.
  private static let pause: Int32 = 10

  /// What the server says next, as `PQgetResult`. A read that can be cancelled is: the server is told, and what it
  /// says then is that it was cancelled.
  func nextResult() -> OpaquePointer? {
    if let cancellation = ReadCancellation.ofThisRead { wait(cancellation) }
    return PQgetResult(handle)
  }

  private func wait(_ cancellation: ReadCancellation) {
    while PQisBusy(handle) == 1 {
      if cancellation.isCancelled, !isSpent {
        // What says so may arrive when the statement has ended, and would hit the next one.
        isSpent = true
        cancelStatement()
      }
      var interest = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      poll(&interest, 1, Self.pause)
      guard PQconsumeInput(handle) == 1 else { return }
    }
  }

  private func cancelStatement() {
    guard let cancel = PQgetCancel(handle) else { return }
    defer { PQfreeCancel(cancel) }
    // A server that cannot be told finishes for nobody.
    var message = [CChar](repeating: 0, count: 256)
    PQcancel(cancel, &message, Int32(message.count))
  }
}
