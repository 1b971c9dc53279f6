import CoreData
import Testing

@testable import CoreDataSamples

/// Two changes are one step of undo: undone, done again and undone, the context is each time as it was, and a save leaves
/// that in the store. Every change that deletes nothing before every other one.
@Suite struct UndoOfOneStepTests {
  @Test(
    arguments: [StoreKind.sqlite, .inMemory],
    [
      (NSDeleteRule.nullifyDeleteRule, false), (.cascadeDeleteRule, false),
      (.nullifyDeleteRule, true),
    ])
  func thereAndBack(_ kind: StoreKind, _ children: (rule: NSDeleteRule, areOrdered: Bool)) throws {
    var differences: [String] = []
    for first in FamilyChange.all where !first.deletes {
      for second in Sample.of(FamilyChange.all) {
        if let wrong = try difference(kind, children, first, second) {
          differences.append("\(first), then \(second): \(wrong)")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ kind: StoreKind, _ children: (rule: NSDeleteRule, areOrdered: Bool),
    _ first: FamilyChange, _ second: FamilyChange
  ) throws -> String? {
    let stack = try ItemFamily.stack(kind, children.rule, isOrdered: children.areOrdered)
    return try stack.withContext { context in
      let family = try ItemFamily(context)
      defer { withExtendedLifetime(family) {} }
      let before = try ItemFamily.describe(context)
      let manager = UndoManager()
      context.undoManager = manager
      first.make(family)
      second.make(family)
      context.processPendingChanges()
      manager.endEvent()
      let after = try ItemFamily.describe(context)
      if !manager.canUndo { return before == after ? nil : "cannot be undone" }
      for (turn, expected) in [before, after, before].enumerated() {
        if turn == 1 { context.redo() } else { context.undo() }
        let found = try ItemFamily.describe(context)
        if found != expected { return "turn \(turn): \(found), not \(expected)" }
      }
      try context.save()
      let stored = try stack.withContext(ItemFamily.describe)
      return stored == before ? nil : "the store has \(stored), not \(before)"
    }
  }
}
