import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Atomic stores of a client's class: what is called when.
@Suite struct AtomicStoreTests {
  private func makeStack() throws -> (TestStack, ClientAtomicStore) {
    let stack = try TestStack(.clientAtomic, model: PeopleModel.make())
    let store = try #require(stack.coordinator.persistentStores[0] as? ClientAtomicStore)
    return (stack, store)
  }

  private func insert(_ context: NSManagedObjectContext, _ name: String) -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    return tag
  }

  @Test func addingAStoreLoadsItsMetadataThenItsNodes() throws {
    let (_, store) = try makeStack()
    #expect(store.calls == ["loadMetadata", "load", "didAdd"])
  }

  @Test func aSaveMakesReferencesNodesAndThenSaves() throws {
    let (stack, store) = try makeStack()
    store.forgetCalls()
    try stack.withContext { context in
      let tag = insert(context, "a")
      try context.save()
      #expect(
        store.calls == [
          "newReferenceObject temporary", "newCacheNode r1", "updateCacheNode r1", "save",
        ])
      #expect(store.referenceObject(for: tag.objectID) as? String == "r1")
      store.forgetCalls()
      tag.setValue("b", forKey: "name")
      try context.save()
      #expect(store.calls == ["updateCacheNode r1", "save"])
      #expect(store.cacheNode(for: tag.objectID)?.value(forKey: "name") as? String == "b")
      store.forgetCalls()
      context.delete(tag)
      try context.save()
      #expect(store.calls == ["willRemoveCacheNodes 1", "save"])
      #expect(store.cacheNodes().isEmpty)
    }
  }

  @Test func aSaveOfNothingSavesOnlyChangedMetadata() throws {
    let (stack, store) = try makeStack()
    store.forgetCalls()
    try stack.withContext { context in
      try context.save()
      #expect(store.calls.isEmpty)
      store.metadata["note"] = "new"
      try context.save()
      try context.save()
      #expect(store.calls == ["save"])
    }
  }

  @Test func nodesHoldNodesForRelationships() throws {
    let (stack, store) = try makeStack()
    try stack.withContext { context in
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      let tag = insert(context, "a")
      try context.save()
      person.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      let node = try #require(store.cacheNode(for: person.objectID))
      let tagNode = try #require(store.cacheNode(for: tag.objectID))
      #expect(node.value(forKey: "tags") as? NSSet == NSSet(object: tagNode))
      #expect(tagNode.value(forKey: "people") as? NSSet == NSSet(object: node))
    }
  }

  @Test func aSaveThatFailsLeavesNodesAndObjectsAsTheyWere() throws {
    let (stack, store) = try makeStack()
    try stack.withContext { context in
      let (kept, gone) = (insert(context, "kept"), insert(context, "gone"))
      try context.save()
      kept.setValue("changed", forKey: "name")
      context.delete(gone)
      _ = insert(context, "new")
      store.failure = CocoaError(.fileWriteOutOfSpace)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .fileWriteOutOfSpace)
      #expect(store.cacheNodes().count == 2)
      #expect(store.cacheNode(for: kept.objectID)?.value(forKey: "name") as? String == "kept")
      store.failure = nil
      try context.save()
      #expect(store.cacheNodes().count == 2)
      #expect(store.cacheNode(for: kept.objectID)?.value(forKey: "name") as? String == "changed")
    }
  }

  @Test func nodesThatAreAddedLaterAreFetched() throws {
    let (stack, store) = try makeStack()
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Tag"])
    let node = NSAtomicStoreCacheNode(
      objectID: store.objectID(for: entity, withReferenceObject: "external"))
    node.propertyCache = ["name": "found"]
    store.addCacheNodes([node])
    try stack.withContext { context in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(tags.map { $0.value(forKey: "name") as? String } == ["found"])
      #expect(tags[0].objectID === node.objectID)
      #expect(tags[0].objectID.uriRepresentation().lastPathComponent == "pexternal")
    }
  }

  @Test func theToManySideOfANodeSaysWhereTheOtherSideSaysNothing() throws {
    let (stack, store) = try makeStack()
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
    let nodes = ["boss", "a", "b"].map {
      NSAtomicStoreCacheNode(objectID: store.objectID(for: entity, withReferenceObject: $0))
    }
    nodes[0].setValue(NSSet(array: [nodes[1], nodes[2].objectID]), forKey: "reports")
    store.addCacheNodes(Set(nodes))
    stack.withContext { context in
      let boss = context.object(with: nodes[0].objectID)
      #expect((boss.value(forKey: "reports") as? NSSet)?.count == 2)
      let report = context.object(with: nodes[1].objectID)
      #expect(report.value(forKey: "boss") as? NSManagedObject === boss)
    }
  }

  @Test func aNodeWithAWrongValueIsAnErrorOfTheFetchThatNamesIt() throws {
    let (stack, store) = try makeStack()
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
    let node = NSAtomicStoreCacheNode(
      objectID: store.objectID(for: entity, withReferenceObject: 1))
    node.setValue("many", forKey: "age")
    store.addCacheNodes([node])
    stack.withContext { context in
      let error = #expect(throws: NSError.self) {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.localizedFailureReason?.contains("age") == true)
    }
  }

  @Test func theMetadataThatAreSavedNameTheModel() throws {
    let (stack, store) = try makeStack()
    #expect(
      store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        == stack.coordinator.managedObjectModel.entityVersionHashesByName)
  }

  @Test func aReferenceGivesTheSameIDEachTimeAndAnotherForEachEntity() throws {
    let (stack, store) = try makeStack()
    let entities = stack.coordinator.managedObjectModel.entitiesByName
    let (person, employee) = (try #require(entities["Person"]), try #require(entities["Employee"]))
    let identity = store.objectID(for: person, withReferenceObject: 42)
    #expect(store.objectID(for: person, withReferenceObject: NSNumber(value: 42)) === identity)
    #expect(store.objectID(for: employee, withReferenceObject: 42) != identity)
    #expect(store.objectID(for: employee, withReferenceObject: 42).entity === employee)
    #expect(store.referenceObject(for: identity) as? Int == 42)
    let uri = identity.uriRepresentation()
    #expect(uri.lastPathComponent == "p42")
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) === identity)
  }

  @Test func aClassThatIsNoStoreIsNotRegisteredAndNilTakesARegistrationBack() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientAtomicStore.self, type: NSPersistentStore.StoreType(rawValue: "Once"))
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Once"] != nil)
    NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Once")
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Once"] == nil)
    let types = NSPersistentStoreCoordinator.registeredStoreTypes.keys
    #expect(types.contains(NSXMLStoreType) && types.contains(NSBinaryStoreType))
  }
}
