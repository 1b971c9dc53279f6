import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct LifecycleTests {
  @Test func callbacksOfAnInsertionAreCalledOnceEachInOrder() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      try context.save()
      #expect(employee.calls == ["awakeFromInsert", "willSave", "didSave"])
    }
  }

  @Test func whatWillSaveChangesIsPartOfTheSave() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      employee.onWillSave = { object in
        if object.value(forKey: "salary") as? Int != 7 { object.setValue(7, forKey: "salary") }
      }
      try context.save()
      #expect(employee.calls == ["awakeFromInsert", "willSave", "willSave", "didSave"])
      #expect(employee.committedValues(forKeys: ["salary"])["salary"] as? Int == 7)
      #expect(!context.hasChanges)
    }
    try stack.withContext { context in
      let employee = try #require(try context.employees().first)
      #expect(employee.value(forKey: "salary") as? Int == 7)
    }
  }

  @Test func primitiveValuesOfWillSaveAreSavedWithoutAnotherRound() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      employee.onWillSave = { $0.setPrimitiveValue(7, forKey: "salary") }
      try context.save()
      #expect(employee.calls.filter { $0 == "willSave" }.count == 1)
    }
    try stack.withContext { context in
      let employee = try #require(try context.employees().first)
      #expect(employee.value(forKey: "salary") as? Int == 7)
    }
  }

  @Test func objectsThatWillSaveInsertsAndDeletesArePartOfTheSave() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let other = try context.hire("Bea")
      try context.save()
      employee.name = "Cleo"
      employee.onWillSave = { object in
        guard object.name == "Cleo", context.insertedObjects.isEmpty else { return }
        let task = context.insert("Task", ["title": "made in willSave"])
        task.setValue(object, forKey: "owner")
        context.delete(other)
      }
      try context.save()
      #expect(!context.hasChanges)
      #expect((employee.value(forKey: "tasks") as? NSOrderedSet)?.count == 1)
      #expect(try context.employees() == [employee])
      #expect(other.calls.contains("didSave"))
    }
  }

  @Test func willSaveThatNeverSettlesIsAnError() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      var count = 0
      try context.hire("Ann").onWillSave = { object in
        count += 1
        object.setValue(count, forKey: "salary")
      }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == 134060)
      #expect(context.hasChanges)
    }
  }

  @Test func whatDidSaveChangesIsLeftForTheNextSave() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      employee.onDidSave = { object in
        object.onDidSave = nil
        object.name = "Bea"
      }
      try context.save()
      #expect(context.updatedObjects == [employee])
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test func deletingTwicePreparesTwice() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      employee.calls = []
      context.delete(employee)
      context.delete(employee)
      #expect(employee.calls == ["prepareForDeletion", "prepareForDeletion"])
      #expect(employee.isDeleted)
      try context.save()
      #expect(!employee.isDeleted && employee.managedObjectContext == nil)
      #expect(employee.calls.suffix(2) == ["willSave", "didSave"])
    }
  }

  @Test func preparingForDeletionSeesTheRelationshipsWhole() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let parent = context.makeItem("parent")
      let child = context.makeItem("child", in: parent)
      try context.save()
      context.delete(child)
      #expect(child.parent === parent && parent.children == [child])
    }
  }

  @Test func rollingBackAndUndoingAwakenObjects() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let manager = UndoManager()
      context.undoManager = manager
      let employee = try context.hire("Ann")
      try context.save()
      manager.endEvent()
      employee.calls = []
      employee.name = "Bea"
      context.undo()
      #expect(employee.calls == ["awake 8"])
      context.redo()
      context.rollback()
      #expect(employee.calls == ["awake 8", "awake 8", "awake 16"])
      context.delete(employee)
      context.undo()
      #expect(employee.calls.last == "awake 4")
      let new = try context.hire("New")
      context.undo()
      #expect(new.calls == ["awakeFromInsert", "awake 2"])
      context.redo()
      #expect(new.calls.filter { $0 == "awakeFromInsert" }.count == 1)
    }
  }
}
