import Foundation

/// Counts how often something happens, and lets a thread wait for it: for notifications and handlers.
///
/// Sendable: `condition` guards the number.
package final class Occurrences: @unchecked Sendable {
  private let condition = NSCondition()
  private var number = 0

  package init() {}

  package var count: Int { condition.withLock { number } }

  package func note() {
    condition.withLock {
      number += 1
      condition.broadcast()
    }
  }

  /// Waits until it has happened so often.
  package func wait(for what: String, times wanted: Int = 1) throws {
    let start = ContinuousClock.now
    try condition.withLock {
      while number < wanted {
        let waited = ContinuousClock.now - start
        guard waited < Patience.duration else {
          throw WaitedInVain(what: "\(what), \(number) of \(wanted)", time: waited)
        }
        // At times the machine's load is looked at anew.
        _ = condition.wait(until: Date(timeIntervalSinceNow: 1))
      }
    }
  }
}
