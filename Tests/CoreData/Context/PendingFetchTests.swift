import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct PendingFetchTests {
  private func withThree(
    _ kind: StoreKind, _ body: (NSManagedObjectContext, [Employee]) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let all = try [("charlie", 10), ("alpha", 22), ("bravo", 25)].map {
        try context.hire($0.0, salary: $0.1)
      }
      try context.save()
      try body(context, all)
    }
  }

  private func request(_ format: String? = nil) -> NSFetchRequest<Employee> {
    let request = NSFetchRequest<Employee>(entityName: "Employee")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: true)]
    return request
  }

  @Test(arguments: StoreKind.all)
  func withoutPendingChangesMembershipIsTheStoresAndValuesAreTheObjects(_ kind: StoreKind) throws {
    try withThree(kind) { context, all in
      all[0].name = "renamed"
      context.delete(all[2])
      _ = try context.hire("new", salary: 30)
      let request = request("name != 'renamed'")
      request.includesPendingChanges = false
      let found = try context.fetch(request)
      #expect(found == all)
      #expect(found.map(\.name) == ["renamed", "alpha", "bravo"])
    }
  }

  @Test(arguments: StoreKind.all)
  func anEditBringsAnObjectInOrOutOfAnAnswer(_ kind: StoreKind) throws {
    try withThree(kind) { context, all in
      all[0].name = "alpha"
      all[1].name = "other"
      let found = try context.fetch(request("name == 'alpha'"))
      #expect(found == [all[0]])
      #expect(try context.count(for: request("name == 'alpha'")) == 1)
      let saved = request("name == 'alpha'")
      saved.includesPendingChanges = false
      #expect(try context.fetch(saved) == [all[1]])
    }
  }

  @Test(arguments: StoreKind.all)
  func idsIncludeUnsavedObjectsUnderTemporaryIDs(_ kind: StoreKind) throws {
    try withThree(kind) { context, all in
      let new = try context.hire("new", salary: 1)
      context.delete(all[1])
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
      request.resultType = .managedObjectIDResultType
      let found = Set(try context.fetch(request))
      #expect(found == [new.objectID, all[0].objectID, all[2].objectID])
      #expect(new.objectID.isTemporaryID)
    }
  }

  @Test(arguments: StoreKind.all)
  func aWindowIsThatOfWhatIsInMemory(_ kind: StoreKind) throws {
    try withThree(kind) { context, all in
      all[1].setValue(5, forKey: "salary")
      all[0].setValue(21, forKey: "salary")
      context.delete(all[2])
      _ = try context.hire("delta", salary: 30)
      _ = try context.hire("echo", salary: 40)
      let request = request()
      request.fetchOffset = 1
      request.fetchLimit = 2
      #expect(try context.fetch(request).map(\.name) == ["charlie", "delta"])
    }
  }

  @Test(arguments: StoreKind.all)
  func unsavedRelationshipsAreSeenBySubqueries(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      for name in ["a", "b"] {
        try context.hire(name, salary: 5).setValue(department, forKey: "department")
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
      request.predicate = NSPredicate(format: "SUBQUERY(staff, $e, $e.salary > 1).@count == 2")
      #expect(try context.fetch(request) == [department])
      request.predicate = NSPredicate(format: "ANY staff.name == 'b'")
      #expect(try context.fetch(request) == [department])
      context.delete(department)
      #expect(try context.fetch(request).isEmpty)
    }
  }

  @Test(arguments: StoreKind.all)
  func objectsAndIDsAreArgumentsOfPredicates(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      let ann = try context.hire("Ann")
      ann.setValue(department, forKey: "department")
      let bob = try context.hire("Bob")
      try context.save()
      for argument in [department, department.objectID] as [Any] {
        let request = request()
        request.predicate = NSPredicate(format: "department == %@", argument)
        #expect(try context.fetch(request) == [ann])
      }
      let request = request()
      request.predicate = NSPredicate(format: "SELF IN %@", [bob])
      #expect(try context.fetch(request) == [bob])
    }
  }
}
