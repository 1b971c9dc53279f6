import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// One context has unsaved changes, takes over what another one has saved, and rolls back: then it is as the store is, and
/// its next save meets no conflict. Every change here with every change there, members read before or not.
@Suite struct RollbackAfterMergeTests {
  /// All of them in memory and on SQLite; what is deleted here, which a merge cannot touch, on every store.
  @Test(arguments: StoreKind.all, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func theContextIsAsTheStoreIs(_ kind: StoreKind, _ rule: NSDeleteRule) throws {
    let isFast = kind == .sqlite || kind == .inMemory
    let changesHere = isFast ? FamilyChange.all : FamilyChange.all.filter(\.deletes)
    try check(changesHere, isFast ? [false, true] : [true]) {
      try stay(kind, rule, $0, $1, $2, inAChild: false)
    }
  }

  @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func aChildIsAsItsParentIs(_ rule: NSDeleteRule) throws {
    try check(FamilyChange.all, [true]) { try stay(.inMemory, rule, $0, $1, $2, inAChild: true) }
  }

  /// Asks for what is wrong after a change here and one there.
  private func check(
    _ changesHere: [FamilyChange], _ readsMembers: [Bool],
    _ difference: (FamilyChange, FamilyChange, Bool) throws -> String?
  ) throws {
    var differences: [String] = []
    for (here, there) in Sample.of(changesHere, FamilyChange.all) {
      for reads in readsMembers {
        guard let wrong = try difference(here, there, reads) else { continue }
        differences.append("here \(here), there \(there), members read \(reads): \(wrong)")
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
  }

  private func save(_ there: FamilyChange, in context: NSManagedObjectContext) throws
    -> Notification?
  {
    try context.performAndWait {
      there.make(try ItemFamily(context))
      return try ContextNotes.of(context, .NSManagedObjectContextDidSave) { try context.save() }
        .first
    }
  }

  private func stay(
    _ kind: StoreKind, _ rule: NSDeleteRule, _ here: FamilyChange, _ there: FamilyChange,
    _ readsMembers: Bool, inAChild: Bool
  ) throws -> String? {
    let stack = try ItemFamily.stack(kind, rule)
    let root = stack.makeContext()
    let changed = inAChild ? NSManagedObjectContext(.privateQueue) : root
    if inAChild { changed.parent = root }
    var family: ItemFamily?
    try changed.performAndWait {
      family = try ItemFamily(changed)
      if readsMembers { _ = try ItemFamily.describe(changed) }
      if let family { here.make(family) }
      changed.processPendingChanges()
    }
    let notification = try save(there, in: stack.makeContext())
    if inAChild, let notification {
      root.performAndWait { root.mergeChanges(fromContextDidSave: notification) }
    }
    return try changed.performAndWait {
      if let notification { changed.mergeChanges(fromContextDidSave: notification) }
      changed.rollback()
      let found = try ItemFamily.describe(changed)
      let stored = try stack.withContext(ItemFamily.describe)
      if found != stored { return "\(found), the store has \(stored)" }
      defer { withExtendedLifetime(family) {} }
      for item in try changed.items() { item.setValue(Date.distantPast, forKey: "date") }
      do {
        try changed.save()
        if inAChild { try root.performAndWait { try root.save() } }
      } catch { return "a save says \(error)" }
      return nil
    }
  }

  /// A deletion of both sides is no conflict, and nothing that a save could do twice; undone here, it is an insertion.
  @Test(arguments: StoreKind.all, [false, true])
  func whatBothHaveDeletedIsDeletedOnce(_ kind: StoreKind, isUndone: Bool) throws {
    for deletion in FamilyChange.all.filter(\.deletes) {
      let stack = try ItemFamily.stack(kind, .nullifyDeleteRule)
      let changed = stack.makeContext()
      let manager = UndoManager()
      let family = try changed.performAndWait {
        let family = try ItemFamily(changed)
        _ = try ItemFamily.describe(changed)
        changed.undoManager = manager
        deletion.make(family)
        changed.processPendingChanges()
        manager.endEvent()
        return UncheckedBox(family)
      }
      let notification = try #require(try save(deletion, in: stack.makeContext()))
      let gone = try stack.withContext(ItemFamily.describe)
      try changed.performAndWait {
        changed.mergeChanges(fromContextDidSave: notification)
        if isUndone { changed.undo() }
        try changed.save()
        let (found, stored) = (
          try ItemFamily.describe(changed), try stack.withContext(ItemFamily.describe)
        )
        #expect(found == stored, "\(deletion)")
        let count = try changed.items().count
        #expect(isUndone ? count == 5 : try ItemFamily.describe(changed) == gone, "\(deletion)")
        withExtendedLifetime(family) {}
      }
    }
  }
}
