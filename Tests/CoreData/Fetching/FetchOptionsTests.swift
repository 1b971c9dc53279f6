import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchOptionsTests {
  @Test(arguments: StoreKind.all)
  func objectsComeAsFaultsUnlessAskedOtherwise(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      let faults = try context.fetch(request)
      #expect(faults.allSatisfy { $0.isFault })
      request.returnsObjectsAsFaults = false
      PeopleGraph.insert("Person", "new", 1, in: context)
      let realized = try context.fetch(request)
      #expect(realized.allSatisfy { !$0.isFault })
    }
  }

  @Test(arguments: StoreKind.all)
  func withoutPropertyValuesOnlyTheIDsAreRead(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.includesPropertyValues = false
      let objects = try context.fetch(request)
      #expect(objects.count == 4)
      #expect(objects.allSatisfy { $0.isFault && $0.current == nil })
    }
  }

  @Test(arguments: StoreKind.all)
  func withoutSubentitiesTheirObjectsAreLeftOutUnsavedOnesToo(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { (context) throws in
      PeopleGraph.insert("Employee", "Eve", 20, in: context)
      #expect(try context.people() == ["Ada", "Bob", "Cy", "Dee", "Eve"])
      #expect(try context.people { $0.includesSubentities = false } == ["Ada", "Bob", "Cy"])
    }
  }

  @Test(arguments: StoreKind.all)
  func aRefetchRefreshesObjectsWhenAskedToAndKeepsTheirEdits(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "name == 'Bob'")
      request.returnsObjectsAsFaults = false
      let bob = try #require(try context.fetch(request).first)
      bob.setValue(41, forKey: "age")
      try stack.withContext { other in
        let same = try other.existingObject(with: bob.objectID)
        same.setValue("Bert", forKey: "name")
        try other.save()
      }
      request.predicate = NSPredicate(format: "name == 'Bert'")
      request.includesPendingChanges = false
      _ = try context.fetch(request)
      #expect(bob.value(forKey: "name") as? String == "Bob")
      request.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(request) == [bob])
      #expect(bob.value(forKey: "name") as? String == "Bert")
      #expect(bob.value(forKey: "age") as? Int == 41)
    }
  }

  @Test(arguments: StoreKind.all)
  func aLimitAndOffsetCountUnsavedObjectsToo(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { (context) throws in
      PeopleGraph.insert("Person", "Aa", 1, in: context)
      let names = try context.people {
        $0.fetchOffset = 1
        $0.fetchLimit = 2
      }
      #expect(names == ["Ada", "Bob"])
    }
  }

  @Test func affectedStoresLimitEveryResultType() throws {
    let stack = try PeopleGraph.makeStack(.inMemory)
    let second = try stack.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try stack.withContext { (context) throws in
      let zoe = PeopleGraph.insert("Person", "Zoe", 7, in: context)
      context.assign(zoe, to: second)
      try context.save()
      #expect(try context.people() == ["Ada", "Bob", "Cy", "Dee", "Zoe"])
      #expect(try context.people { $0.affectedStores = [second] } == ["Zoe"])
      let rows = try context.dictionaries([column("sum", "sum:", of: "age")])
      #expect(rows == [["sum": 177] as NSDictionary])
      let ofSecond = try context.dictionaries([column("sum", "sum:", of: "age")]) {
        $0.affectedStores = [second]
      }
      #expect(ofSecond == [["sum": 7] as NSDictionary])
    }
  }

  @Test(arguments: StoreKind.all)
  func aTemplateOfTheModelIsFetchedWithItsVariablesReplaced(_ kind: StoreKind) throws {
    let model = PeopleModel.make()
    let template = NSFetchRequest<NSFetchRequestResult>()
    template.entity = model.entitiesByName["Person"]
    template.predicate = NSPredicate(format: "age >= $least")
    model.setFetchRequestTemplate(template, forName: "older")
    let stack = try TestStack(kind, model: model)
    try stack.withContext { (context) throws in
      PeopleGraph.insert("Person", "old", 60, in: context)
      PeopleGraph.insert("Person", "young", 6, in: context)
      try context.save()
      let request = try #require(
        model.fetchRequestFromTemplate(
          withName: "older", substitutionVariables: ["least": 18]))
      let found = try context.fetch(request).compactMap { $0 as? NSManagedObject }
      #expect(found.map { $0.value(forKey: "name") as? String } == ["old"])
    }
  }

  @Test func aLazyFetchReadsABatchWhenItIsLookedAt() throws {
    let stack = try TestStack(.sqlite)
    try stack.withContext { (context) throws in
      for number in 0..<100 { context.makeItem("item", order: Int64(number)) }
      try context.save()
    }
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
      request.fetchBatchSize = 20
      let database = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
        .contents.database
      let start = database.readCount
      let items = try context.fetchLazily(request)
      #expect(items.count == 100 && context.registeredObjects.isEmpty)
      #expect(database.readCount == start + 1)
      #expect(items[45].order == 45 && items[59].order == 59 && items[40].order == 40)
      #expect(database.readCount == start + 2)
      #expect(items.map(\.order) == (0..<100).map { Int64($0) })
      #expect(context.registeredObjects.count <= 60)
      request.resultType = .dictionaryResultType
      #expect(throws: NSError.self) { try context.fetchLazily(request) }
    }
  }
}
