import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct BatchUpdateTests {
  private func makeStack() throws -> TestStack {
    let stack = try BatchModel.makeStack()
    try stack.withContext { (context) throws in
      try context.insertGoods([
        ["code": "a", "count": 1], ["code": "b", "count": 2], ["code": "c", "count": 3],
      ])
      context.insert("Toy", ["code": "t", "count": 4])
      try context.save()
    }
    return stack
  }

  private func request(
    _ properties: [AnyHashable: Any], _ format: String? = nil
  ) -> NSBatchUpdateRequest {
    let request = NSBatchUpdateRequest(entityName: "Good")
    request.propertiesToUpdate = properties
    request.predicate = format.map { NSPredicate(format: $0) }
    return request
  }

  @Test func constantsExpressionsAndNilAreSetInTheRowsOfThePredicate() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Good"])
      let count = try #require(entity.attributesByName["count"])
      let update = request(
        [count: NSExpression(format: "count * 10"), "title": "many", "price": NSNull()],
        "count >= 2 AND code != 't'")
      update.resultType = .updatedObjectsCountResultType
      let result = try context.execute(update) as? NSBatchUpdateResult
      #expect(result?.result as? Int == 2)
      #expect(try context.goods() == ["a:1", "b:20", "c:30", "t:4"])
      #expect(try context.goods("title == 'many' AND price == nil") == ["b:20", "c:30"])
      #expect(update.entity === entity)
    }
  }

  @Test func subentitiesAreUpdatedUnlessTheyAreLeftOut() throws {
    try makeStack().withContext { (context) throws in
      let update = request(["count": 0])
      update.resultType = .updatedObjectIDsResultType
      update.includesSubentities = false
      let some = try context.execute(update) as? NSBatchUpdateResult
      #expect((some?.result as? [NSManagedObjectID])?.count == 3)
      #expect(try context.goods() == ["a:0", "b:0", "c:0", "t:4"])
      update.includesSubentities = true
      let all = try context.execute(update) as? NSBatchUpdateResult
      let ids = try #require(all?.result as? [NSManagedObjectID])
      #expect(Set(ids.map(\.entity.name)) == ["Good", "Toy"])
      #expect(try context.goods("count == 0").count == 4)
    }
  }

  @Test func aToOneRelationshipIsSetByAnObjectID() throws {
    try makeStack().withContext { (context) throws in
      let shop = context.insert("Shop", ["name": "corner"])
      try context.save()
      _ = try context.execute(request(["shop": shop.objectID], "code IN {'a', 'b'}"))
      #expect(try context.goods("shop.name == 'corner'") == ["a:1", "b:2"])
      _ = try context.execute(request(["shop": NSNull()], "code == 'a'"))
      #expect(try context.goods("shop.name == 'corner'") == ["b:2"])
    }
  }

  @Test func anUpdateRaisesTheVersionSoThatAnOldEditConflicts() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Good")
      fetch.predicate = NSPredicate(format: "code == 'a'")
      let good = try #require(try context.fetch(fetch).first)
      good.setValue("mine", forKey: "title")
      _ = try context.execute(request(["count": 7]))
      #expect(good.value(forKey: "count") as? Int == 1)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(good.value(forKey: "count") as? Int == 7)
    }
  }

  @Test func aUniqueValueGivenToManyRowsIsAConstraintErrorAndNothingChanges() throws {
    try makeStack().withContext { (context) throws in
      let error = #expect(throws: NSError.self) { try context.execute(request(["code": "same"])) }
      #expect(error?.code == NSManagedObjectConstraintMergeError)
      #expect(try context.goods() == ["a:1", "b:2", "c:3", "t:4"])
    }
  }

  @Test func whatCannotBeSetIsAnError() throws {
    try makeStack().withContext { (context) throws in
      let wrong: [[AnyHashable: Any]] = [
        [:], ["shoe": 1], ["labels": 1], ["count": "many"],
        ["count": NSExpression(format: "shop.name")],
      ]
      for properties in wrong {
        #expect(throws: NSError.self) { try context.execute(request(properties)) }
      }
      // Validation is not run: a mandatory attribute can lose its value.
      _ = try context.execute(request(["code": NSNull()], "code == 'a'"))
      #expect(try context.number(of: "Good") == 4)
    }
  }
}
