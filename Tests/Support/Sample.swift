import Foundation

/// The part of generated cases that a run tries: all of them, or as many in a hundred as `TEST_SAMPLES` says, which are others
/// where `SAMPLE_SEED` is another number. A check on a slow machine tries some of them at each change.
package enum Sample {
  package static let share = max(1, min(100, number("TEST_SAMPLES") ?? 100))
  private static let seed = UInt64(bitPattern: Int64(number("SAMPLE_SEED") ?? 0))

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  /// Whether the case of a number, which counts from anywhere, is tried.
  package static func takes(_ number: Int) -> Bool {
    guard share < 100 else { return true }
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(number)) &+ seed &* 0x1_0000_0001)
    return random.next() % 100 < share
  }

  /// So many of a number of generated things: one at least.
  package static func part(of count: Int) -> Int { max(1, count * share / 100) }

  /// The cases that are tried, in their order: one at least.
  package static func of<Cases: Collection>(_ cases: Cases) -> [Cases.Element] {
    let taken = cases.enumerated().filter { takes($0.offset) }.map(\.element)
    return taken.isEmpty
      ? Array(cases.dropFirst(Int(seed % UInt64(max(1, cases.count)))).prefix(1)) : taken
  }

  /// The pairs that are tried of each with each.
  package static func of<First: Collection, Second: Collection>(
    _ first: First, _ second: Second
  ) -> [(First.Element, Second.Element)] {
    of(first.flatMap { one in second.map { (one, $0) } })
  }
}
