import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct OverridingTests {
  @Test func aSubclassSeesWhatIsDoneToAContext() throws {
    let stack = try TestStack.company()
    let context = ListeningContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    try context.performAndWait {
      let employee = try context.hire("Ann")
      #expect(try context.employees() == [employee])
      #expect(try context.count(for: NSFetchRequest<Employee>(entityName: "Employee")) == 1)
      context.refresh(employee, mergeChanges: true)
      try context.save()
      context.delete(employee)
      context.rollback()
      _ = context.object(with: employee.objectID)
      context.reset()
      #expect(
        context.calls == [
          "performAndWait", "insert", "fetch", "count", "refresh", "save", "delete", "rollback",
          "object",
          "reset",
        ])
    }
  }

  /// Every type that a request may promise, and none.
  @Test func aSubclassSeesFetchesOfEveryType() throws {
    let stack = try TestStack.company()
    let context = ListeningContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    try context.performAndWait {
      let employee = try context.hire("Ann")
      try context.save()
      context.calls = []
      func request<T>(_ type: NSFetchRequestResultType) -> NSFetchRequest<T> {
        let request = NSFetchRequest<T>(entityName: "Employee")
        request.resultType = type
        return request
      }
      let objects: NSFetchRequest<NSManagedObject> = request(.managedObjectResultType)
      #expect(try context.fetch(objects) == [employee])
      let typed: NSFetchRequest<Employee> = request(.managedObjectResultType)
      #expect(try context.fetch(typed) == [employee])
      #expect(try typed.execute() == [employee])
      let identities: NSFetchRequest<NSManagedObjectID> = request(.managedObjectIDResultType)
      #expect(try context.fetch(identities) == [employee.objectID])
      let counts: NSFetchRequest<NSNumber> = request(.countResultType)
      #expect(try context.fetch(counts) == [1])
      let rows: NSFetchRequest<NSDictionary> = request(.dictionaryResultType)
      #expect(try context.fetch(rows).first?["name"] as? String == "Ann")
      let untyped: NSFetchRequest<NSFetchRequestResult> = request(.managedObjectResultType)
      #expect(try context.fetch(untyped) as? [Employee] == [employee])
      #expect(try context.fetch(untyped) is [Employee])
      #expect(context.calls == Array(repeating: "fetch", count: 8))
      context.calls = []
      #expect(try context.count(for: typed) == 1 && context.count(for: untyped) == 1)
      #expect(context.calls == ["count", "count"])
    }
  }

  @Test func aContextCanBeMadeToThrow() throws {
    let stack = try TestStack.company()
    let context = FailingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    try context.performAndWait {
      _ = try context.hire("Ann")
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(throws: CocoaError.self) { try context.employees() }
      #expect(context.hasChanges)
    }
  }
}

private final class ListeningContext: NSManagedObjectContext, @unchecked Sendable {
  var calls: [String] = []

  override func performAndWait(_ block: () -> Void) {
    calls.append("performAndWait")
    super.performAndWait(block)
  }
  override func insert(_ object: NSManagedObject) {
    calls.append("insert")
    super.insert(object)
  }
  override func delete(_ object: NSManagedObject) {
    calls.append("delete")
    super.delete(object)
  }
  override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    calls.append("refresh")
    super.refresh(object, mergeChanges: flag)
  }
  override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
    calls.append("fetch")
    return try super.fetch(request)
  }
  override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
    calls.append("count")
    return try super.count(for: request)
  }
  override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    calls.append("object")
    return super.object(with: objectID)
  }
  override func save() throws {
    calls.append("save")
    try super.save()
  }
  override func rollback() {
    calls.append("rollback")
    super.rollback()
  }
  override func reset() {
    calls.append("reset")
    super.reset()
  }
}

private final class FailingContext: NSManagedObjectContext, @unchecked Sendable {
  override func save() throws { throw CocoaError(.fileWriteNoPermission) }
  override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
    throw CocoaError(.fileReadNoPermission)
  }
}
