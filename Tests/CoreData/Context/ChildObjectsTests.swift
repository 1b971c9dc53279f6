import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ChildObjectsTests {
  private func withChild(
    _ kind: StoreKind = .inMemory,
    _ body: (NSManagedObjectContext, NSManagedObjectContext, Employee) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { parent in
      let employee = try parent.hire("Ann")
      try parent.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait { try body(parent, child, employee) }
    }
  }

  @Test func aChildThatChangesATransientValueAloneMakesItsParentDirty() throws {
    try withChild { parent, child, employee in
      child.object(with: employee.objectID).setValue("glad", forKey: "mood")
      try child.save()
      #expect(!child.hasChanges && parent.hasChanges && employee.isUpdated)
      #expect(!employee.hasPersistentChangedValues)
      #expect(employee.value(forKey: "mood") as? String == "glad")
    }
  }

  /// The parent saves after the child has asked and before it is answered.
  @Test func aFetchWhileTheParentSavesFindsTheObjectsThatTheChildHas() async throws {
    for _ in 0..<20 {
      let stack = try TestStack.company(.sqlite)
      let parent = stack.makeContext()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try await child.perform {
        let new = try (0..<50).map { try child.hire("\($0)", salary: $0) }
        try child.save()
        parent.perform { #expect(throws: Never.self) { try parent.save() } }
        #expect(try Set(child.employees()) == Set(new))
        #expect(child.registeredObjects.count == 50)
      }
    }
  }

  @Test func aParentHandsNoTransientValuesDown() throws {
    try withChild { parent, child, employee in
      employee.setValue("glad", forKey: "mood")
      let twin = child.object(with: employee.objectID)
      #expect(twin.value(forKey: "mood") as? String == "calm")
    }
  }

  @Test func aParentIsDirtyWithAsManyObjectsAsTheChildWas() throws {
    try withChild { parent, child, employee in
      child.object(with: employee.objectID).setValue("x", forKey: "name")
      _ = try child.hire("New")
      try child.save()
      #expect(parent.insertedObjects.count == 1 && parent.updatedObjects == [employee])
      #expect(!child.hasChanges)
    }
  }

  @Test(arguments: StoreKind.all)
  func aChildThatMergesSeesWhatItsParentSaves(_ kind: StoreKind) async throws {
    for merges in [true, false] {
      let stack = try TestStack.company(kind)
      let parent = stack.makeContext()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      child.automaticallyMergesChangesFromParent = merges
      let id = try await parent.perform {
        let employee = try parent.hire("Ann")
        try parent.save()
        return employee.objectID
      }
      let twin = try await child.perform {
        let twin = try #require(try child.existingObject(with: id) as? Employee)
        #expect(twin.name == "Ann")
        return UncheckedBox(twin)
      }
      try await parent.perform {
        try parent.existingObject(with: id).setValue("Bea", forKey: "name")
        try parent.save()
      }
      await child.perform { #expect(twin.value.name == (merges ? "Bea" : "Ann")) }
    }
  }

  @Test func aChildsDeletionIsPushedWithItsRules() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { parent in
      let root = parent.makeItem("root")
      let leaf = parent.makeItem("leaf", in: root)
      try parent.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        child.delete(child.object(with: root.objectID))
        try child.save()
      }
      #expect(root.isDeleted && leaf.isDeleted)
      parent.rollback()
      #expect(try parent.titles() == ["leaf", "root"])
    }
  }

  @Test func anObjectOfAnotherContextIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack(.inMemory)
      let other = stack.makeContext()
      let foreign = other.performAndWait { UncheckedBox(other.makeItem("foreign")) }
      stack.withContext { context in
        other.performAndWait { context.makeItem("own").parent = foreign.value }
      }
    }
  }
}
