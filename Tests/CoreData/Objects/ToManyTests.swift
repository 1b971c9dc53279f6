import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ToManyTests {
  private func members(_ owner: NSManagedObject, _ key: String = "staff") -> Set<NSManagedObject> {
    owner.value(forKey: key) as? Set<NSManagedObject> ?? []
  }

  private func withStaff(
    _ kind: StoreKind = .inMemory,
    _ body: (NSManagedObjectContext, NSManagedObject, [Employee]) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      let staff = try ["a", "b", "c"].map { try context.hire($0) }
      try context.save()
      try body(context, department, staff)
    }
  }

  @Test(arguments: StoreKind.all)
  func theToOneSideAloneIsEnough(_ kind: StoreKind) throws {
    try withStaff(kind) { context, department, staff in
      staff[0].setValue(department, forKey: "department")
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
      let found = try #require(try context.fetch(request).first)
      #expect(members(found).map { $0.value(forKey: "name") as? String } == ["a"])
    }
  }

  @Test func aMutableSetReadsAndWritesTheRelationship() throws {
    try withStaff { context, department, staff in
      let set = department.mutableSetValue(forKey: "staff")
      set.add(staff[0])
      set.union([staff[1], staff[2]])
      #expect(set.count == 3 && members(department) == Set(staff))
      #expect(staff[1].value(forKey: "department") as? NSManagedObject === department)
      set.minus([staff[1]])
      #expect(members(department) == [staff[0], staff[2]])
      #expect(staff[1].value(forKey: "department") == nil)
      set.intersect([staff[2]])
      #expect(members(department) == [staff[2]] && set.contains(staff[2]))
      set.setSet([staff[0]])
      #expect(members(department) == [staff[0]])
      set.removeAllObjects()
      #expect(set.count == 0 && members(department).isEmpty)
      #expect(department.isUpdated)
    }
  }

  @Test func aPrimitiveSetHasTheMembersAndSetsThem() throws {
    try withStaff { context, department, staff in
      let added: Set<AnyHashable> = [staff[0]]
      department.willChangeValue(forKey: "staff", withSetMutation: .union, using: added)
      department.setPrimitiveValue(NSSet(array: [staff[0]]), forKey: "staff")
      department.didChangeValue(forKey: "staff", withSetMutation: .union, using: added)
      #expect(members(department) == [staff[0]] && department.isUpdated)
      let primitive = department.primitiveValue(forKey: "staff") as? Set<Employee>
      #expect(primitive == [staff[0]])
    }
  }

  @Test func everyCollectionCanBeSet() throws {
    try withStaff { context, department, staff in
      department.setValue(NSSet(array: staff), forKey: "staff")
      #expect(members(department) == Set(staff))
      department.setValue(Set([staff[0]]), forKey: "staff")
      #expect(members(department) == [staff[0]])
      department.setValue(nil, forKey: "staff")
      #expect(members(department).isEmpty)
    }
  }

  @Test func changedAndCommittedValuesKnowMembers() throws {
    try withStaff { context, department, staff in
      department.setValue(NSSet(array: staff), forKey: "staff")
      let changed = department.changedValues()["staff"] as? Set<NSManagedObject>
      #expect(changed == Set(staff))
      let committed = department.committedValues(forKeys: ["staff"])["staff"] as? NSSet
      #expect(committed?.count == 0)
      try context.save()
      #expect(department.changedValues().isEmpty)
    }
  }

  @Test func aMemberMovesFromOneOwnerToAnother() throws {
    try withStaff { context, department, staff in
      let other = context.insert("Department", ["name": "Other"])
      department.setValue(NSSet(array: staff), forKey: "staff")
      other.mutableSetValue(forKey: "staff").add(staff[0])
      #expect(members(department) == [staff[1], staff[2]] && members(other) == [staff[0]])
      #expect(staff[0].value(forKey: "department") as? NSManagedObject === other)
    }
  }

  @Test(arguments: StoreKind.all)
  func manyToManyMembersAreSeenAndRemovedFromBothSides(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let task = context.insert("Task", ["title": "t"])
      let ann = try context.hire("Ann")
      let bea = try context.hire("Bea")
      task.mutableSetValue(forKey: "members").addObjects(from: [ann, bea])
      try context.save()
    }
    try stack.withContext { context in
      let staff = try context.employees()
      let projects = staff.map { ($0.value(forKey: "projects") as? NSOrderedSet)?.count }
      #expect(projects == [1, 1])
      staff[0].mutableOrderedSetValue(forKey: "projects").removeAllObjects()
      try context.save()
    }
    try stack.withContext { context in
      let task = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Task")).first)
      #expect(members(task, "members").map { $0.value(forKey: "name") as? String } == ["Bea"])
    }
  }
}
