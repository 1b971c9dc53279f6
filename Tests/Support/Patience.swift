import Foundation

/// The time that a test waits for what has to come: one length for the whole project.
///
/// Two minutes on an idle machine, which only a fault exceeds, and longer by as many programs as want each of its cores:
/// an hour of tests beside others fails for no other reason than one by itself. `TEST_PATIENCE` is another length, in
/// seconds, whatever the load.
package enum Patience {
  private static let atRest = 120.0
  private static let longest = 10.0
  private static let given = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap(
    Double.init)

  /// How many times as long as on an idle machine things take now: 1 at least.
  package static var stretch: Double {
    min(longest, max(1, load / Double(ProcessInfo.processInfo.activeProcessorCount)))
  }

  /// The programs that want a core: of the last minute, or of this moment where these are more.
  package static var load: Double {
    // Where there is no such file the machine counts as idle.
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    let parts = text.split(separator: " ")
    guard parts.count > 3 else { return 0 }
    let running = parts[3].split(separator: "/").first.flatMap { Double($0) } ?? 0
    return max(Double(parts[0]) ?? 0, running)
  }

  package static var seconds: TimeInterval { given ?? atRest * stretch }

  package static var duration: Duration { .seconds(seconds) }

  package static var milliseconds: Int { Int(seconds * 1000) }

  /// A length that somebody else keeps to, such as a server's time limit: longer as everything is.
  package static func stretched(_ length: Duration) -> Duration { length * stretch }

  // MARK: - Waiting

  /// Waits until a condition holds, which is looked at again and again.
  package static func wait(
    for what: @autoclosure () -> String, until condition: () throws -> Bool
  ) throws {
    var wait = Wait()
    while try !condition() {
      try wait.goOn(for: what())
      Thread.sleep(forTimeInterval: wait.pause)
    }
  }

  /// Waits until there is a value.
  package static func find<Value>(
    _ what: @autoclosure () -> String, _ value: () throws -> Value?
  ) throws -> Value {
    var found: Value?
    try wait(for: what()) {
      found = try value()
      return found != nil
    }
    // The condition held.
    return found!
  }

  /// Waits until a condition holds; whatever else is to be done goes on meanwhile.
  package static func waiting(
    for what: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    until condition: () async throws -> Bool
  ) async throws {
    var wait = Wait()
    while try await !condition() {
      try wait.goOn(for: what())
      try await Task.sleep(for: .seconds(wait.pause))
    }
  }
}

/// One wait: its begin, and the pause until the next look.
private struct Wait {
  private let start = ContinuousClock.now
  private(set) var pause: TimeInterval = 0.0005

  /// Throws when the time is over. The machine may have become busy since the wait began.
  mutating func goOn(for what: @autoclosure () -> String) throws {
    let waited = ContinuousClock.now - start
    if waited > Patience.duration { throw WaitedInVain(what: what(), time: waited) }
    pause = min(0.05, pause * 2)
  }
}

/// The error of a wait that came to nothing.
package struct WaitedInVain: Error, CustomStringConvertible {
  package let what: String
  package let time: Duration

  package var description: String {
    "Waited \(time) in vain for \(what), at a load of \(Patience.load)"
  }
}
