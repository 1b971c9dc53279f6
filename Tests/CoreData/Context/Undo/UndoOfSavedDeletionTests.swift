import CoreData
import Testing

@testable import CoreDataSamples

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

  /// Deletes and saves in one step of undo, and undoes it.
  private func undoSavedDeletion(
    of objects: [NSManagedObject], andThen edit: () -> Void = {}
  ) throws {
    let context = try #require(objects.first?.managedObjectContext)
    let manager = UndoManager()
    context.undoManager = manager
    objects.forEach(context.delete)
    context.processPendingChanges()
    edit()
    context.processPendingChanges()
    manager.endEvent()
    try context.save()
    context.undo()
  }

  @Test(arguments: StoreKind.all)
  func bothEndsOfAManyToManyComeBackRelated(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("a")
      let tag = context.insert("Tag", ["name": "t"])
      item.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      try undoSavedDeletion(of: [item, tag])
      #expect(item.value(forKey: "tags") as? Set<NSManagedObject> == [tag])
      #expect(tag.value(forKey: "items") as? Set<Item> == [item])
      try context.save()
      context.redo()
      #expect(try context.titles() == [])
      try context.save()
      context.undo()
      try context.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.items().first)
      #expect((item.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 1)
    }
  }

  @Test(arguments: StoreKind.all)
  func aFaultThatADeletionTouchedAndThatWasThenEditedHasItsOldValueAgain(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("a", order: 5)
      let tag = context.insert("Tag", ["name": "t"])
      item.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      context.refresh(item, mergeChanges: false)
      try undoSavedDeletion(of: [tag]) { item.order = 6 }
      #expect(item.order == 5)
      #expect(item.value(forKey: "tags") as? Set<NSManagedObject> == [tag])
    }
  }

  @Test(arguments: StoreKind.all)
  func whatWasAFaultWhenItWasDeletedComesBackWithItsValues(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let note = context.insert("Note", ["text": "n"])
      try context.save()
      context.refresh(note, mergeChanges: false)
      try undoSavedDeletion(of: [note])
      #expect(note.value(forKey: "text") as? String == "n")
    }
  }

  @Test(arguments: StoreKind.all)
  func anOrderComesBack(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let tasks = ["c", "a", "b"].map { context.insert("Task", ["title": $0]) }
      employee.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
      employee.setValue(NSOrderedSet(array: tasks.reversed()), forKey: "projects")
      try context.save()
      try undoSavedDeletion(of: [employee])
      let order = employee.value(forKey: "tasks") as? NSOrderedSet
      #expect(order?.array as? [NSManagedObject] == tasks)
      let projects = employee.value(forKey: "projects") as? NSOrderedSet
      #expect(projects?.array as? [NSManagedObject] == tasks.reversed())
    }
  }
}
