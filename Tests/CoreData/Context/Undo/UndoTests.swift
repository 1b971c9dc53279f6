import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct ContextUndoTests {
  /// A context with an undo manager whose groups are made by hand.
  private func withUndo(
    _ kind: StoreKind = .inMemory, _ body: (NSManagedObjectContext, UndoManager) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      try body(context, manager)
    }
  }

  private func step(
    _ context: NSManagedObjectContext, _ manager: UndoManager, _ edit: () -> Void
  ) {
    manager.beginUndoGrouping()
    edit()
    context.processPendingChanges()
    manager.endUndoGrouping()
  }

  @Test func insertionsAreTakenBackAndBrought() throws {
    try withUndo { context, manager in
      let list = context.makeItem("list")
      try context.save()
      manager.removeAllActions()
      var item: Item!
      step(context, manager) { item = context.makeItem("a", in: list) }
      manager.undo()
      #expect(try context.titles() == ["list"])
      #expect(list.children.isEmpty)
      manager.redo()
      #expect(try context.titles() == ["a", "list"])
      #expect(list.children == [item])
      #expect(item.calls.filter { $0 == "awakeFromInsert" }.count == 1)
    }
  }

  @Test func editsAndMovesAreTakenBackAndBrought() throws {
    try withUndo { context, manager in
      let one = context.makeItem("one")
      let two = context.makeItem("two")
      let item = context.makeItem("a", in: one)
      try context.save()
      manager.removeAllActions()
      step(context, manager) {
        item.title = "b"
        item.parent = two
      }
      manager.undo()
      #expect(item.title == "a")
      #expect(one.children == [item] && two.children.isEmpty)
      manager.redo()
      #expect(item.title == "b")
      #expect(two.children == [item] && one.children.isEmpty)
    }
  }

  @Test(arguments: StoreKind.all, [false, true])
  func aDeletedSubtreeComesBack(_ kind: StoreKind, savedBetween: Bool) throws {
    try withUndo(kind) { context, manager in
      let root = context.makeItem("root")
      let list = context.makeItem("list", in: root)
      let inner = context.makeItem("inner", in: list)
      context.makeItem("leaf", order: 3, in: inner)
      try context.save()
      manager.removeAllActions()
      let id = list.objectID
      step(context, manager) { context.delete(list) }
      if savedBetween { try context.save() }
      #expect(try context.titles() == ["root"])
      manager.undo()
      if savedBetween { try context.save() }
      #expect(try context.titles() == ["inner", "leaf", "list", "root"])
      #expect(root.children == [list])
      #expect(list.children == [inner])
      #expect(inner.children.map(\.order) == [3])
      #expect(list.objectID === id)
      manager.redo()
      if savedBetween { try context.save() }
      #expect(try context.titles() == ["root"])
      #expect(root.children.isEmpty)
      manager.undo()
      try context.save()
      context.reset()
      #expect(try context.titles() == ["inner", "leaf", "list", "root"])
      #expect(try context.items("parent.title == 'inner'").map(\.title) == ["leaf"])
    }
  }

  @Test func undoRightAfterAnEditTakesItBack() throws {
    try withUndo { context, manager in
      let item = context.makeItem("a")
      try context.save()
      manager.removeAllActions()
      manager.groupsByEvent = true
      item.title = "b"
      context.undo()
      #expect(item.title == "a")
    }
  }

  @Test func undoAfterASaveIsSavedByTheNext() throws {
    try withUndo(.sqlite) { context, manager in
      var item: Item!
      step(context, manager) { item = context.makeItem("a") }
      try context.save()
      manager.undo()
      #expect(context.deletedObjects == [item])
      try context.save()
      #expect(try context.titles() == [])
      manager.redo()
      #expect(context.insertedObjects == [item])
      try context.save()
      context.reset()
      #expect(try context.titles() == ["a"])
    }
  }

  @Test func manyToManyMembersComeBack() throws {
    try withUndo { context, manager in
      let item = context.makeItem("a")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("blue", forKey: "name")
      try context.save()
      manager.removeAllActions()
      step(context, manager) { item.mutableSetValue(forKey: "tags").add(tag) }
      manager.undo()
      #expect((item.value(forKey: "tags") as? NSSet)?.count == 0)
      #expect((tag.value(forKey: "items") as? NSSet)?.count == 0)
      manager.redo()
      #expect(tag.value(forKey: "items") as? Set<Item> == [item])
      step(context, manager) { context.delete(tag) }
      #expect((item.value(forKey: "tags") as? NSSet)?.count == 0)
      manager.undo()
      #expect((item.value(forKey: "tags") as? NSSet)?.count == 1)
    }
  }

  @Test func rollbackRestoresAndEmptiesTheUndoManager() throws {
    try withUndo { context, manager in
      let list = context.makeItem("list")
      let item = context.makeItem("a", in: list)
      try context.save()
      manager.removeAllActions()
      step(context, manager) {
        item.title = "b"
        context.makeItem("new", in: list)
      }
      step(context, manager) { context.delete(item) }
      context.rollback()
      #expect(!manager.canUndo)
      #expect(item.title == "a" && !item.isDeleted)
      #expect(list.children == [item])
      #expect(!context.hasChanges)
      #expect(try context.titles() == ["a", "list"])
    }
  }

  @Test(arguments: StoreKind.all)
  func undoPassesOverAnObjectThatAnotherContextHasDeleted(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let list = context.makeItem("list")
      let item = context.makeItem("a", in: list)
      try context.save()
      manager.removeAllActions()
      step(context, manager) { item.title = "b" }
      try context.save()
      try stack.withContext { other in
        other.delete(try other.existingObject(with: item.objectID))
        let note = try Notifications.ofSave(other)
        context.mergeChanges(fromContextDidSave: note)
      }
      try context.save()
      manager.undo()
      try context.save()
      #expect(try context.titles() == ["list"])
      #expect(list.children.isEmpty)
    }
  }

  @Test(arguments: StoreKind.all)
  func aDeletionIsUndoneOnceThoughAnotherContextBringsTheObjectBack(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let other = stack.makeContext()
    try stack.withContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let item = context.makeItem("a")
      try context.save()
      manager.removeAllActions()
      step(context, manager) { context.delete(item) }
      try context.save()
      // The same deletion, undone elsewhere: a row with the same key is there again.
      let entity = item.entity
      try other.performAndWait {
        let twin = Item(entity: entity, insertInto: other)
        twin.title = "a"
        other.register(twin, packed: item.packedIdentity, space: item.space)
        let note = try Notifications.ofSave(other)
        context.mergeChanges(fromContextDidSave: note)
      }
      manager.undo()
      try context.save()
      #expect(try context.titles() == ["a"])
    }
  }
}
