import Dispatch
import Foundation
import Synchronization

/// Threads for blocks that may wait long, separate from Dispatch's. An idle thread is kept for five
/// seconds.
///
/// Sendable: `idle` has a lock.
final class WorkThreads: Sendable {
  static let shared = WorkThreads()

  private static let rest = DispatchTimeInterval.seconds(5)

  /// A thread, which waits to be woken with a job.
  private final class Worker: Sendable {
    let wake = DispatchSemaphore(value: 0)
    let job = Mutex<(@Sendable () -> Void)?>(nil)
  }

  /// The idle workers, the one that worked last at the end.
  private let idle = Mutex<[Worker]>([])

  func run(_ job: @escaping @Sendable () -> Void) {
    if let worker = idle.withLock({ $0.popLast() }) {
      worker.job.withLock { $0 = job }
      worker.wake.signal()
      return
    }
    let worker = Worker()
    worker.job.withLock { $0 = job }
    let thread = Thread { self.work(worker) }
    thread.name = "Core Data"
    thread.start()
  }

  private func work(_ worker: Worker) {
    while true {
      let job = worker.job.withLock { $0.take() }
      if let job { autoreleasepool { job() } }
      idle.withLock { $0.append(worker) }
      guard worker.wake.wait(timeout: .now() + Self.rest) == .timedOut else { continue }
      let isOver = idle.withLock { idle in
        guard let place = idle.firstIndex(where: { $0 === worker }) else { return false }
        idle.remove(at: place)
        return true
      }
      if isOver { return }
      // Another thread has removed the worker from `idle` and is about to give it a job.
      worker.wake.wait()
    }
  }
}
