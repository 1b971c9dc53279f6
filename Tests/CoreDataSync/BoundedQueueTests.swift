import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

@Suite struct BoundedQueueTests {
  /// Whoever is faster than the queue waits, and nothing is left out.
  @Test func whoeverIsTooFastWaits() async throws {
    let queue = BoundedQueue()
    let gate = DispatchSemaphore(value: 0)
    let (added, run) = (Mutex(0), Mutex(0))
    queue.addOperation { gate.wait() }
    Thread {
      for _ in 0..<1000 {
        queue.addOperation { run.withLock { $0 += 1 } }
        added.withLock { $0 += 1 }
      }
    }.start()
    try await Patience.waiting(for: "the queue to be full") { added.withLock { $0 } == 31 }
    #expect(run.withLock { $0 } == 0)
    gate.signal()
    try await Patience.waiting(for: "the queue to be empty") { run.withLock { $0 } == 1000 }
    #expect(added.withLock { $0 } == 1000)
  }
}
