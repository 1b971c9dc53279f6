import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

@Suite struct ExistingObjectTests {
  @Test func anUnsavedObjectExistsUnderItsTemporaryID() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      #expect(try context.existingObject(with: employee.objectID) === employee)
      #expect(context.registeredObject(for: employee.objectID) === employee)
    }
  }

  @Test(arguments: StoreKind.all)
  func aDeletedRowDoesNotExistThoughItsURIDoes(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    let id = try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      let id = employee.objectID
      context.delete(employee)
      try context.save()
      return id
    }
    stack.withContext { context in
      let error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == 133000)
      let uri = id.uriRepresentation()
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == id)
    }
  }

  @Test func anIDOfAnotherCoordinatorOnTheFileIsUnderstood() throws {
    let stack = try TestStack.company(.sqlite)
    let id = try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      return employee.objectID
    }
    let other = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: stack.coordinator.persistentStores[0].url)
    let context = other.makeContext()
    try context.performAndWait {
      let found = try #require(try context.existingObject(with: id) as? Employee)
      #expect(found.name == "Ann")
    }
  }

  @Test(arguments: StoreKind.all)
  func aFaultWithoutARowCountsAsDeletedAndReadsAsNil(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    let id = try Self.makeVanished(stack)
    try stack.withContext { context in
      let gone = context.object(with: id)
      #expect(gone.value(forKey: "name") == nil)
      #expect(gone.isDeleted)
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test func aContextIsAskedAboutAFaultWithoutARow() throws {
    let stack = try TestStack.company()
    let id = try Self.makeVanished(stack)
    let context = FaultAskingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    context.performAndWait {
      _ = context.object(with: id).value(forKey: "name")
      #expect(context.asked == [id])
    }
  }

  @Test func objectsOfAContextThatWasResetReadAsNil() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      context.reset()
      #expect(employee.isFault && employee.managedObjectContext == nil)
      #expect(employee.value(forKey: "name") == nil)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func aFetchOfIDsRegistersNothing() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      _ = try context.hire("Ann")
      try context.save()
    }
    try stack.withContext { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
      request.resultType = .managedObjectIDResultType
      let identities = try context.fetch(request)
      #expect(identities.count == 1)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func aContextKeepsItsObjectsWhenItIsToldTo() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      _ = try context.hire("Ann")
      try context.save()
    }
    try stack.withContext { context in
      _ = try context.employees()
      #expect(context.registeredObjects.isEmpty)
      context.retainsRegisteredObjects = true
      _ = try context.employees()
      #expect(context.registeredObjects.count == 1)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func aContextThatIsToldNotToDeleteInaccessibleFaultsStopsTheProgram() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let stack = try TestStack.company()
        let id = try ExistingObjectTests.makeVanished(stack)
        stack.withContext { context in
          context.shouldDeleteInaccessibleFaults = false
          _ = context.object(with: id).value(forKey: "name")
        }
      })
    let text = result.complaint
    #expect(text.contains("CoreData could not fulfill a fault for '<x-coredata://"))
  }

  /// The ID of an object whose row is gone.
  private static func makeVanished(_ stack: TestStack) throws -> NSManagedObjectID {
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      let id = employee.objectID
      context.delete(employee)
      try context.save()
      return id
    }
  }
}

private final class FaultAskingContext: NSManagedObjectContext, @unchecked Sendable {
  var asked: [NSManagedObjectID] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    asked.append(objectID)
    return true
  }
}
