import Foundation
import Synchronization

/// Threads for what waits for a store, so that nothing else waits with it: as many as given, and no
/// more work in line than they do in a while.
final class WorkPool: Sendable {
  private let queue = OperationQueue()
  private let waiting = Mutex(0)
  private static let mostWaiting = 2000

  init(threads: Int = 8) { queue.maxConcurrentOperationCount = threads }

  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    let count = waiting.withLock { count in
      count += 1
      return count
    }
    defer { waiting.withLock { $0 -= 1 } }
    guard count <= Self.mostWaiting else {
      throw SyncServerBusy()
    }
    return try await withCheckedThrowingContinuation { answer in
      queue.addOperation { answer.resume(with: Swift.Result(catching: body)) }
    }
  }
}

/// More is asked of the server than it can do.
struct SyncServerBusy: Error, CustomStringConvertible {
  let description = "The server is busy. Try again in a moment."
}
