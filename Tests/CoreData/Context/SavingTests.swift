import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct SavingTests {
  @Test(arguments: StoreKind.all)
  func aSavedObjectIsFoundByAnotherContext(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let list = context.makeItem("Groceries")
      context.makeItem("Milk", order: 1, in: list)
      try context.save()
      #expect(!context.hasChanges)
      #expect(!list.objectID.isTemporaryID)
    }
    try stack.withContext { context in
      #expect(try context.titles() == ["Groceries", "Milk"])
      let milk = try #require(try context.items("title == %@", "Milk").first)
      #expect(milk.order == 1)
      #expect(milk.parent?.title == "Groceries")
      #expect(milk.parent?.children == [milk])
    }
  }

  @Test(arguments: StoreKind.all)
  func anEditIsWrittenAndADeletionTakesTheRow(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let first = context.makeItem("a")
      let second = context.makeItem("b")
      try context.save()
      first.title = "c"
      context.delete(second)
      #expect(context.updatedObjects == [first])
      #expect(context.deletedObjects == [second])
      try context.save()
      #expect(second.managedObjectContext == nil)
      #expect(!second.isDeleted)
    }
    #expect(try stack.withContext { try $0.titles() } == ["c"])
  }

  @Test func lifecycleCallbacksRunOnceEach() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let item = context.makeItem("a")
      try context.save()
      #expect(item.calls == ["awakeFromInsert", "willSave", "didSave"])
    }
    try stack.withContext { context in
      let item = try #require(try context.items().first)
      #expect(item.isFault)
      #expect(item.calls.isEmpty)
      #expect(item.title == "a")
      #expect(!item.isFault)
      #expect(item.calls == ["awakeFromFetch"])
    }
  }

  @Test func didSaveNotificationNamesTheObjects() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let old = context.makeItem("old")
      try context.save()
      let new = context.makeItem("new")
      old.order = 5
      let sets = try Notifications.ofSave(context).userInfo
      #expect(sets?["inserted"] as? Set<NSManagedObject> == [new])
      #expect(sets?["updated"] as? Set<NSManagedObject> == [old])
      #expect(sets?["deleted"] as? Set<NSManagedObject> == [])
    }
  }

  @Test func aMissingRequiredValueFailsTheSaveAndKeepsEverythingPending() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 1570)
      #expect(error.userInfo["NSValidationErrorKey"] as? String == "name")
      #expect(error.userInfo["NSValidationErrorObject"] as? NSManagedObject === tag)
      #expect(context.insertedObjects == [tag])
      tag.setValue("blue", forKey: "name")
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test func twoMissingValuesComeAsOneErrorWithDetails() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      for _ in 0..<2 {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 1560)
      #expect((error.userInfo["NSDetailedErrors"] as? [NSError])?.map(\.code) == [1570, 1570])
    }
  }

  @Test(arguments: StoreKind.all)
  func manyToManyMembersAreThereFromBothSides(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("a")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("blue", forKey: "name")
      item.mutableSetValue(forKey: "tags").add(tag)
      #expect(tag.value(forKey: "items") as? Set<Item> == [item])
      try context.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.items().first)
      let tags = try #require(item.value(forKey: "tags") as? Set<NSManagedObject>)
      #expect(tags.map { $0.value(forKey: "name") as? String } == ["blue"])
      item.mutableSetValue(forKey: "tags").removeAllObjects()
      try context.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.items().first)
      #expect((item.value(forKey: "tags") as? NSSet)?.count == 0)
    }
  }
}
