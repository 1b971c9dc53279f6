import CoreData
import Testing

@testable import CoreDataSamples

/// Random histories of edits, undo, redo, save and rollback against plain values.
@Suite struct RandomHistoryTests {
  @Test(arguments: Sample.of(StoreKind.all, [11, 12, 13, 14] as [UInt64]))
  func aContextAgreesWithPlainValuesAfterEveryStep(_ kind: StoreKind, seed: UInt64) throws {
    print("seed \(seed)")
    let stack = try TestStack(kind)
    try stack.withContext { context in
      var history = RandomHistory(context: context, seed: seed)
      for step in 0..<max(100, Sample.part(of: 400)) {
        let operation = try history.step()
        let found = try history.observed()
        #expect(found == history.model, "seed \(seed), step \(step), after \(operation)")
        guard found == history.model else { return }
        if operation == "save" {
          let stored = try stack.withContext { try RandomHistory.observe($0) }
          #expect(stored == history.model, "seed \(seed), step \(step): the store")
          guard stored == history.model else { return }
        }
      }
    }
  }
}
