import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct UndoIntegrationTests {
  private func withUndo(
    _ body: (NSManagedObjectContext, UndoManager) throws -> Void
  ) throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let manager = UndoManager()
      context.undoManager = manager
      try body(context, manager)
    }
  }

  @Test func withoutAManagerNothingIsUndoneAndRollbackWorks() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      #expect(context.undoManager == nil)
      _ = try context.hire("Ann")
      context.undo()
      context.redo()
      #expect(context.insertedObjects.count == 1)
      context.rollback()
      #expect(context.insertedObjects.isEmpty)
    }
  }

  @Test func undoRightAfterInsertionsTakesThemBackAndRollbackForgetsTheRedo() throws {
    try withUndo { context, _ in
      _ = try context.hire("Ann")
      _ = try context.hire("Bea")
      context.undo()
      #expect(context.insertedObjects.isEmpty)
      context.redo()
      #expect(context.insertedObjects.count == 2)
      context.rollback()
      context.redo()
      #expect(context.insertedObjects.isEmpty)
    }
  }

  @Test func changesBetweenFlushesWithRegistrationDisabledStay() throws {
    try withUndo { context, manager in
      context.processPendingChanges()
      manager.disableUndoRegistration()
      _ = try context.hire("Ann")
      context.processPendingChanges()
      manager.enableUndoRegistration()
      context.undo()
      #expect(context.insertedObjects.count == 1)
    }
  }

  @Test func transientValuesAreUndoneToo() throws {
    try withUndo { context, manager in
      let employee = try context.hire("Ann")
      try context.save()
      manager.endEvent()
      employee.setValue("glad", forKey: "mood")
      context.undo()
      #expect(employee.value(forKey: "mood") as? String == "calm")
      context.redo()
      #expect(employee.value(forKey: "mood") as? String == "glad")
    }
  }

  @Test func aSaveKeepsTheStackAndTheUndoneInsertionIsDeletedByTheNext() throws {
    try withUndo { context, manager in
      let employee = try context.hire("Ann")
      try context.save()
      manager.endEvent()
      #expect(manager.canUndo)
      var committed: String?
      let box = UncheckedBox { (note: Notification) in
        let object = note.objects("deleted").first
        committed = object?.committedValues(forKeys: ["name"])["name"] as? String
      }
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { box.value($0) }
      context.undo()
      NotificationCenter.default.removeObserver(token)
      #expect(committed == "Ann")
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      #expect(notes.first?.objects("deleted") == [employee])
    }
  }

  @Test func aResetEmptiesTheStack() throws {
    try withUndo { context, manager in
      weak let forgotten = try context.hire("Ann")
      context.processPendingChanges()
      context.reset()
      #expect(!manager.canUndo && forgotten == nil)
      context.undo()
      #expect(!context.hasChanges && context.insertedObjects.isEmpty)
    }
  }

  @Test func theManagerKeepsChangedObjectsAlive() throws {
    try withUndo { context, manager in
      weak var employee: Employee?
      do {
        let made = try context.hire("Ann")
        try context.save()
        made.name = "Bea"
        try context.save()
        employee = made
      }
      #expect(employee != nil)
      manager.removeAllActions()
      #expect(employee == nil)
    }
  }

  @Test func levelsOfUndoBoundTheStack() throws {
    try withUndo { context, manager in
      let employee = try context.hire("0")
      try context.save()
      manager.removeAllActions()
      manager.levelsOfUndo = 2
      for number in 1...4 {
        employee.name = "\(number)"
        context.processPendingChanges()
        manager.endEvent()
      }
      for _ in 0..<4 { context.undo() }
      #expect(employee.name == "2")
    }
  }

  @Test func aMergeIsNotForTheUndoManager() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      let manager = UndoManager()
      context.undoManager = manager
      let note = try stack.withContext { writer in
        try writer.employees()[0].name = "Bea"
        return try Notifications.ofSave(writer)
      }
      context.mergeChanges(fromContextDidSave: note)
      #expect(!manager.canUndo && employee.name == "Bea")
    }
  }

  @Test func whatDidSaveChangesIsAStepOfItsOwn() throws {
    try withUndo { context, manager in
      let employee = try context.hire("Ann", salary: 1)
      context.processPendingChanges()
      manager.endEvent()
      employee.earnings = 2
      context.processPendingChanges()
      manager.endEvent()
      employee.onDidSave = { object in
        object.onDidSave = nil
        object.earnings = 3
      }
      try context.save()
      context.processPendingChanges()
      manager.endEvent()
      context.undo()
      #expect(employee.earnings == 2)
      context.undo()
      #expect(employee.earnings == 1)
    }
  }
}

extension Employee {
  fileprivate var earnings: Int? {
    get { value(forKey: "salary") as? Int }
    set { setValue(newValue, forKey: "salary") }
  }
}
