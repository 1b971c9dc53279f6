import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Incremental stores of a client's class: what is called when.
@Suite struct IncrementalStoreTests {
  private func makeStack() throws -> (TestStack, ClientIncrementalStore) {
    let stack = try TestStack(.clientIncremental, model: PeopleModel.make())
    let store = try #require(stack.coordinator.persistentStores[0] as? ClientIncrementalStore)
    return (stack, store)
  }

  /// A person with a boss and a tag, saved, and a context that has seen neither.
  private func withPeople(
    _ body: (ClientIncrementalStore, NSManagedObjectContext, NSManagedObjectID) throws -> Void
  ) throws {
    let (stack, store) = try makeStack()
    let identity = try stack.withContext { context in
      let person = insert("Person", "person", context)
      person.setValue(insert("Person", "boss", context), forKey: "boss")
      person.mutableSetValue(forKey: "tags").add(insert("Tag", "red", context))
      try context.save()
      return person.objectID
    }
    // What the other context has used is told now.
    store.announceUsage()
    store.forgetCalls()
    try stack.withContext { try body(store, $0, identity) }
  }

  private func insert(
    _ entity: String, _ name: String, _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    return object
  }

  private func people(_ format: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: format)
    return request
  }

  @Test func addingAStoreLoadsItsMetadataOnce() throws {
    let (_, store) = try makeStack()
    #expect(store.calls == ["loadMetadata"])
    #expect(store.identifier == store.metadata[NSStoreUUIDKey] as? String)
  }

  @Test func aStoreOfAnotherTypeThanItWasAddedAsIsRefused() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientIncrementalStore.self, forStoreType: "Mistaken")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: "Mistaken", configurationName: nil, at: URL(fileURLWithPath: "/tmp/none"))
    }
    #expect(error?.code == NSPersistentStoreTypeMismatchError)
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func aSaveAsksForIDsThenExecutesThenTellsWhatIsUsed() throws {
    let (stack, store) = try makeStack()
    store.forgetCalls()
    try stack.withContext { context in
      let tags = ["a", "b"].map { insert("Tag", $0, context) }
      #expect(store.calls.isEmpty)
      try context.save()
      #expect(store.calls == ["obtainPermanentIDs 2", "save 2 0 0", "didRegister 2 false"])
      #expect(!tags[0].objectID.isTemporaryID)
      store.forgetCalls()
      tags[0].setValue("c", forKey: "name")
      context.delete(tags[1])
      try context.save()
      #expect(store.calls.first == "save 0 1 1")
      store.forgetCalls()
      context.reset()
      #expect(store.calls == ["didUnregister 1"])
    }
  }

  @Test func aSaveOfNothingSendsAnEmptyRequest() throws {
    let (stack, store) = try makeStack()
    store.forgetCalls()
    try stack.withContext { try $0.save() }
    #expect(store.calls == ["save 0 0 0"])
  }

  @Test func aFetchReadsNoValues() throws {
    try withPeople { store, context, _ in
      let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(people.count == 2)
      let faults = people.filter(\.isFault)
      #expect(faults.count == 2)
      #expect(store.calls == ["fetch Person 0", "didRegister 2 false"])
      store.forgetCalls()
      _ = people[0].value(forKey: "name")
      _ = people[0].value(forKey: "age")
      #expect(store.calls == ["newValues"])
    }
  }

  @Test func refreshingWhatIsFetchedAgainAsksForItOnce() throws {
    try withPeople { store, context, _ in
      let request = people("name == 'person'")
      request.shouldRefreshRefetchedObjects = true
      let found = try context.fetch(request)
      #expect(found.first?.value(forKey: "name") as? String == "person")
      store.forgetCalls()
      _ = try context.fetch(request)
      #expect(store.calls.count { $0.hasPrefix("fetch") } == 1)
      #expect(store.calls.contains("newValues"))
    }
  }

  @Test func aContextWithoutAQueueReadsFromTheStore() throws {
    try withPeople { store, _, identity in
      let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
      context.persistentStoreCoordinator = store.persistentStoreCoordinator
      let found = try context.fetch(people("name == 'person'"))
      #expect(found.map(\.objectID) == [identity])
      let boss = found.first?.value(forKey: "boss") as? NSManagedObject
      #expect(boss?.value(forKey: "name") as? String == "boss")
    }
  }

  @Test func countsAndIDsAndDictionariesAreTheStoresAnswers() throws {
    try withPeople { store, context, _ in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      let count = try context.count(for: request)
      #expect(count == 2)
      let identities = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      identities.resultType = .managedObjectIDResultType
      let found = try context.fetch(identities)
      #expect(found.count == 2)
      let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Person")
      dictionaries.resultType = .dictionaryResultType
      dictionaries.propertiesToFetch = ["name"]
      let rows = try context.fetch(dictionaries)
      #expect(rows.map { $0["entity"] as? String } == ["Person", "Person"])
      #expect(
        store.calls.filter { $0.hasPrefix("fetch") }
          == ["fetch Person 4", "fetch Person 1", "fetch Person 2"])
    }
  }

  @Test func aToOneRelationshipOfTheNodeNeedsNoOtherCall() throws {
    try withPeople { store, context, identity in
      let person = context.object(with: identity)
      #expect(
        (person.value(forKey: "boss") as? NSManagedObject)?.value(forKey: "name") as? String
          == "boss")
      #expect(store.calls.filter { $0.hasPrefix("newValue ") }.isEmpty)
    }
  }

  @Test func aToOneRelationshipThatTheNodeLacksIsAskedForWhenTheFaultFires() throws {
    try withPeople { store, context, identity in
      store.nodesHaveDestinations = false
      let person = context.object(with: identity)
      store.forgetCalls()
      _ = person.value(forKey: "name")
      #expect(store.calls == ["newValues", "newValue boss"])
      #expect((person.value(forKey: "boss") as? NSManagedObject)?.isFault == true)
      #expect(store.calls.filter { $0.hasPrefix("newValue ") }.count == 1)
    }
  }

  @Test func anEmptyToOneRelationshipIsNSNull() throws {
    try withPeople { store, context, identity in
      store.nodesHaveDestinations = false
      let boss = context.object(with: identity).value(forKey: "boss") as? NSManagedObject
      store.forgetCalls()
      #expect(boss?.value(forKey: "name") as? String == "boss")
      #expect(boss?.value(forKey: "boss") == nil)
      #expect(store.calls == ["newValues", "newValue boss"])
    }
  }

  @Test func prefetchedRelationshipsAreThereAndPendingMembersStay() throws {
    try withPeople { store, context, identity in
      let person = context.object(with: identity)
      person.mutableSetValue(forKey: "tags").add(insert("Tag", "blue", context))
      let request = people("name == 'person'")
      request.relationshipKeyPathsForPrefetching = ["tags", "boss"]
      let found = try context.fetch(request)
      #expect(found == [person])
      let names = (person.value(forKey: "tags") as? Set<NSManagedObject>)?
        .compactMap { $0.value(forKey: "name") as? String }
      #expect(names?.sorted() == ["blue", "red"])
      #expect(person.value(forKeyPath: "boss.name") as? String == "boss")
    }
  }

  @Test func aToManyRelationshipIsAskedForOnce() throws {
    try withPeople { store, context, identity in
      let person = context.object(with: identity)
      _ = person.value(forKey: "name")
      store.forgetCalls()
      #expect((person.value(forKey: "tags") as? NSSet)?.count == 1)
      #expect((person.value(forKey: "tags") as? NSSet)?.count == 1)
      #expect(store.calls.filter { $0.hasPrefix("newValue") } == ["newValue tags"])
    }
  }

  @Test func anObjectThatTheStoreHasNotIsMissing() throws {
    try withPeople { store, context, identity in
      store.remove(identity)
      let error = #expect(throws: NSError.self) { try context.existingObject(with: identity) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test func whatAnotherContextHasSavedIsAConflict() throws {
    let (stack, store) = try makeStack()
    let (one, two) = (stack.makeContext(), stack.makeContext())
    one.performAndWait { one.retainsRegisteredObjects = true }
    let identity = try one.performAndWait {
      let tag = insert("Tag", "a", one)
      try one.save()
      return tag.objectID
    }
    try two.performAndWait {
      let tag = try two.existingObject(with: identity)
      tag.setValue("theirs", forKey: "name")
      try two.save()
    }
    try one.performAndWait {
      one.object(with: identity).setValue("mine", forKey: "name")
      let error = #expect(throws: NSError.self) { try one.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      one.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try one.save()
    }
    try two.performAndWait {
      let tag = two.object(with: identity)
      two.refresh(tag, mergeChanges: false)
      #expect(tag.value(forKey: "name") as? String == "mine")
      tag.setValue("last", forKey: "name")
      try two.save()
    }
    withExtendedLifetime(store) {}
  }

  @Test func whatTheStoreCallsAConflictIsSettledByTheMergePolicy() throws {
    let (stack, store) = try makeStack()
    try stack.withContext { context in
      let tag = insert("Tag", "a", context)
      try context.save()
      store.change(tag.objectID, "name", "theirs")
      tag.setValue("mine", forKey: "name")
      let conflict = NSMergeConflict(
        source: tag, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
      let error = NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
      store.failure = error
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try context.save()
      #expect(tag.value(forKey: "name") as? String == "theirs")
    }
  }

  @Test func anErrorOfTheStoreIsTheErrorOfTheSave() throws {
    let (stack, store) = try makeStack()
    stack.withContext { context in
      _ = insert("Tag", "a", context)
      store.failure = NSError(domain: "Server", code: 503)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Server" && error?.code == 503)
    }
  }

  @Test(arguments: ["a text", "nothing"])
  func aWrongAnswerIsAnErrorThatSaysWhatWasExpected(answer: String) throws {
    try withPeople { store, context, _ in
      store.answer = answer == "nothing" ? NSNull() : [answer]
      let error = #expect(throws: NSError.self) {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.localizedFailureReason?.contains("execute(_:with:) must answer") == true)
    }
  }

  @Test func anIDOfAnotherStoreIsAnError() throws {
    let (stack, _) = try makeStack()
    let foreign = try stack.withContext { context in
      let tag = insert("Tag", "a", context)
      try context.save()
      return tag.objectID
    }
    try withPeople { store, context, _ in
      store.answer = [foreign]
      let error = #expect(throws: NSError.self) {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      }
      #expect(error?.localizedFailureReason?.contains("no permanent ID of this store") == true)
    }
  }

  @Test func aBatchRequestGoesToTheStoreAsItIs() throws {
    final class Deleted: NSBatchDeleteResult {
      override var result: Any? { 7 }
      override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
    }
    try withPeople { store, context, _ in
      store.answer = Deleted()
      let request = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Person"))
      request.resultType = .resultTypeCount
      let result = try context.execute(request) as? NSBatchDeleteResult
      #expect(result?.result as? Int == 7)
      let error = #expect(throws: NSError.self) { try context.execute(request) }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  @Test func aReferenceReadsInTheURIAndComesBackFromIt() throws {
    let (stack, store) = try makeStack()
    let tag = try #require(stack.coordinator.managedObjectModel.entitiesByName["Tag"])
    func comesBack(_ reference: Any, _ end: String) throws -> NSManagedObjectID? {
      let identity = store.newObjectID(for: tag, referenceObject: reference)
      let uri = identity.uriRepresentation()
      #expect(uri.absoluteString.hasSuffix(end))
      #expect(!identity.isTemporaryID)
      let found = stack.coordinator.managedObjectID(forURIRepresentation: uri)
      return found === identity ? identity : found
    }
    #expect(try comesBack(42, "/Tag/p42").map(store.referenceObject) as? Int == 42)
    #expect(try comesBack("plain", "/Tag/pplain").map(store.referenceObject) as? String == "plain")
    // As Apple's: what comes back from the URI is not decoded.
    let escaped = try comesBack("key with/slash", "/Tag/pkey%20with/slash")
    #expect(escaped.map(store.referenceObject) as? String == "key%20with/slash")
  }

  @Test func aNodeHoldsItsValuesUntilTheyAreReplaced() throws {
    let (stack, store) = try makeStack()
    let tag = try #require(stack.coordinator.managedObjectModel.entitiesByName["Tag"])
    let name = try #require(tag.attributesByName["name"])
    let identity = store.newObjectID(for: tag, referenceObject: 1)
    let node = NSIncrementalStoreNode(
      objectID: identity, withValues: ["name": "a"], version: 3)
    #expect(node.objectID === identity)
    #expect(node.version == 3)
    #expect(node.value(for: name) as? String == "a")
    node.update(withValues: ["name": "b"], version: 4)
    #expect(node.version == 4)
    #expect(node.value(for: name) as? String == "b")
  }
}
