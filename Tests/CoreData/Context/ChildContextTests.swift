import Dispatch
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct ChildContextTests {
  @Test(arguments: StoreKind.all)
  func aChildSavesIntoItsParentAndTheParentIntoTheStore(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try parent.performAndWait {
      parent.makeItem("list")
      try parent.save()
    }
    try child.performAndWait {
      let list = try #require(try child.items().first)
      list.title = "renamed"
      child.makeItem("new", in: list)
      #expect(try parent.performAndWait { try parent.titles() } == ["list"])
      try child.save()
      #expect(!child.hasChanges)
    }
    try parent.performAndWait {
      let titles = try parent.titles()
      #expect(titles == ["new", "renamed"])
      #expect(parent.hasChanges)
      #expect(try stack.withContext { try $0.titles() } == ["list"])
      try parent.save()
    }
    #expect(try stack.withContext { try $0.titles() } == ["new", "renamed"])
  }

  /// The parent deletes the object, has not saved that yet, and gets it back.
  @Test(arguments: StoreKind.all)
  func anUndoneDeletionComesBackBeforeTheParentHasSaved(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    child.undoManager = UndoManager()
    try parent.performAndWait {
      let list = parent.makeItem("list")
      let item = parent.makeItem("item", in: list)
      let tag = parent.insert("Tag", ["name": "tag"])
      item.setValue(NSSet(object: tag), forKey: "tags")
      try parent.save()
      try child.performAndWait {
        child.delete(child.object(with: item.objectID))
        try child.save()
        #expect(item.isDeleted)
        child.undo()
        try child.save()
      }
      #expect(!item.isDeleted && parent.deletedObjects.isEmpty && parent.insertedObjects.isEmpty)
      #expect(item.title == "item" && item.parent === list)
      try parent.save()
      #expect(parent.registeredObject(for: item.objectID) === item)
    }
    try stack.withContext { context in
      #expect(try context.titles() == ["item", "list"])
      let item = try #require(try context.items().first { $0.title == "item" })
      #expect(item.parent?.title == "list")
      #expect((item.value(forKey: "tags") as? NSSet)?.count == 1)
    }
  }

  @Test func aChildThatIsThrownAwayLeavesNoTrace() throws {
    let stack = try TestStack(.inMemory)
    let parent = stack.makeContext()
    do {
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      child.performAndWait { _ = child.makeItem("gone") }
    }
    try parent.performAndWait {
      #expect(!parent.hasChanges)
      let titles = try parent.titles()
      #expect(titles == [])
    }
  }

  @Test func aChildSeesWhatItsParentHasNotSaved() throws {
    let stack = try TestStack(.sqlite)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try parent.performAndWait {
      parent.makeItem("inner", in: parent.makeItem("outer"))
      try child.performAndWait {
        let items = try child.items()
        #expect(items.map(\.title) == ["inner", "outer"])
        #expect(items.first?.parent?.title == "outer")
      }
    }
  }

  // MARK: - Permanent IDs

  /// A parent, a child of it, and an item that the child made and pushed into the parent.
  private func withPushedItem(
    _ kind: StoreKind,
    _ body: (_ parent: NSManagedObjectContext, _ child: NSManagedObjectContext, Item) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try child.performAndWait {
      let item = child.makeItem("pushed")
      try child.save()
      #expect(item.objectID.isTemporaryID)
      try body(parent, child, item)
    }
  }

  private func save(_ context: NSManagedObjectContext) throws -> NSManagedObjectID {
    try context.performAndWait {
      let item = try #require(context.insertedObjects.first)
      try context.save()
      return item.objectID
    }
  }

  @Test(arguments: StoreKind.all)
  func aChildFindsItsObjectByThePermanentIDThatTheParentsSaveGave(_ kind: StoreKind) throws {
    try withPushedItem(kind) { parent, child, item in
      let permanent = try save(parent)
      #expect(!permanent.isTemporaryID)
      #expect(child.registeredObject(for: permanent) === item)
      #expect(child.object(with: permanent) === item)
      #expect(item.objectID === permanent)
      let fetched = try child.items()
      #expect(fetched.first === item)
      item.title = "renamed"
      try child.save()
      let titles: [String?] = try parent.performAndWait { try parent.titles() }
      #expect(titles == ["renamed"])
    }
  }

  @Test func aSaveOnAnotherQueueReachesTheChildWhenItIsItsTurn() throws {
    try withPushedItem(.inMemory) { parent, child, item in
      let arrival = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var permanent: NSManagedObjectID?
      parent.perform {
        let item = parent.insertedObjects.first
        do { try parent.save() } catch { Issue.record(error) }
        permanent = item?.objectID
        arrival.signal()
      }
      arrival.wait()
      let found = child.registeredObject(for: try #require(permanent))
      #expect(found === item)
    }
  }

  @Test func aGrandchildLearnsPermanentIDsToo() throws {
    let stack = try TestStack(.sqlite)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    let grandchild = NSManagedObjectContext(.privateQueue)
    grandchild.parent = child
    try grandchild.performAndWait {
      let item = grandchild.makeItem("far")
      try grandchild.save()
      try child.performAndWait { try child.save() }
      let permanent = try save(parent)
      #expect(grandchild.registeredObject(for: permanent) === item)
      grandchild.refresh(item, mergeChanges: false)
      #expect(item.title == "far")
      let fetched = try grandchild.items()
      #expect(fetched.first === item)
    }
  }

  @Test func anObjectThatTheChildHasNotPushedKeepsItsTemporaryID() throws {
    try withPushedItem(.inMemory) { parent, child, item in
      let own = child.makeItem("own")
      _ = try save(parent)
      #expect(own.objectID.isTemporaryID)
      #expect(child.registeredObject(for: own.objectID) === own)
    }
  }
}
