import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct FaultingTests {
  @Test(arguments: StoreKind.all)
  func aFetchGivesFaultsUnlessItIsAskedForValues(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      _ = try context.hire("Ann")
      try context.save()
    }
    try stack.withContext { context in
      let employees = try context.employees()
      #expect(employees.map(\.isFault) == [true])
    }
    try stack.withContext { context in
      _ = try context.hire("Bea")
      let request = NSFetchRequest<Employee>(entityName: "Employee")
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }
  }

  @Test(arguments: StoreKind.all)
  func refreshingWithoutMergingMakesAFaultOnce(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      employee.name = "Bea"
      employee.calls = []
      context.refresh(employee, mergeChanges: false)
      context.refresh(employee, mergeChanges: false)
      #expect(employee.isFault && !employee.isUpdated && !context.hasChanges)
      #expect(employee.calls == ["willTurnIntoFault", "didTurnIntoFault"])
      #expect(employee.name == "Ann")
      #expect(employee.calls.last == "awakeFromFetch")
    }
  }

  @Test(arguments: StoreKind.all)
  func refreshingWithMergingKeepsEditsAndTransientValues(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann", salary: 1)
      try context.save()
      try stack.withContext { other in
        try other.employees()[0].setValue(5, forKey: "salary")
        try other.save()
      }
      employee.name = "Bea"
      employee.setValue("glad", forKey: "mood")
      employee.calls = []
      context.refresh(employee, mergeChanges: true)
      #expect(!employee.isFault && employee.name == "Bea")
      #expect(employee.value(forKey: "salary") as? Int == 5)
      #expect(employee.value(forKey: "mood") as? String == "glad")
      #expect(employee.calls == ["awake 32"])
      try context.save()
    }
  }

  @Test func refreshingAllObjectsMakesFaultsOfCleanOnesAndKeepsEdits() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let clean = try context.hire("Ann")
      let dirty = try context.hire("Bea")
      try context.save()
      clean.setValue("glad", forKey: "mood")
      try context.save()
      dirty.name = "Cleo"
      let notes = ContextNotes.of(context) { context.refreshAllObjects() }
      #expect(notes.last?.objects("refreshed") == [clean, dirty])
      #expect(clean.isFault && !dirty.isFault && dirty.name == "Cleo")
      #expect(clean.value(forKey: "mood") as? String == "calm")
    }
  }

  @Test func refreshingAllObjectsFiresNoRelationship() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      let staff = try ["Ann", "Bea"].map { try context.hire($0) }
      department.setValue(NSSet(array: staff), forKey: "staff")
      try context.save()
      context.refreshAllObjects()
      #expect(department.hasFault(forRelationshipNamed: "staff"))
      let members = try #require(department.value(forKey: "staff") as? Set<Employee>)
      #expect(members.count == 2 && members.allSatisfy(\.isFault))
      #expect(!department.hasFault(forRelationshipNamed: "staff"))
      #expect(
        Set(department.objectIDs(forRelationshipNamed: "staff")) == Set(staff.map(\.objectID)))
    }
  }

  @Test func aNewObjectCanBeAFaultAndKeepsItsValues() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      context.refresh(employee, mergeChanges: false)
      #expect(employee.isFault && employee.isInserted)
      #expect(employee.name == "Ann" && !employee.isFault)
      #expect(!employee.calls.contains("awakeFromFetch"))
      context.refresh(employee, mergeChanges: false)
      try context.save()
      #expect(try context.employees().map(\.name) == ["Ann"])
    }
  }

  @Test func whatIsSafeToAskAFaultFiresNothing() throws {
    let stack = try TestStack.company()
    let id = try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      return employee.objectID
    }
    stack.withContext { context in
      let object = context.object(with: id)
      _ = (object.objectID, object.entity, object.managedObjectContext, object.hash)
      _ = (object.isInserted, object.isUpdated, object.isDeleted, object.hasChanges)
      _ = (object.isEqual(object), object.description, object.changedValues())
      _ = object.hasFault(forRelationshipNamed: "tasks")
      #expect(object.isFault)
      object.willAccessValue(forKey: nil)
      #expect(!object.isFault)
    }
  }
}
