import CoreData
import Testing

@testable import CoreDataSamples

/// What an undo leaves alone, since somebody else has changed it, and how a program learns of it.
@Suite struct SkippedChangeTests {
  /// A context with an item that it has renamed and saved, step by step; others change it by `elsewhere`.
  private func withItem(
    _ kind: StoreKind = .inMemory,
    _ body: (
      NSManagedObjectContext, Item, _ elsewhere: (_ change: (Item) -> Void) throws -> Void
    ) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("first", order: 1)
      try context.save()
      let manager = UndoManager()
      context.undoManager = manager
      for title in ["second", "third"] {
        item.title = title
        context.processPendingChanges()
        manager.setActionName("Rename")
        manager.endEvent()
        try context.save()
      }
      try body(context, item) { change in
        let note = try stack.withContext { other in
          change(try #require(try other.existingObject(with: item.objectID) as? Item))
          return try Notifications.ofSave(other)
        }
        context.mergeChanges(fromContextDidSave: note)
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func aNameThatSomebodyElseHasGivenStays(_ kind: StoreKind) throws {
    try withItem(kind) { context, item, elsewhere in
      try elsewhere { $0.title = "theirs" }
      let notes = try ContextNotes.of(
        context, NSManagedObjectContext.didSkipChangesOfUndoNotification
      ) {
        context.undo()
        #expect(item.title == "theirs" && !context.hasChanges)
        #expect(
          context.changesSkippedByUndo == [SkippedChange(objectID: item.objectID, key: "title")])
        #expect(context.undoManager?.canRedo == false)
        try context.save()
      }
      #expect(notes.count == 1)
    }
  }

  /// Two give one tag to one item; the second, who did not know of the first, takes it back.
  @Test(arguments: StoreKind.all, [false, true])
  func aTagThatSomebodyElseHasGivenBeforeStays(_ kind: StoreKind, inAChild: Bool) throws {
    let stack = try TestStack(kind)
    try stack.withContext { first in
      let tag = first.insert("Tag", ["name": "t"])
      let item = first.makeItem("a")
      try first.save()
      let second = inAChild ? NSManagedObjectContext(.privateQueue) : stack.makeContext()
      if inAChild { second.parent = first }
      try second.performAndWait {
        let own = try #require(try second.existingObject(with: item.objectID) as? Item)
        let ownTag = try second.existingObject(with: tag.objectID)
        let manager = UndoManager()
        second.undoManager = manager
        #expect(own.value(forKey: "tags") as? Set<NSManagedObject> == [])
        item.mutableSetValue(forKey: "tags").add(tag)
        try first.save()
        own.mutableSetValue(forKey: "tags").add(ownTag)
        second.processPendingChanges()
        manager.endEvent()
        second.refresh(own, mergeChanges: true)
        #expect(own.value(forKey: "tags") as? Set<NSManagedObject> == [ownTag])
        second.undo()
        #expect(own.value(forKey: "tags") as? Set<NSManagedObject> == [ownTag])
        let skipped = Set(second.changesSkippedByUndo.compactMap(\.key))
        #expect(skipped.isSubset(of: ["tags", "items"]) && !skipped.isEmpty)
        try second.save()
        try first.save()
      }
    }
    try stack.withContext { context in
      let item = try #require(try context.items().first)
      #expect((item.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 1)
    }
  }

  @Test func whatAStepHasNotChangedIsNotTouched() throws {
    try withItem { context, item, elsewhere in
      try elsewhere { $0.order = 9 }
      context.undo()
      #expect(item.title == "second" && item.order == 9)
      #expect(context.changesSkippedByUndo.isEmpty)
      context.undo()
      #expect(item.title == "first" && item.order == 9)
      context.redo()
      context.redo()
      #expect(item.title == "third" && item.order == 9)
    }
  }

  @Test func theNextStepSaysWhatItHasSkippedItself() throws {
    try withItem { context, item, elsewhere in
      item.order = 2
      context.processPendingChanges()
      context.undoManager?.endEvent()
      try context.save()
      try elsewhere { $0.title = "theirs" }
      context.undo()
      #expect(item.order == 1 && context.changesSkippedByUndo.isEmpty)
      context.undo()
      #expect(context.changesSkippedByUndo.count == 1)
      context.redo()
      #expect(item.order == 2 && context.changesSkippedByUndo.isEmpty)
    }
  }

  @Test func aGroupOfSeveralEventsTellsOnce() throws {
    try withItem { context, item, elsewhere in
      let manager = try #require(context.undoManager)
      manager.beginUndoGrouping()
      for order in [2, 3, 4] as [Int64] {
        item.order = order
        item.title = "step \(order)"
        context.processPendingChanges()
      }
      manager.endUndoGrouping()
      manager.endEvent()
      try context.save()
      try elsewhere { $0.title = "theirs" }
      let notes = ContextNotes.of(
        context, NSManagedObjectContext.didSkipChangesOfUndoNotification
      ) { context.undo() }
      #expect(notes.count == 1 && item.order == 1 && item.title == "theirs")
      #expect(context.changesSkippedByUndo.map(\.key) == ["title"])
    }
  }

  @Test func aRedoLeavesAloneWhatSomebodyElseHasChangedSinceTheUndo() throws {
    try withItem { context, item, elsewhere in
      context.undo()
      try context.save()
      try elsewhere { $0.title = "theirs" }
      context.redo()
      #expect(item.title == "theirs" && context.changesSkippedByUndo.count == 1)
    }
  }

  @Test func anUndoneInsertionStaysIfSomebodyElseHasChangedTheObject() throws {
    let stack = try TestStack(.inMemory)
    for change in ["title", "children", nil] {
      try stack.withContext { context in
        let manager = UndoManager()
        context.undoManager = manager
        let item = context.makeItem("mine")
        context.processPendingChanges()
        manager.endEvent()
        try context.save()
        let note = try stack.withContext { other in
          let twin = try #require(try other.existingObject(with: item.objectID) as? Item)
          switch change {
          case "title": twin.title = "theirs"
          case "children": other.makeItem("inner", in: twin)
          default: other.makeItem("elsewhere")
          }
          return try Notifications.ofSave(other)
        }
        context.mergeChanges(fromContextDidSave: note)
        context.undo()
        #expect(item.isDeleted == (change == nil), "\(change ?? "nothing")")
        #expect(
          context.changesSkippedByUndo
            == (change == nil ? [] : [SkippedChange(objectID: item.objectID, key: nil)]))
      }
    }
  }

  @Test func anEditOfWhatIsGoneIsSkippedAsAWhole() throws {
    try withItem { context, item, elsewhere in
      let id = item.objectID
      try elsewhere { $0.managedObjectContext?.delete($0) }
      try context.save()
      context.undo()
      #expect(context.changesSkippedByUndo == [SkippedChange(objectID: id, key: nil)])
      #expect(!context.hasChanges)
    }
  }

  @Test func aMoveBackToWhatIsGoneIsSkipped() throws {
    try withItem { context, item, elsewhere in
      let (old, new) = (context.makeItem("old"), context.makeItem("new"))
      item.parent = old
      context.processPendingChanges()
      context.undoManager?.endEvent()
      item.parent = new
      context.processPendingChanges()
      context.undoManager?.endEvent()
      try context.save()
      try elsewhere { twin in
        let context = twin.managedObjectContext
        (context?.object(with: old.objectID)).map { context?.delete($0) }
      }
      try context.save()
      context.undo()
      #expect(item.parent === new)
      #expect(
        context.changesSkippedByUndo == [SkippedChange(objectID: item.objectID, key: "parent")])
    }
  }

  /// The members that a step has put in or taken out, those that others have, and the order of them all.
  @Test(arguments: [
    // Before the step, after it, after somebody else; then after the undo, and whether an order was given up.
    ("abc", "acb", "acbd", "abcd", false), ("abc", "cab", "cadb", "adbc", false),
    ("abc", "acb", "bca", "bca", true), ("abc", "ac", "acd", "abcd", false),
    ("abc", "ac", "ca", "cab", false), ("ab", "abc", "cab", "ab", false),
    ("abc", "abc", "cba", "cba", false), ("abc", "ab", "a", "ac", false),
    ("ab", "ba", "bda", "abd", false),
  ])
  func membersComeBackToTheirPlaces(
    before: String, after: String, merged: String, undone: String, isSkipped: Bool
  ) throws {
    let stack = try ItemFamily.stack(.inMemory, .nullifyDeleteRule, isOrdered: true)
    try stack.withContext { context in
      func set(_ names: String, _ context: NSManagedObjectContext) throws {
        let list = try #require(try context.items("title == 'list'").first)
        let items = try names.map { name in
          try #require(try context.items("title == %@", "\(name)").first)
        }
        list.setValue(NSOrderedSet(array: items), forKey: "children")
        context.processPendingChanges()
      }
      context.makeItem("list")
      for name in "abcd" { context.makeItem("\(name)") }
      try set(before, context)
      try context.save()
      let manager = UndoManager()
      context.undoManager = manager
      let objects = try context.items()
      try set(after, context)
      manager.endEvent()
      try context.save()
      let note = try stack.withContext { other in
        try set(merged, other)
        return try Notifications.ofSave(other)
      }
      context.mergeChanges(fromContextDidSave: note)
      context.undo()
      let list = try #require(objects.first { $0.title == "list" })
      let children = (list.value(forKey: "children") as? NSOrderedSet)?.array as? [Item] ?? []
      #expect(children.map { $0.title ?? "" }.joined() == undone)
      #expect(context.changesSkippedByUndo.contains { $0.key == "children" } == isSkipped)
    }
  }

  /// A deletion that is not done again leaves the other ends of the object's relationships, too.
  @Test(arguments: StoreKind.all) func whatIsKeptKeepsItsTags(_ kind: StoreKind) throws {
    try withItem(kind) { context, item, elsewhere in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("tag", forKey: "name")
      item.setValue(Set([tag]), forKey: "tags")
      context.processPendingChanges()
      context.undoManager?.endEvent()
      try context.save()
      context.delete(item)
      context.processPendingChanges()
      context.undoManager?.endEvent()
      context.undo()
      try elsewhere { $0.order = 9 }
      context.redo()
      #expect(!item.isDeleted && item.order == 9)
      #expect(context.changesSkippedByUndo == [SkippedChange(objectID: item.objectID, key: nil)])
      #expect(item.value(forKey: "tags") as? Set<NSManagedObject> == [tag])
      #expect(tag.value(forKey: "items") as? Set<NSManagedObject> == [item])
    }
  }
}
