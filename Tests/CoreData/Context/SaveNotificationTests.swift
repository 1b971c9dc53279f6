import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct SaveNotificationTests {
  @Test func willSaveIsPostedBeforeAnythingIsWrittenAndCarriesNothing() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let notes = try ContextNotes.of(context, .NSManagedObjectContextWillSave) {
        try context.save()
      }
      #expect(notes.count == 1 && notes.first?.userInfo == nil)
      #expect(employee.calls == ["awakeFromInsert", "willSave", "didSave"])
    }
  }

  @Test func didSaveHasTheContextsOwnObjects() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let gone = try context.hire("Gone")
      let edited = try context.hire("Edited")
      try context.save()
      let new = try context.hire("New")
      edited.name = "x"
      context.delete(gone)
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      let note = try #require(notes.first)
      #expect(note.objects("inserted") == [new] && note.objects("updated") == [edited])
      #expect(note.objects("deleted") == [gone])
      #expect(note.userInfo?[NSManagedObjectContextQueryGenerationKey] == nil)
    }
  }

  @Test func aLargeSaveHasTheSameSets() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let old = (0..<3000).map { _ in context.insert("Task") }
      try context.save()
      let (gone, edited) = (old[..<1000], old[1000...])
      let new = (0..<2500).map { _ in context.insert("Task") }
      for task in edited { task.setValue("x", forKey: "title") }
      for task in gone { context.delete(task) }
      var identities: [Notification] = []
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        identities = try ContextNotes.of(context, .NSManagedObjectContextDidSaveObjectIDs) {
          try context.save()
        }
      }
      let (note, ids) = (try #require(notes.first), try #require(identities.first))
      for (key, objects) in [("inserted", new[...]), ("updated", edited), ("deleted", gone)] {
        #expect(note.objects(key) == Set(objects))
        #expect(ids.identities("\(key)_objectIDs") == Set(objects.map(\.objectID)))
      }
    }
  }

  @Test func aLargeSaveThatFailsIsWholeTheNextTime() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let tasks = (0..<3000).map { _ in context.insert("Task") }
      try context.save()
      try stack.withContext { other in
        try other.existingObject(with: tasks[7].objectID).setValue("theirs", forKey: "title")
        try other.save()
      }
      for task in tasks { task.setValue("ours", forKey: "title") }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSManagedObjectMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      #expect(notes.first?.objects("updated") == Set(tasks))
    }
  }

  /// Whatever happened in one event or several, and in whatever order: the sets are those of the context.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func theSetsAreWhatTheContextHasChanged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let stack = try TestStack.company(seed.isMultiple(of: 2) ? .sqlite : .inMemory)
    try stack.withContext { context in
      var tasks = (0..<8).map { _ in context.insert("Task") }
      try context.save()
      if seed.isMultiple(of: 3) { context.undoManager = UndoManager() }
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          let task = tasks.randomElement(using: &random)
          switch Int.random(in: 0..<9, using: &random) {
          case 0, 1: tasks.append(context.insert("Task"))
          case 2, 3, 4: task?.setValue("\(random.next())", forKey: "title")
          case 5: task.map(context.delete)
          case 6:
            if let task, !task.isInserted { context.refresh(task, mergeChanges: false) }
          case 7: if context.undoManager?.canUndo == true { context.undo() }
          default: context.processPendingChanges()
          }
        }
        context.processPendingChanges()
        let expected = [
          "inserted": context.insertedObjects, "updated": context.updatedObjects,
          "deleted": context.deletedObjects,
        ]
        let note = try #require(
          try ContextNotes.of(context, .NSManagedObjectContextDidSave) { try context.save() }.first)
        for (key, objects) in expected {
          #expect(note.objects(key) == objects, "\(key), seed \(seed)")
        }
        tasks.removeAll { $0.managedObjectContext == nil }
      }
    }
  }

  @Test func aSaveOfNothingPostsEmptySets() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      let keys = notes.first?.userInfo?.keys.compactMap { $0 as? String }.sorted()
      #expect(keys == ["deleted", "inserted", "updated"])
      #expect(notes.map(\.summary) == [""])
    }
  }

  @Test func theIDsOfARootContextsSaveArePermanent() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSaveObjectIDs) {
        try context.save()
      }
      let inserted = try #require(notes.first).identities(NSInsertedObjectIDsKey)
      #expect(inserted == [employee.objectID] && !employee.objectID.isTemporaryID)
    }
  }

  @Test func theIDsOfAChildsSaveAreTemporaryAndKnownToTheParent() throws {
    let stack = try TestStack.company()
    try stack.withContext { parent in
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        let notes = try ContextNotes.of(child, .NSManagedObjectContextDidSaveObjectIDs) {
          _ = try child.hire("Ann")
          try child.save()
        }
        let inserted = try #require(notes.first).identities(NSInsertedObjectIDsKey)
        let id = try #require(inserted.first)
        #expect(id.isTemporaryID)
        let name = parent.object(with: id).value(forKey: "name") as? String
        #expect(name == "Ann")
      }
    }
  }

  @Test func aChildsSaveIsToldInTheParentAsEdits() throws {
    let stack = try TestStack.company()
    try stack.withContext { parent in
      let edited = try parent.hire("Edited")
      let gone = try parent.hire("Gone")
      try parent.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      let notes = try ContextNotes.of(parent) {
        try child.performAndWait {
          child.object(with: edited.objectID).setValue("x", forKey: "name")
          child.delete(child.object(with: gone.objectID))
          _ = try child.hire("New")
          try child.save()
        }
      }
      #expect(notes.map(\.summary) == ["deleted 1, inserted 1, updated 1"])
      let saves = try ContextNotes.of(parent, .NSManagedObjectContextDidSave) {
        try parent.save()
      }
      #expect(saves.map(\.summary) == ["deleted 1, inserted 1, updated 1"])
    }
  }

  @Test func savesOfTwoChildrenAreToldOneAfterTheOtherAndSavedTogether() throws {
    let stack = try TestStack.company()
    try stack.withContext { parent in
      let edited = try parent.hire("Edited")
      let leaving = try parent.hire("Leaving")
      try parent.save()
      let notes = try ContextNotes.of(parent) {
        for name in ["first", "second"] {
          let child = NSManagedObjectContext(.privateQueue)
          child.parent = parent
          try child.performAndWait {
            _ = try child.hire(name)
            if name == "second" {
              child.object(with: edited.objectID).setValue("x", forKey: "name")
              child.delete(child.object(with: leaving.objectID))
            }
            try child.save()
          }
        }
      }
      #expect(notes.map(\.summary) == ["inserted 1", "deleted 1, inserted 1, updated 1"])
      let saves = try ContextNotes.of(parent, .NSManagedObjectContextDidSave) {
        try parent.save()
      }
      #expect(saves.map(\.summary) == ["deleted 1, inserted 2, updated 1"])
    }
  }

  @Test func aParentTellsOnTheThreadThatSavesItsChild() throws {
    let parent = try TestStack.company().makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    var threads: [Thread] = []
    try child.performAndWait {
      _ = try child.hire("Ann")
      let box = ThreadNotes()
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: parent, queue: nil
      ) { _ in box.threads.append(.current) }
      defer { NotificationCenter.default.removeObserver(token) }
      try child.save()
      threads = box.threads
    }
    #expect(threads == [.current])
  }
}

/// Sendable because the notifications of one context come one after the other.
private final class ThreadNotes: @unchecked Sendable {
  var threads: [Thread] = []
}
