import CoreData
import Testing

@testable import CoreDataSamples

/// A step is taken back after others' changes were merged: what the step has changed is as it was, what others have
/// changed since stays. Every step with every change of another one's, deletions and relationships between two many apart.
@Suite struct UndoAfterMergeTests {
  private static let forms = [
    (NSDeleteRule.nullifyDeleteRule, false), (.cascadeDeleteRule, false),
    (.nullifyDeleteRule, true),
  ]

  @Test(arguments: [StoreKind.inMemory, .sqlite], [false, true])
  func theStepIsTakenBackAndNothingElse(_ kind: StoreKind, isSaved: Bool) throws {
    var differences: [String] = []
    for (rule, isOrdered) in Self.forms where kind == .inMemory || rule == .cascadeDeleteRule {
      for mine in FamilyChange.ofOneOwner {
        for theirs in Sample.of(FamilyChange.ofChildren) {
          let stack = try ItemFamily.stack(kind, rule, isOrdered: isOrdered)
          let wrong =
            isSaved ? try savedStep(stack, mine, theirs) : try unsavedStep(stack, mine, theirs)
          guard let wrong else { continue }
          differences.append(
            "\(rule)\(isOrdered ? ", ordered" : ""), mine \(mine), theirs \(theirs): \(wrong)")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
  }

  private func make(_ change: FamilyChange, in context: NSManagedObjectContext) throws
    -> Notification
  {
    try context.performAndWait {
      change.make(try ItemFamily(context))
      return try Notifications.ofSave(context)
    }
  }

  /// Without the step there is what the others have saved.
  private func unsavedStep(
    _ stack: TestStack, _ mine: FamilyChange, _ theirs: FamilyChange
  ) throws -> String? {
    try stack.withContext { context in
      let family = try ItemFamily(context)
      defer { withExtendedLifetime(family) {} }
      let manager = UndoManager()
      context.undoManager = manager
      mine.make(family)
      context.processPendingChanges()
      manager.endEvent()
      context.mergeChanges(fromContextDidSave: try make(theirs, in: stack.makeContext()))
      let merged = try FamilyState(context)
      if let wrong = merged.disagreement { return "after the merge \(wrong)" }
      context.undo()
      let undone = try FamilyState(context)
      if let wrong = undone.disagreement { return "after the undo \(wrong)" }
      let stored = try stack.withContext { try FamilyState($0) }
      // What both have deleted comes back here.
      let comesBack = mine.deletes && theirs.deletes
      if !comesBack, undone != stored { return "\(undone)\n not \(stored)" }
      if !comesBack, !theirs.deletes, !context.changesSkippedByUndo.isEmpty {
        return "skipped \(context.changesSkippedByUndo)"
      }
      return try saveAndCompare(context, stack)
    }
  }

  private func savedStep(
    _ stack: TestStack, _ mine: FamilyChange, _ theirs: FamilyChange
  ) throws -> String? {
    // What is left of a family cannot be changed as a whole one.
    if mine.deletes { return nil }
    // Both new children have one number, by which members are told apart.
    if [mine, theirs].allSatisfy({ $0.description == "inserts a child" }) { return nil }
    return try stack.withContext { context in
      let family = try ItemFamily(context)
      defer { withExtendedLifetime(family) {} }
      let before = try FamilyState(context)
      let manager = UndoManager()
      context.undoManager = manager
      mine.make(family)
      context.processPendingChanges()
      manager.endEvent()
      try context.save()
      let after = try FamilyState(context)
      context.mergeChanges(fromContextDidSave: try make(theirs, in: stack.makeContext()))
      let merged = try FamilyState(context)
      context.undo()
      let undone = try FamilyState(context)
      let skipped = !context.changesSkippedByUndo.isEmpty
      if let wrong = undone.disagreement { return "after the undo \(wrong)" }
      let (expected, isPartial) = Self.expected(before, after, merged)
      if undone.items != expected { return "\(undone.items)\n not \(expected)" }
      if !theirs.deletes, skipped != isPartial {
        return "skipped \(context.changesSkippedByUndo), \(isPartial) expected"
      }
      context.redo()
      let redone = try FamilyState(context)
      if redone != merged, !theirs.deletes { return "redone \(redone)\n not \(merged)" }
      context.undo()
      return try saveAndCompare(context, stack)
    }
  }

  private func saveAndCompare(
    _ context: NSManagedObjectContext, _ stack: TestStack
  ) throws -> String? {
    try context.save()
    let (found, stored) = (
      try FamilyState(context), try stack.withContext { try FamilyState($0) }
    )
    if let wrong = stored.disagreement { return "in the store \(wrong)" }
    return found == stored ? nil : "saved \(found)\n not \(stored)"
  }

  /// Property by property: as it was before where it is as the step has left it; and whether something is not.
  private static func expected(
    _ before: FamilyState, _ after: FamilyState, _ merged: FamilyState
  ) -> ([Int64: FamilyState.Member], Bool) {
    var (items, isPartial) = (merged.items, false)
    func value<Value: Equatable>(
      _ number: Int64, _ path: KeyPath<FamilyState.Member, Value>
    ) -> Value? {
      guard let (old, left, now) = values(number, path), old != left, now != old else { return nil }
      if now == left { return old }
      isPartial = true
      return nil
    }
    func values<Value: Equatable>(
      _ number: Int64, _ path: KeyPath<FamilyState.Member, Value>
    ) -> (Value, Value, Value)? {
      guard let old = before.items[number], let left = after.items[number],
        let now = merged.items[number]
      else { return nil }
      return (old[keyPath: path], left[keyPath: path], now[keyPath: path])
    }
    for number in merged.items.keys {
      if before.items[number] == nil {
        // The step has inserted it, unless the others have.
        if after.items[number] == nil { continue }
        let isTouched =
          merged.items[number] != after.items[number]
          || merged.children[number] != after.children[number]
        if isTouched { isPartial = true } else { items[number] = nil }
        continue
      }
      if let title = value(number, \.title) { items[number]?.title = title }
      if let parent = value(number, \.parent) {
        if parent.map({ merged.items[$0] != nil }) ?? true { items[number]?.parent = parent }
      }
      if let hasTag = value(number, \.hasTag), merged.hasTag { items[number]?.hasTag = hasTag }
      if let hasNote = value(number, \.hasNote), merged.hasNote { items[number]?.hasNote = hasNote }
    }
    return (items, isPartial)
  }
}
