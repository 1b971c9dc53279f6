import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Faults whose store fails with an error of its own, such as a lost connection.
@Suite struct UnreadableFaultTests {
  private static let lost = NSError(domain: "Line", code: 7)

  /// A saved person in a context that has read nothing of it.
  private static func withPerson(
    _ body: (ClientIncrementalStore, NSManagedObjectContext, NSManagedObject) throws -> Void
  ) throws {
    let stack = try TestStack(.clientIncremental, model: PeopleModel.make())
    let store = try #require(stack.coordinator.persistentStores[0] as? ClientIncrementalStore)
    let identity = try stack.withContext { context in
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue("Ann", forKey: "name")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      person.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      return person.objectID
    }
    try stack.withContext { try body(store, $0, $0.object(with: identity)) }
  }

  @Test func anObjectThatCannotBeReadCountsAsDeletedAndIsNotWritten() throws {
    try Self.withPerson { store, context, person in
      store.valuesFailure = Self.lost
      #expect(person.value(forKey: "name") == nil)
      #expect(person.isDeleted)
      store.valuesFailure = nil
      store.forgetCalls()
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == 134030)
      #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "Line")
      #expect(store.calls.isEmpty)
      try context.save()
      #expect(!store.calls.contains { $0.hasPrefix("save") && $0 != "save 0 0 0" })
      let again = context.object(with: person.objectID)
      #expect(again !== person && again.value(forKey: "name") as? String == "Ann")
    }
  }

  enum Ending: CaseIterable { case save, rollback, reset }

  /// A counter that is read as nil, counted up and saved must not count as counted.
  @Test(arguments: Ending.allCases) func editsOnWhatCouldNotBeReadAreNotSaved(_ ending: Ending)
    throws
  {
    try Self.withPerson { store, context, person in
      let other = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      store.valuesFailure = Self.lost
      let name = person.value(forKey: "name") as? String ?? "nobody"
      store.valuesFailure = nil
      person.setValue(name + "!", forKey: "name")
      other.setValue(name, forKey: "name")
      switch ending {
      case .save:
        #expect(throws: NSError.self) { try context.save() }
        #expect(context.insertedObjects == [other])
        context.rollback()
      case .rollback: context.rollback()
      case .reset: context.reset()
      }
      let again = try context.existingObject(with: person.objectID)
      #expect(again.value(forKey: "name") as? String == "Ann")
      again.setValue("Eve", forKey: "name")
      try context.save()
    }
  }

  @Test func anObjectWhoseMembersCannotBeReadCountsAsDeleted() throws {
    try Self.withPerson { store, context, person in
      #expect(person.value(forKey: "name") as? String == "Ann")
      store.membersFailure = Self.lost
      #expect(person.mutableSetValue(forKey: "tags").count == 0)
      #expect(person.isDeleted)
      store.membersFailure = nil
      context.rollback()
      let again = try context.existingObject(with: person.objectID)
      #expect(again.mutableSetValue(forKey: "tags").count == 1)
    }
  }

  @Test func theContextIsAskedWithTheRelationshipThatFailed() throws {
    try Self.withPerson { store, context, person in
      let asking = AskingContext(.privateQueue)
      asking.persistentStoreCoordinator = context.persistentStoreCoordinator
      store.membersFailure = Self.lost
      asking.performAndWait {
        _ = asking.object(with: person.objectID).mutableSetValue(forKey: "tags").count
      }
      #expect(asking.properties == ["tags"])
    }
  }

  @Test func existingObjectThrowsTheStoresError() throws {
    try Self.withPerson { store, context, person in
      store.valuesFailure = Self.lost
      let error = #expect(throws: NSError.self) {
        try context.existingObject(with: person.objectID)
      }
      #expect(error?.domain == "Line" && error?.code == 7)
      #expect(!person.isDeleted)
    }
  }

  @Test func aRefreshThatFailsKeepsTheEdits() throws {
    try Self.withPerson { store, context, person in
      person.setValue("Bob", forKey: "name")
      context.stalenessInterval = 0
      store.valuesFailure = Self.lost
      context.refresh(person, mergeChanges: true)
      #expect(person.value(forKey: "name") as? String == "Bob" && person.isUpdated)
    }
  }

  @Test func theProgramStopsWithTheStoresErrorWhenTheContextMayNotDropFaults() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try UnreadableFaultTests.withPerson { store, context, person in
        context.shouldDeleteInaccessibleFaults = false
        store.valuesFailure = UnreadableFaultTests.lost
        _ = person.value(forKey: "name")
      }
    }
    try expectMessage(in: result)
  }

  @Test func theProgramStopsWithTheStoresErrorWhereEditsWouldBeLost() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try UnreadableFaultTests.withPerson { store, context, person in
        person.setValue("Bob", forKey: "name")
        store.membersFailure = UnreadableFaultTests.lost
        _ = person.mutableSetValue(forKey: "tags").count
      }
    }
    try expectMessage(in: result)
  }

  private func expectMessage(in result: ExitTest.Result?) throws {
    let text = try #require(result).complaint
    #expect(text.contains("CoreData could not fulfill a fault for '<x-coredata://"))
    #expect(text.contains("Line"))
  }
}

private final class AskingContext: NSManagedObjectContext, @unchecked Sendable {
  var properties: [String?] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    properties.append(property?.name)
    return true
  }
}
