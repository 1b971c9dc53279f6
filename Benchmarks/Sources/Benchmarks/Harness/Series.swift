import Foundation

/// The measured runs of a scenario: the sides take turns, and each side's first run is discarded, so
/// that a cold cache or a slow moment of the machine hits all alike. Runs that are over at once are repeated
/// more often: a few of them would all lie in one such moment.
struct Series {
  let unit: Scenario.Unit
  private(set) var sides: [Side] = []

  /// What the runs of all sides take together, if they count for short.
  private static let short = Duration.milliseconds(20)

  /// Only the names of a contestant: what it holds goes with the scenario.
  struct Side {
    let name: String
    let way: String?
    let median: Double
    /// The fastest and the slowest run.
    let range: ClosedRange<Double>
  }

  init(_ scenario: Scenario, runs: Int, runsOfShort: Int) throws {
    unit = scenario.unit
    // Or the first saves would wait for the disk to take the stores that the sides were given.
    sync()
    var figures = [[Double]](repeating: [], count: scenario.contestants.count)
    var (number, last) = (0, runs)
    while number <= last {
      defer { number += 1 }
      let start = ContinuousClock.now
      let outcomes = try scenario.contestants.map { contestant in
        Self.tidyHeap()
        return try contestant.run(number)
      }
      try Self.check(outcomes, of: scenario)
      if number == 0 {
        if scenario.mayRepeat, ContinuousClock.now - start < Self.short { last = runsOfShort }
        continue
      }
      for (side, outcome) in outcomes.enumerated() {
        figures[side].append(unit.figure(of: outcome.quantity))
      }
    }
    for (side, contestant) in scenario.contestants.enumerated() {
      let sorted = figures[side].sorted()
      sides.append(
        Side(
          name: contestant.name, way: contestant.way, median: Self.median(of: sorted),
          range: sorted[0]...sorted[sorted.count - 1]))
    }
  }

  /// The C library puts together what was freed in small pieces when somebody asks for a larger one: that is
  /// done here, or a side would be charged with what the one before it has left behind (7 ms for a list of a
  /// million).
  private static func tidyHeap() {
    var block: UnsafeMutableRawPointer?
    precondition(posix_memalign(&block, 64, 8 * 1024) == 0, "There is no memory left")
    free(block)
  }

  private static func check(_ outcomes: [Outcome], of scenario: Scenario) throws {
    for (contestant, outcome) in zip(scenario.contestants, outcomes)
    where outcome.checksum != outcomes[0].checksum {
      throw BenchmarkError.unequalWork(
        scenario.contestants[0].name, "\(outcomes[0].checksum)",
        contestant.name, "\(outcome.checksum)")
    }
  }

  private static func median(of sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
