import CoreData
import Testing

@Suite struct UndoOfSavedDeletionTests {
  /// A saved deletion that is undone brings back what the object was tagged with, on both sides.
  @Test(arguments: [false, true])
  func tagsComeBackWithADeletionThatWasSaved(inAChild: Bool) throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { root in
      let context = inAChild ? NSManagedObjectContext(.privateQueue) : root
      if inAChild { context.parent = root }
      try context.performAndWait {
        let old = context.makeItem("old")
        try context.save()
        if inAChild { try root.save() }
        let manager = UndoManager()
        context.undoManager = manager
        let new = context.makeItem("new", in: old)
        let tag = context.insert("Tag", ["name": "t"])
        new.mutableSetValue(forKey: "tags").add(tag)
        old.mutableSetValue(forKey: "tags").add(tag)
        try context.save()
        manager.endEvent()
        context.delete(old)
        context.processPendingChanges()
        manager.endEvent()
        try context.save()
        context.undo()
        #expect(try context.titles() == ["new", "old"])
        #expect(tag.value(forKey: "items") as? Set<Item> == [old, new])
        for item in [old, new] {
          let tags = item.value(forKey: "tags") as? Set<NSManagedObject>
          #expect(tags == [tag], "\(item.title ?? "")")
        }
        #expect(old.children == [new] && new.parent === old)
        #expect(old.order == 0 && old.value(forKey: "note") == nil)
      }
    }
  }
}
