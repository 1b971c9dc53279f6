import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Random events in a context, saved or not, undone, or merged from elsewhere, and requests that
/// change: what delegates of every form are told, applied to the old list, gives the new one, which a fresh
/// fetch gives too.
@Suite struct FetchedResultsReplayTests {
  /// 4,000 batches in all, or as many as the environment says: `make test-replays` says 100,000.
  private static let count =
    (ProcessInfo.processInfo.environment["GENERATED_BATCHES"].flatMap { Int($0) } ?? 4_000) / 8

  @Test(arguments: Sample.of([NSInMemoryStoreType, NSSQLiteStoreType], [1, 2, 3, 4] as [UInt64]))
  func whatIsToldReplayedOnTheOldListGivesTheNewOne(storeType: String, seed: UInt64) throws {
    print("FetchedResultsReplayTests: \(storeType), seed \(seed), \(Self.count) batches")
    try FetchedStack.with(storeType) { stack in
      let run = try ReplayRun(stack, seed: seed)
      while run.batches < Self.count, !run.hasFailed { try run.step() }
      #expect(run.events > 0)
    }
  }

  @Test(arguments: [11, 12] as [UInt64])
  func aSequenceOfDifferencesGivesTheListInTheEnd(seed: UInt64) async throws {
    let stack = try FetchedStack(NSSQLiteStoreType)
    let (start, end, differences) = try stack.context.performAndWait {
      let run = try ReplayRun(stack, seed: seed)
      let controller = run.lists[0].controller
      let start = controller.shown
      let differences = controller.differences()
      for _ in 0..<100 { try run.step() }
      return (start, controller.shown.map(\.places.count), differences)
    }
    var counts = start.map(\.places.count)
    for await difference in differences { counts = applying(difference, to: counts) }
    #expect(counts == end, "seed \(seed)")
  }

  private func applying(_ difference: FetchedResultsDifference, to old: [Int]) -> [Int] {
    var counts = old
    for row in difference.deletions { counts[row.indexPath.section] -= 1 }
    for move in difference.moves { counts[move.source.section] -= 1 }
    for section in difference.deletedSections {
      #expect(counts.remove(at: section.index) == 0)
    }
    for section in difference.insertedSections { counts.insert(0, at: section.index) }
    for row in difference.insertions { counts[row.indexPath.section] += 1 }
    for move in difference.moves { counts[move.destination.section] += 1 }
    return counts
  }
}
