import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

@Suite struct BoundedQueueTests {
  private final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func note() { number.withLock { $0 += 1 } }
  }

  /// Whoever is faster than the queue waits, and nothing is left out.
  @Test func whoeverIsTooFastWaits() async throws {
    let queue = BoundedQueue()
    let gate = DispatchSemaphore(value: 0)
    let (added, run) = (Count(), Count())
    queue.addOperation { gate.wait() }
    Thread {
      for _ in 0..<1000 {
        queue.addOperation { run.note() }
        added.note()
      }
    }.start()
    try await Patience.waiting(for: "the queue to be full") { added.value == 31 }
    #expect(run.value == 0)
    gate.signal()
    try await Patience.waiting(for: "the queue to be empty") { run.value == 1000 }
    #expect(added.value == 1000)
  }

  /// Once nobody looks any more, what is added runs at once, whatever waits.
  @Test func nobodyWaitsForWhatNobodyReads() {
    let queue = BoundedQueue()
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let run = Count()
    queue.addOperation { gate.wait() }
    queue.letEverythingThrough()
    for _ in 0..<1000 { queue.addOperation { run.note() } }
    #expect(run.value == 1000)
  }
}
