import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// History merged into contexts.
struct HistoryMergeTests {
  private func good(_ code: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
    request.predicate = NSPredicate(format: "code == %@", code)
    return try #require(try context.fetch(request).first)
  }

  /// The history as another coordinator reads it, with that one's object IDs.
  private func history(
    _ stack: HistoryStack, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSPersistentHistoryTransaction] {
    let context = stack.context(of: coordinator)
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func anObjectShowsItsOldValuesUntilTheHistoryIsMerged(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let other = try stack.secondCoordinator()
    try stack.write { $0.insert("Good", ["code": "a", "count": 1]) }
    let reader = stack.context(of: other)
    try reader.performAndWait {
      let held = try good("a", reader)
      #expect(held.value(forKey: "count") as? Int == 1)
      try stack.write { try good("a", $0).setValue(2, forKey: "count") }
      #expect(held.value(forKey: "count") as? Int == 1)
      let last = try #require(try history(stack, other).last)
      reader.mergeChanges(fromContextDidSave: last.objectIDNotification())
      #expect(held.value(forKey: "count") as? Int == 2)
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func idsOfAnotherCoordinatorAreMergedToo(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let other = try stack.secondCoordinator()
    try stack.write { $0.insert("Good", ["code": "a", "count": 1]) }
    let reader = stack.context(of: other)
    try reader.performAndWait {
      let held = try good("a", reader)
      #expect(held.value(forKey: "count") as? Int == 1)
      try stack.write { try good("a", $0).setValue(2, forKey: "count") }
      let last = try #require(try stack.transactions().last)
      reader.mergeChanges(fromContextDidSave: last.objectIDNotification())
      #expect(held.value(forKey: "count") as? Int == 2)
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func insertionsUpdatesAndDeletionsOfABatchAreMerged(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let other = try stack.secondCoordinator()
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let reader = stack.context(of: other)
    try reader.performAndWait {
      let held = try good("a", reader)
      #expect(held.value(forKey: "title") == nil)
      let writer = stack.context()
      try writer.performAndWait {
        try writer.insertGoods([["code": "b"]])
        let update = NSBatchUpdateRequest(entityName: "Good")
        update.propertiesToUpdate = ["title": "new"]
        _ = try writer.execute(update)
      }
      for transaction in try history(stack, other) {
        let changes = transaction.objectIDNotification().userInfo ?? [:]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [reader])
      }
      #expect(held.value(forKey: "title") as? String == "new")
      #expect(try reader.goods() == ["a:1", "b:1"])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func eachMergedTransactionIsOneEvent(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let other = try stack.secondCoordinator()
    let reader = stack.context(of: other)
    try reader.performAndWait {
      let held = try good("a", reader)
      #expect(held.value(forKey: "code") as? String == "a")
      try stack.write { $0.insert("Good", ["code": "b"]) }
      try stack.write { try good("a", $0).setValue("t", forKey: "title") }
      try stack.write { try $0.delete(good("a", $0)) }
      let notes = try ContextNotes.of(reader) {
        for transaction in try history(stack, other).dropFirst() {
          reader.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
      }
      #expect(notes.map(\.summary) == ["inserted 1", "deleted 1"])
      #expect(held.isDeleted)
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theNotificationHasTheIDsByKind(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    try stack.write { context in
      let old = try good("a", context)
      context.delete(old)
      context.insert("Good", ["code": "b"])
    }
    let last = try #require(try stack.transactions().last)
    #expect(
      last.objectIDNotification().summary == "deleted_objectIDs 1, inserted_objectIDs 1")
  }
}
