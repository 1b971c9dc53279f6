import CoreData
import Testing

@testable import CoreDataSamples

/// Relationships that a class declares as mutable collections.
@Suite struct DeclaredCollectionTests {
  private static let staff = ManagedProperty("staff")
  private static let tasks = ManagedProperty("tasks")

  @Test func aRelationshipThatIsDeclaredAsAMutableSetIsChangedThroughIt() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Tools"])
      let employee = try context.hire("Ann")
      let staff: NSMutableSet = department.managedValue(Self.staff)
      staff.add(employee)
      #expect(employee.value(forKey: "department") as? NSManagedObject === department)
      let optional: NSMutableSet? = department.managedValue(Self.staff)
      #expect(optional?.count == 1)
      department.setManagedValue(NSMutableSet(), Self.staff)
      #expect(employee.value(forKey: "department") == nil)
    }
  }

  @Test func anOrderedRelationshipMayBeDeclaredAsAMutableOrderedSet() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let tasks: NSMutableOrderedSet = employee.managedValue(Self.tasks)
      tasks.add(context.insert("Task", ["title": "b"]))
      tasks.insert(context.insert("Task", ["title": "a"]), at: 0)
      let titles = employee.mutableOrderedSetValue(forKey: "tasks").array
        .map { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
      #expect(titles == ["a", "b"])
    }
  }
}
