import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct DeletePropagationTests {
  @Test(arguments: StoreKind.all)
  func deleteRulesActAtTheSaveWhenTheyAreToldTo(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      context.propagatesDeletesAtEndOfEvent = false
      let root = context.makeItem("root")
      let child = context.makeItem("child", in: root)
      try context.save()
      context.delete(root)
      context.processPendingChanges()
      #expect(root.isDeleted && !child.isDeleted && child.parent === root)
      try context.save()
      #expect(try context.titles() == [])
    }
  }

  @Test func cascadeNeedsNoValidChildren() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let task = context.insert("Task", ["title": "t"])
      task.setValue(employee, forKey: "owner")
      try context.save()
      context.delete(employee)
      try context.save()
      #expect(task.managedObjectContext == nil)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task")) == 0)
    }
  }

  @Test func anUnsavedObjectIsDeletedAtOnceAndOfNoConcernToTheSave() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let parent = context.makeItem("parent")
      try context.save()
      let child = context.makeItem("child", in: parent)
      context.delete(child)
      #expect(child.isDeleted)
      let notes = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      #expect(notes.first?.objects("deleted").isEmpty == true)
      #expect(parent.children.isEmpty)
      #expect(try context.titles() == ["parent"])
    }
  }

  @Test(arguments: StoreKind.all)
  func aPendingDeletionHidesARowUntilTheReset(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      context.delete(employee)
      #expect(try context.employees().isEmpty)
      context.reset()
      #expect(try context.employees().map(\.name) == ["Ann"])
    }
  }

  @Test func whatWasInsertedAgainIsDeletedNoMore() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      context.delete(employee)
      context.processPendingChanges()
      context.insert(employee)
      #expect(!employee.isDeleted && context.deletedObjects.isEmpty)
      try context.save()
      #expect(try context.employees() == [employee])
    }
  }
}
