import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct BatchDeleteTests {
  /// Two shops, "a" and "b", with two goods each that share a label, and one owner.
  private func makeStack() throws -> TestStack {
    let stack = try BatchModel.makeStack()
    try stack.withContext { (context) throws in
      let owner = context.insert("Owner", ["name": "o"])
      let label = context.insert("Label", ["name": "l"])
      for name in ["a", "b"] {
        let shop = context.insert("Shop", ["name": name, "owner": owner])
        for (number, entity) in ["Good", "Toy"].enumerated() {
          let good = context.insert(entity, ["code": "\(name)\(number)", "shop": shop])
          good.mutableSetValue(forKey: "labels").add(label)
        }
      }
      try context.save()
    }
    return stack
  }

  private func request(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
    let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
    fetch.predicate = format.map { NSPredicate(format: $0) }
    return NSBatchDeleteRequest(fetchRequest: fetch)
  }

  @Test func cascadesTakeTheirMembersAlongAndTheResultNamesThem() throws {
    try makeStack().withContext { (context) throws in
      let delete = request("Shop", "name == 'a'")
      delete.resultType = .resultTypeObjectIDs
      let result = try context.execute(delete) as? NSBatchDeleteResult
      let ids = try #require(result?.result as? [NSManagedObjectID])
      #expect(ids.compactMap(\.entity.name).sorted() == ["Good", "Shop", "Toy"])
      #expect(try context.goods() == ["b0:1", "b1:1"])
      #expect(try context.number(of: "Shop") == 1)
    }
  }

  @Test func joinRowsGoAndWhatIsNullifiedStays() throws {
    try makeStack().withContext { (context) throws in
      _ = try context.execute(request("Good", "code == 'a0'"))
      let label = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")).first)
      #expect((label.value(forKey: "goods") as? Set<NSManagedObject>)?.count == 3)
      _ = try context.execute(request("Owner"))
      let shops = NSFetchRequest<NSManagedObject>(entityName: "Shop")
      shops.predicate = NSPredicate(format: "owner == nil")
      #expect(try context.count(for: shops) == 2)
    }
  }

  @Test func subentitiesGoUnlessTheyAreLeftOut() throws {
    try makeStack().withContext { (context) throws in
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Good")
      fetch.includesSubentities = false
      let delete = NSBatchDeleteRequest(fetchRequest: fetch)
      delete.resultType = .resultTypeCount
      #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try context.goods() == ["a1:1", "b1:1"])
      _ = try context.execute(request("Good"))
      #expect(try context.goods() == [])
    }
  }

  @Test func aLimitAndAnOrderChooseTheRows() throws {
    try makeStack().withContext { (context) throws in
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Good")
      fetch.sortDescriptors = [NSSortDescriptor(key: "code", ascending: false)]
      fetch.fetchLimit = 3
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      #expect(try context.goods() == ["a0:1"])
    }
  }

  @Test func objectIDsAreOfOneEntity() throws {
    try makeStack().withContext { (context) throws in
      let goods = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good"))
      let toys = goods.filter { $0.entity.name == "Toy" }.map(\.objectID)
      _ = try context.execute(NSBatchDeleteRequest(objectIDs: toys))
      #expect(try context.number(of: "Good") == 2)
      let shops = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shop"))
      let mixed = NSBatchDeleteRequest(objectIDs: (goods + shops).map(\.objectID))
      #expect(throws: NSError.self) { try context.execute(mixed) }
      _ = try context.execute(NSBatchDeleteRequest(objectIDs: []))
      #expect(try context.number(of: "Shop") == 2)
    }
  }

  @Test func aDenyRuleAndAMandatoryInverseStopTheDeletion() throws {
    try makeStack().withContext { (context) throws in
      let shops = NSFetchRequest<NSManagedObject>(entityName: "Shop")
      shops.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let all = try context.fetch(shops)
      context.insert("Licence", ["shop": all[0]])
      context.insert("Key", ["shop": all[1]])
      try context.save()
      let denied = #expect(throws: NSError.self) {
        try context.execute(request("Shop", "name == 'a'"))
      }
      #expect(denied?.code == NSValidationRelationshipDeniedDeleteError)
      let mandatory = #expect(throws: NSError.self) {
        try context.execute(request("Shop", "name == 'b'"))
      }
      #expect(mandatory?.localizedFailureReason?.contains("Key/shop") == true)
      #expect(try context.number(of: "Shop") == 2)
      #expect(try context.goods().count == 4)
    }
  }

  @Test func aStackOfSeveralStoresIsServedStoreByStore() throws {
    let stack = try makeStack()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that is left behind harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    let second = try stack.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: folder.appendingPathComponent("second.sqlite"))
    try stack.withContext { (context) throws in
      let insert = NSBatchInsertRequest(entityName: "Good", objects: [["code": "z"]])
      insert.affectedStores = [second]
      _ = try context.execute(insert)
      #expect(try context.goods().count == 5)
      let update = NSBatchUpdateRequest(entityName: "Good")
      update.propertiesToUpdate = ["count": 8]
      update.affectedStores = [second]
      _ = try context.execute(update)
      #expect(try context.goods("count == 8") == ["z:8"])
      let delete = request("Good")
      delete.resultType = .resultTypeCount
      #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 5)
    }
  }
}
