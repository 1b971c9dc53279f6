import CoreData
import Testing

@Suite struct OverridingTests {
  @Test func aSubclassSeesWhatIsDoneToAContext() throws {
    let stack = try TestStack.company()
    let context = ListeningContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    try context.performAndWait {
      let employee = try context.hire("Ann")
      _ = try context.employees()
      context.refresh(employee, mergeChanges: true)
      try context.save()
      context.delete(employee)
      context.rollback()
      _ = context.object(with: employee.objectID)
      context.reset()
      #expect(
        context.calls == [
          "performAndWait", "insert", "fetch", "refresh", "save", "delete", "rollback", "object",
          "reset",
        ])
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
  override func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    calls.append("fetch")
    return try super.fetch(request)
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
  override func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    throw CocoaError(.fileReadNoPermission)
  }
}
