import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct InsertingTests {
  @Test func aNewObjectHasItsDefaultsAndATemporaryID() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      #expect(employee.value(forKey: "salary") as? Int == 0)
      #expect(employee.value(forKey: "mood") as? String == "calm")
      #expect(employee.isInserted && employee.hasChanges)
      #expect(!employee.isDeleted && !employee.isFault && !employee.isUpdated)
      #expect(employee.managedObjectContext === context)
      #expect(employee.objectID.isTemporaryID)
      #expect(employee.calls == ["awakeFromInsert"])
    }
  }

  @Test func primitiveValuesOfAwakeFromInsertAreChangesOfANewObject() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      #expect(employee.changedValues()["nickname"] as? String == "new")
      #expect(employee.changedValues()["name"] as? String == "Ann")
    }
  }

  @Test func aNewObjectHasNoCommittedValues() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      #expect(employee.committedValues(forKeys: nil).isEmpty)
      #expect(employee.committedValues(forKeys: ["name", "department", "projects"]).isEmpty)
    }
  }

  @Test(arguments: StoreKind.all)
  func aPermanentIDThatWasObtainedStaysAfterTheSave(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let temporary = employee.objectID
      try context.obtainPermanentIDs(for: [employee])
      let permanent = employee.objectID
      #expect(!permanent.isTemporaryID && permanent != temporary)
      #expect(employee.isInserted)
      try context.obtainPermanentIDs(for: [employee])
      #expect(employee.objectID == permanent)
      try context.save()
      #expect(employee.objectID == permanent)
      #expect(context.registeredObject(for: permanent) === employee)
      #expect(context.object(with: temporary) === employee)
    }
  }

  @Test func aTransientValueIsItsDefaultAfterAFetch() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      try context.hire("Ann").setValue("glad", forKey: "mood")
      try context.save()
    }
    try stack.withContext { context in
      let employee = try #require(try context.employees().first)
      #expect(employee.value(forKey: "mood") as? String == "calm")
    }
  }

  @Test(arguments: StoreKind.all)
  func nilThatWasSetBeatsTheDefault(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: CompanyModel.make())
    try stack.withContext { context in
      try context.hire("Ann").setValue(nil, forKey: "salary")
      try context.save()
    }
    try stack.withContext { context in
      let employee = try #require(try context.employees().first)
      #expect(employee.value(forKey: "salary") == nil)
    }
  }

  @Test func anObjectWithoutAContextKeepsItsValuesUntilItIsInserted() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
      let item = Item(entity: entity, insertInto: nil)
      item.title = "a"
      #expect(item.managedObjectContext == nil && !item.isInserted)
      #expect(item.calls.isEmpty)
      context.insert(item)
      #expect(item.title == "a" && item.calls == ["awakeFromInsert"])
      try context.save()
      #expect(try context.titles() == ["a"])
    }
  }

  @Test func aClassFindsItsEntityAmongTheModelsInUse() throws {
    let stack = try TestStack.company()
    #expect(Employee.entity().name == "Employee")
    #expect(Employee.fetchRequest().entityName == "Employee")
    withExtendedLifetime(stack) {}
  }
}
