import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct StalenessTests {
  /// Changes the row below every context and row cache.
  private func update(_ context: NSManagedObjectContext, to name: String) throws {
    let request = NSBatchUpdateRequest(entityName: "Employee")
    request.propertiesToUpdate = ["name": name]
    _ = try context.execute(request)
  }

  @Test func aRefreshShowsTheCachedRowUnlessRowsGrowStaleAtOnce() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      #expect(context.stalenessInterval == -1)
      // Another context keeps the row that all share.
      try stack.withContext { other in
        let held = try other.employees()
        try update(context, to: "Bea")
        context.refresh(employee, mergeChanges: true)
        #expect(employee.name == "Ann")
        context.stalenessInterval = 0
        context.refresh(employee, mergeChanges: true)
        #expect(employee.name == "Bea")
        withExtendedLifetime(held) {}
      }
    }
  }

  @Test func aRemoteMergeReadsTheStore() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      try update(context, to: "Bea")
      #expect(employee.name == "Ann")
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: [employee.objectID]], into: [context])
      #expect(employee.name == "Bea" && !employee.isUpdated)
    }
  }

  @Test func aMergeIntoAnEditedObjectKeepsTheEdit() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann", salary: 1)
      try context.save()
      employee.name = "Bea"
      let note = try stack.withContext { writer in
        let same = try writer.employees()[0]
        same.name = "Cleo"
        same.setValue(9, forKey: "salary")
        return try Notifications.ofSave(writer)
      }
      context.mergeChanges(fromContextDidSave: note)
      #expect(employee.name == "Bea" && employee.value(forKey: "salary") as? Int == 9)
      #expect(employee.committedValues(forKeys: ["name"])["name"] as? String == "Cleo")
      #expect(employee.changedValues().keys.sorted() == ["name"])
      try context.save()
    }
  }
}
