import CoreData
import Foundation
import Testing

/// One context has unsaved changes, takes over what another one has saved, and rolls back: then it is as the store is, and
/// its next save meets no conflict. Every change here with every change there, members read before or not.
@Suite struct RollbackAfterMergeTests {
  private struct Change: CustomStringConvertible, Sendable {
    let description: String
    let make: @Sendable (Family) -> Void

    init(_ description: String, _ make: @escaping @Sendable (Family) -> Void) {
      (self.description, self.make) = (description, make)
    }
  }

  /// The items of one context: a parent with two children and another one with one.
  private struct Family {
    let context: NSManagedObjectContext
    let parent, other, first, second, third: Item

    init(_ context: NSManagedObjectContext) throws {
      let items = try Dictionary(uniqueKeysWithValues: context.items().map { ($0.order, $0) })
      self.context = context
      parent = try #require(items[1])
      other = try #require(items[2])
      first = try #require(items[3])
      second = try #require(items[4])
      third = try #require(items[5])
    }
  }

  private static let changes: [Change] = [
    Change("nothing") { _ in },
    Change("edits the parent") { $0.parent.title = "edited" },
    Change("deletes the parent") { $0.context.delete($0.parent) },
    Change("deletes the other") { $0.context.delete($0.other) },
    Change("edits a child") { $0.first.title = "edited" },
    Change("deletes a child") { $0.context.delete($0.first) },
    Change("moves a child") { $0.first.parent = $0.other },
    Change("takes a child out") { $0.first.parent = nil },
    Change("moves the other's child") { $0.third.parent = $0.parent },
    Change("inserts a child") { $0.context.makeItem("new", order: 6, in: $0.parent) },
    Change("sets the children") { $0.parent.setValue(Set([$0.third]), forKey: "children") },
    Change("sets the children and deletes") {
      $0.parent.setValue(Set([$0.third]), forKey: "children")
      $0.context.delete($0.parent)
    },
    Change("deletes all of a family") {
      for item in [$0.parent, $0.first, $0.second] { $0.context.delete(item) }
    },
  ]

  @Test(
    arguments: [StoreKind.sqlite, .inMemory],
    [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func theContextIsAsTheStoreIs(_ kind: StoreKind, _ rule: NSDeleteRule) throws {
    var differences: [String] = []
    for here in Self.changes {
      for there in Self.changes {
        for readsMembers in [false, true] {
          let difference = try difference(kind, rule, here, there, readsMembers)
          if let difference {
            differences.append("here \(here), there \(there), \(readsMembers): \(difference)")
          }
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ kind: StoreKind, _ rule: NSDeleteRule, _ here: Change, _ there: Change, _ readsMembers: Bool
  ) throws -> String? {
    let model = NestedModel.make()
    model.entitiesByName["Item"]?.relationshipsByName["children"]?.deleteRule = rule
    let stack = try TestStack(kind, model: model)
    try stack.withContext { context in
      let parent = context.makeItem("parent", order: 1)
      let other = context.makeItem("other", order: 2)
      context.makeItem("first", order: 3, in: parent)
      context.makeItem("second", order: 4, in: parent)
      context.makeItem("third", order: 5, in: other)
      try context.save()
    }
    let (changed, saving) = (stack.makeContext(), stack.makeContext())
    var family: Family?
    try changed.performAndWait {
      family = try Family(changed)
      if readsMembers { _ = try describe(changed) }
      if let family { here.make(family) }
      changed.processPendingChanges()
    }
    let notification = try saving.performAndWait {
      there.make(try Family(saving))
      return try ContextNotes.of(saving, .NSManagedObjectContextDidSave) { try saving.save() }.first
    }
    return try changed.performAndWait {
      if let notification { changed.mergeChanges(fromContextDidSave: notification) }
      changed.rollback()
      let found = try describe(changed)
      let stored = try stack.withContext(describe)
      if found != stored { return "\(found), the store has \(stored)" }
      defer { withExtendedLifetime(family) {} }
      for item in try changed.items() { item.setValue(Date.distantPast, forKey: "date") }
      do { try changed.save() } catch { return "a save says \(error)" }
      return nil
    }
  }

  private func describe(_ context: NSManagedObjectContext) throws -> String {
    try context.items().sorted { $0.order < $1.order }
      .map { item in
        let children = (item.value(forKey: "children") as? Set<NSManagedObject> ?? [])
          .map { $0.value(forKey: "order") as? Int64 ?? -1 }.sorted()
        let title = item.title ?? "nil"
        return "\(item.order) \(title) under \(item.parent?.order ?? 0) over \(children)"
      }.joined(separator: ", ")
  }
}
