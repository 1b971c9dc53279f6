import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct DeletingTests {
  @Test(arguments: StoreKind.all)
  func cascadeDeletesGrandchildren(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let root = context.makeItem("root")
      let child = context.makeItem("child", in: root)
      context.makeItem("grandchild", in: child)
      context.makeItem("other")
      try context.save()
    }
    try stack.withContext { context in
      let root = try #require(try context.items("title == 'root'").first)
      context.delete(root)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 3)
      try context.save()
      #expect(try context.titles() == ["other"])
    }
    #expect(try stack.withContext { try $0.titles() } == ["other"])
  }

  @Test func nullifyEmptiesTheOtherSide() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let parent = context.makeItem("parent")
      let child = context.makeItem("child", in: parent)
      try context.save()
      context.delete(child)
      context.processPendingChanges()
      #expect(parent.children.isEmpty)
      #expect(child.calls.contains("prepareForDeletion"))
    }
  }

  @Test func deletingANewObjectLeavesNothingToSave() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let item = context.makeItem("a")
      context.delete(item)
      #expect(item.isDeleted)
      #expect(context.deletedObjects.isEmpty)
      #expect(!context.hasChanges)
      try context.save()
      #expect(try context.titles() == [])
    }
  }

  @Test func deleteRulesWaitForTheEndOfTheEvent() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let root = context.makeItem("root")
      let child = context.makeItem("child", in: root)
      try context.save()
      context.delete(root)
      #expect(!child.isDeleted)
      context.processPendingChanges()
      #expect(child.isDeleted)
    }
  }

  @Test func aDeletedObjectOfAnotherContextGoesAtTheMerge() throws {
    let stack = try TestStack(.inMemory)
    let reader = stack.makeContext()
    let id = try stack.withContext { context in
      let item = context.makeItem("a")
      try context.save()
      return item.objectID
    }
    let held = try reader.performAndWait {
      let item = try #require(try reader.existingObject(with: id) as? Item)
      return UncheckedBox(item)
    }
    try stack.withContext { writer in
      writer.delete(try writer.existingObject(with: id))
      let note = try Notifications.ofSave(writer)
      reader.performAndWait { reader.mergeChanges(fromContextDidSave: note) }
    }
    try reader.performAndWait {
      #expect(held.value.isDeleted)
      #expect(held.value.title == "a")
      let titles = try reader.titles()
      #expect(titles == [])
    }
  }
}
