import Foundation
import TestSupport
import Testing

@testable import CoreDataSync

/// Random histories with the real engine over real stores. A failing one can be run alone:
///
///     SYNC_SEED=42 SYNC_HISTORIES=1 Scripts/run-tests --filter HistoriesTests
///
/// `make test-sync-histories` runs those of a share of the seeds, another one for each change.
/// `SYNC_TRACE=1` prints what happened in it; `SYNC_WITHOUT=clones,restores,…` leaves faults out,
/// `SYNC_WITH=editwins` has edits revive what was deleted.
@Suite(.serialized) struct HistoriesTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SYNC_SEED"].flatMap { UInt64($0) } ?? 0
  private static let number = environment["SYNC_HISTORIES"].flatMap { UInt64($0) } ?? 20
  private static let without = Set(
    (environment["SYNC_WITHOUT"] ?? "").split(separator: ",").map(String.init))

  private static var options: History.Options {
    var options = History.Options()
    options.clones = !without.contains("clones")
    options.restores = !without.contains("restores")
    options.serverRestores = !without.contains("serverrestore")
    options.purges = !without.contains("purge")
    options.compactions = !without.contains("compact")
    options.skew = !without.contains("skew")
    options.crashes = !without.contains("crash")
    options.models = !without.contains("models")
    options.rights = !without.contains("rights")
    options.faults = !without.contains("net")
    options.editWins = environment["SYNC_WITH"] == "editwins"
    if let steps = environment["SYNC_STEPS"].flatMap({ Int($0) }) { options.steps = steps }
    return options
  }

  @Test func devicesAgreeAfterRandomHistories() async throws {
    var counts: [String: Int] = [:]
    var failures: [String] = []
    let start = ContinuousClock.now
    let seeds = Sample.of(Self.first..<Self.first + Self.number)
    for seed in seeds {
      let history = History(seed: seed, options: Self.options)
      do {
        try await history.run()
        say(seed)
      } catch {
        failures.append("seed \(seed): \(error)")
        print("FAILED seed \(seed): \(error)")
        for line in history.trace { print(line) }
      }
      counts.merge(history.counts, uniquingKeysWith: +)
    }
    let time = ContinuousClock.now - start
    print("\(seeds.count) histories from seed \(Self.first), \(failures.count) failed, \(time)")
    print(
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    #expect(failures.isEmpty, "\(failures.prefix(5).joined(separator: "\n"))")
  }

  /// Says now and then how far a long run has come: one that is silent is taken for hanging.
  private func say(_ seed: UInt64) {
    guard (seed - Self.first) % 25 == 24 else { return }
    print("done: seeds \(Self.first) to \(seed)")
    fflush(nil)
  }
}
