import CoreData
import Testing

@testable import CoreDataSamples

/// Random observers (options, keys, depths) through random edits, undo, merges, refreshes, rollbacks and deletions.
/// Each has a copy of its value that is kept by what it is told alone, and must be the value at every step.
@Suite struct RandomObservingTests {
  private static let histories =
    ProcessInfo.processInfo.environment["OBSERVED_HISTORIES"].flatMap(UInt64.init) ?? 120

  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func everyObserverKnowsWhatIsThere(_ kind: StoreKind) throws {
    var told = 0
    let histories = kind == .sqlite ? Self.histories / 3 : Self.histories
    for seed in 1...histories {
      let stack = try TestStack.company(kind)
      try stack.withContext { context in
        var history = ObservedHistory(stack, context, seed: seed)
        var steps: [String] = []
        for _ in 0..<60 {
          steps.append(try history.step())
          let complaints = history.complaints()
          if complaints.isEmpty { continue }
          Issue.record("seed \(seed): \(complaints) after \(steps.suffix(12))")
          break
        }
        told += history.told
      }
    }
    #expect(told > Int(histories) * 5, "observers were told \(told) times")
  }
}
