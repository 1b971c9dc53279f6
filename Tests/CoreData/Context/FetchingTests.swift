import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct FetchingTests {
  @Test(arguments: StoreKind.all)
  func pendingChangesAreLaidOverTheStore(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let a = context.makeItem("a", order: 1)
      let b = context.makeItem("b", order: 2)
      context.makeItem("c", order: 3)
      try context.save()
      a.order = 10
      context.delete(b)
      context.makeItem("bb", order: 5)
      #expect(try context.items("order > 2").map { $0.title } == ["a", "bb", "c"])
      #expect(try context.titles() == ["a", "bb", "c"])
      let request = NSFetchRequest<Item>(entityName: "Item")
      #expect(try context.count(for: request) == 3)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 3)
      request.predicate = NSPredicate(format: "order == 1")
      #expect(try context.fetch(request) == [a])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func resultTypesGiveObjectsIDsCountsAndDictionaries(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("a", order: 1)
      try context.save()
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids) == [item.objectID])
      let counts = NSFetchRequest<NSNumber>(entityName: "Item")
      counts.resultType = .countResultType
      #expect(try context.fetch(counts) == [1])
      let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
      rows.resultType = .dictionaryResultType
      rows.propertiesToFetch = ["title"]
      #expect(try context.fetch(rows) == [["title": "a"] as NSDictionary])
    }
  }

  @Test func theNameBehindASwiftKeyPathIsFound() throws {
    let stack = try TestStack(.inMemory)
    _ = stack
    #expect(NSSortDescriptor(keyPath: \Item.order, ascending: true).key == "order")
    #expect(NSSortDescriptor(keyPath: \Item.title, ascending: false).key == "title")
    #expect(NSExpression(forKeyPath: \Item.parent?.title).keyPath == "parent.title")
  }

  @Test func anObjectIsOneInstancePerContext() throws {
    let stack = try TestStack(.sqlite)
    try stack.withContext { context in
      context.makeItem("a")
      try context.save()
      context.reset()
      let first = try #require(try context.items().first)
      let second = try #require(try context.items("title BEGINSWITH 'a'").first)
      #expect(first === second)
      #expect(first.objectID === second.objectID)
      #expect(context.object(with: first.objectID) === first)
      #expect(context.registeredObjects == [first])
    }
  }

  @Test func aContextDoesNotKeepUnchangedObjects() throws {
    let stack = try TestStack(.sqlite)
    try stack.withContext { context in
      do {
        context.makeItem("a")
        try context.save()
        _ = try context.items()
      }
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func transientValuesStayWithTheObject() throws {
    let stack = try TestStack(.sqlite)
    try stack.withContext { context in
      let item = context.makeItem("a")
      #expect(item.value(forKey: "scratch") as? Int == 7)
      item.setValue(8, forKey: "scratch")
      try context.save()
      #expect(item.value(forKey: "scratch") as? Int == 8)
      item.setValue(9, forKey: "scratch")
      #expect(item.isUpdated && !item.hasPersistentChangedValues)
      context.rollback()
      #expect(item.value(forKey: "scratch") as? Int == 7)
      let id = item.objectID
      try stack.withContext { other in
        let object = try other.existingObject(with: id)
        #expect(object.value(forKey: "scratch") as? Int == 7)
      }
    }
  }
}
