import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

@Suite struct BatchInsertTests {
  @Test func dictionariesBecomeRowsWithTheModelsDefaults() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      let date = Date(timeIntervalSinceReferenceDate: 7)
      let ids = try context.insertGoods([
        ["code": "a", "title": "A", "count": 5, "price": 1.5, "since": date], ["code": "b"],
      ])
      #expect(ids.count == 2 && ids.allSatisfy { !$0.isTemporaryID })
      #expect(try context.goods() == ["a:5", "b:1"])
      let first = try context.existingObject(with: ids[0])
      #expect(first.value(forKey: "since") as? Date == date)
      #expect(first.value(forKey: "price") as? Double == 1.5)
      // A later save goes on after the keys of the batch.
      let saved = context.insert("Good", ["code": "c"])
      try context.save()
      #expect(saved.objectID.uriRepresentation().lastPathComponent == "p3")
    }
  }

  @Test func theResultIsAStatusACountOrIDs() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      let request = NSBatchInsertRequest(entityName: "Good", objects: [["code": "a"]])
      let status = try context.execute(request) as? NSBatchInsertResult
      #expect(status?.result as? Bool == true && status?.resultType == .statusOnly)
      request.objectsToInsert = [["code": "b"], ["code": "c"]]
      request.resultType = .count
      let count = try context.execute(request) as? NSBatchInsertResult
      #expect(count?.result as? Int == 2)
      #expect(request.entityName == "Good" && request.entity == nil)
    }
  }

  @Test func aCoordinatorExecutesBatchRequestsToo() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { (context) throws in
      let request = NSBatchInsertRequest(entityName: "Good", objects: [["code": "a"]])
      request.resultType = .count
      let result = try stack.coordinator.execute(request, with: context)
      #expect((result as? NSBatchInsertResult)?.result as? Int == 1)
      #expect(try context.goods() == ["a:1"])
    }
  }

  @Test func aHandlersDictionaryIsOneLikeOthers() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      var kept: [NSMutableDictionary] = []
      let request = NSBatchInsertRequest(
        entityName: "Good",
        dictionaryHandler: { row in
          #expect(row.count == 0 && row["code"] == nil)
          row.addEntries(from: ["code": "row \(kept.count)", "title": "away"])
          row.removeObject(forKey: "title")
          row["count"] = 4
          #expect(row["count"] as? Int == 4 && row.count == 2)
          #expect(Set(row.allKeys.compactMap { $0 as? String }) == ["code", "count"])
          kept.append(row)
          return kept.count == 3
        })
      _ = try context.execute(request)
      #expect(try context.goods() == ["row 0:4", "row 1:4"])
      #expect(kept.map { $0["code"] as? String } == ["row 0", "row 1", "row 2"])
    }
  }

  /// However keys are spelled, in whatever order, some left out: each row is what it would be if given whole.
  @Test(arguments: [20_261_125, 4])
  func aHandlersKeysMeanTheSameInAnyOrderAndForm(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let types: [String: NSAttributeType] = [
      "name": .stringAttributeType, "aNameOfMoreThanFifteenBytes": .stringAttributeType,
      "count": .integer64AttributeType, "anotherCountOfSomeLength": .integer32AttributeType,
      "since": .dateAttributeType, "isOpen": .booleanAttributeType, "price": .doubleAttributeType,
    ]
    let names = types.keys.sorted()
    let rows = (0..<300).map { number -> [(key: String, value: Any)] in
      let values: [NSAttributeType: Any] = [
        .stringAttributeType: "the text of the row \(number)", .integer64AttributeType: number,
        .integer32AttributeType: Int32(-number), .booleanAttributeType: number % 2 == 0,
        .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number)),
        .doubleAttributeType: Double(number) / 4,
      ]
      let some = names.filter { $0 == "count" || Int.random(in: 0..<4, using: &random) > 0 }
      let ordered = number % 3 == 0 ? some.shuffled(using: &random) : some
      return ordered.map { ($0, values[types[$0]!]!) }
    }
    func contents(_ request: NSBatchInsertRequest) throws -> [String] {
      let row = NSEntityDescription()
      row.name = "Row"
      row.properties = names.map { ModelPart.attribute($0, types[$0]!) }
      let model = NSManagedObjectModel()
      model.entities = [row]
      return try TestStack(.sqlite, model: model).withContext { (context) throws in
        try context.execute(request)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
        request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
        return try context.fetch(request).map { object in
          names.map { "\(object.value(forKey: $0) ?? "nil")" }.joined(separator: ", ")
        }
      }
    }
    let whole = try contents(
      NSBatchInsertRequest(
        entityName: "Row", objects: rows.map { Dictionary(uniqueKeysWithValues: $0) }))
    var next = 0
    let handled = try contents(
      NSBatchInsertRequest(
        entityName: "Row",
        dictionaryHandler: { dictionary in
          guard next < rows.count else { return true }
          for (key, value) in rows[next] {
            switch Int.random(in: 0..<8, using: &random) {
            // Given twice, taken back, and given in another type.
            case 4:
              dictionary[key] = NSNull()
              dictionary[key] = value
            case 5:
              dictionary[key] = value
              dictionary.removeObject(forKey: key)
              guard dictionary[key] == nil else { return true }
              dictionary[key] = value
            case 6 where value is Int || value is Int32:
              dictionary[key] = NSNumber(value: (value as? Int) ?? Int(value as? Int32 ?? 0))
            case 7 where value is String: dictionary[key] = NSString(string: "\(value)")
            // The same text elsewhere in memory.
            case 0: dictionary[String(decoding: Array(key.utf8), as: UTF8.self)] = value
            case 1: dictionary.setObject(value, forKey: AnyHashable(key))
            case 2: dictionary[NSString(string: key)] = value
            default: dictionary[key] = value
            }
            if "\(dictionary[key] ?? "nil")" != "\(value)" { return true }
          }
          next += 1
          return false
        }))
    #expect(handled.count == 300 && handled == whole, "seed \(seed)")
  }

  private static let attributeTypes: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    .stringAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType,
    .URIAttributeType,
  ]

  // Read alone.
  private nonisolated(unsafe) static let values: [Any] = [
    7, Int64(-8), Int32(9), Int16(-10), Int8(11), UInt(12), UInt16(13), true, false, 1.5,
    Float(2.5), Decimal(string: "3.25") as Any, "text", "a text of more than fifteen bytes",
    NSString(string: "bridged"), NSNumber(value: 14), NSNumber(value: 0.5), Date.distantPast,
    NSDate.distantFuture, Data([1, 2]), UUID(), URL(fileURLWithPath: "/x"), NSNull(), [1],
    Character("c"),
  ]

  /// Values of every type for attributes of every type: a handler's are taken, refused and given back as those of an
  /// array of dictionaries are.
  @Test(arguments: attributeTypes)
  func valuesOfEveryTypeMeanTheSameInBothForms(type: NSAttributeType) throws {
    let row = NSEntityDescription()
    row.name = "Row"
    row.properties = [ModelPart.attribute("value", type)]
    let model = NSManagedObjectModel()
    model.entities = [row]
    let stack = try TestStack(.sqlite, model: model)
    stack.withContext { context in
      func outcome(_ request: NSBatchInsertRequest) -> String {
        request.resultType = .objectIDs
        do {
          let result = try context.execute(request) as? NSBatchInsertResult
          let ids = result?.result as? [NSManagedObjectID] ?? []
          let stored = try ids.map { try context.existingObject(with: $0).value(forKey: "value") }
          return "\(stored.map { $0.map { "\(Swift.type(of: $0)) \($0)" } ?? "nil" })"
        } catch let error as NSError {
          return "\(error.code) \(error.userInfo["reason"] ?? "")"
        }
      }
      for value in Self.values {
        let whole = outcome(NSBatchInsertRequest(entityName: "Row", objects: [["value": value]]))
        var isOver = false
        let handled = outcome(
          NSBatchInsertRequest(
            entityName: "Row",
            dictionaryHandler: { row in
              if isOver { return true }
              isOver = true
              row["value"] = value
              #expect("\(row["value"] ?? "nil")" == "\(value)")
              return false
            }))
        #expect(handled == whole, "\(Swift.type(of: value))")
      }
    }
  }

  /// A dictionary that a handler keeps has its values for good; what is taken out of one, the default.
  @Test func keptDictionariesAndDefaults() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      var kept: [NSMutableDictionary] = []
      var next = 0
      let request = NSBatchInsertRequest(
        entityName: "Good",
        dictionaryHandler: { row in
          next += 1
          row.addEntries(from: ["code": "\(next)", "count": Int16(next), "price": 0.5])
          row["title"] = next.isMultiple(of: 3) ? 7 : "Title \(next)"
          if next.isMultiple(of: 2) { row["count"] = nil }
          if next.isMultiple(of: 3) { row["title"] = nil }
          if next.isMultiple(of: 2) { kept.append(row) }
          return next == 6
        })
      _ = try context.execute(request)
      #expect(try context.goods() == ["1:1", "2:1", "3:3", "4:1", "5:5"])
      #expect(kept.map { $0["code"] as? String } == ["2", "4", "6"])
      #expect(kept.allSatisfy { $0["count"] == nil && $0["price"] as? Double == 0.5 })
      #expect(kept.map { $0["title"] as? String } == ["Title 2", "Title 4", nil])
      kept[0]["count"] = Int32(9)
      #expect(kept[0]["count"] as? Int32 == 9 && kept[0].count == 4)
    }
  }

  @Test func aHandlersUnknownKeyIsRefused() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      let request = NSBatchInsertRequest(
        entityName: "Good",
        dictionaryHandler: { row in
          row["code"] = "a"
          row["colour"] = "red"
          return false
        })
      let error = #expect(throws: NSError.self) { try context.execute(request) }
      let reason = try #require(error?.userInfo["reason"] as? String)
      #expect(reason.contains("colour"))
      #expect(try context.goods().isEmpty)
    }
  }

  @Test func aHandlerIsCalledOncePerRowAndOnceMoreToEnd() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      var calls = 0
      let request = NSBatchInsertRequest(
        entityName: "Good",
        dictionaryHandler: { row in
          calls += 1
          row["code"] = "row \(calls)"
          row["count"] = calls
          return calls == 4
        })
      _ = try context.execute(request)
      #expect(calls == 4)
      #expect(try context.goods() == ["row 1:1", "row 2:2", "row 3:3"])
    }
  }

  @Test func anObjectHandlerFillsOneObjectAnewForEachRowOfASubentityToo() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { (context) throws in
      let toy = try #require(stack.coordinator.managedObjectModel.entitiesByName["Toy"])
      var calls = 0
      var seen: [Int] = []
      let request = NSBatchInsertRequest(
        entity: toy,
        managedObjectHandler: { object in
          calls += 1
          seen.append(object.value(forKey: "count") as? Int ?? -1)
          object.setValue("toy \(calls)", forKey: "code")
          object.setValue(calls * 10, forKey: "count")
          return calls == 3
        })
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      let ids = try #require(result?.result as? [NSManagedObjectID])
      #expect(ids.map(\.entity.name) == ["Toy", "Toy"])
      #expect(seen == [1, 1, 1])
      #expect(try context.goods() == ["toy 1:10", "toy 2:20"])
    }
  }

  @Test func anUnknownKeyAWrongValueAndAMissingMandatoryOneInsertNothing() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      let wrong: [[String: Any]] = [["code": "b", "shoe": 1], ["code": 7], ["title": "no code"]]
      for row in wrong {
        #expect(throws: NSError.self) { try context.insertGoods([["code": "a"], row]) }
      }
      let error = #expect(throws: NSError.self) { try context.insertGoods([["title": "x"]]) }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(try context.goods() == [])
    }
  }

  @Test func aUniqueValueThatIsThereIsSettledByTheMergePolicy() throws {
    let stack = try BatchModel.makeStack()
    func run(_ policy: NSMergePolicy) throws -> ([String], [String]) {
      try stack.withContext { (context) throws in
        let old = try context.execute(
          NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Good")))
        #expect((old as? NSBatchDeleteResult)?.result as? Bool == true)
        let first = try context.insertGoods([["code": "a", "title": "old", "count": 5]])
        context.mergePolicy = policy
        let ids = try context.insertGoods([["code": "a", "title": "new"], ["code": "b"]])
        #expect(policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType || ids[0] == first[0])
        let object = try context.existingObject(with: first[0])
        return (try context.goods(), [object.value(forKey: "title") as? String ?? ""])
      }
    }
    let error = #expect(throws: NSError.self) { try run(.error) }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(try run(.mergeByPropertyObjectTrump) == (["a:5", "b:1"], ["new"]))
    #expect(try run(.overwrite) == (["a:1", "b:1"], ["new"]))
    #expect(try run(.mergeByPropertyStoreTrump) == (["a:5", "b:1"], ["old"]))
  }

  @Test func aStoreInMemoryHasNoBatchRequests() throws {
    try TestStack(.inMemory).withContext { (context) throws in
      let requests: [NSPersistentStoreRequest] = [
        NSBatchInsertRequest(entityName: "Item", objects: [["title": "x"]]),
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Item>(entityName: "Item")),
      ]
      for request in requests {
        let error = #expect(throws: NSError.self) { try context.execute(request) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      }
      context.makeItem("nothing was done")
      try context.save()
    }
  }

  @Test func contextsAndListsLearnOfABatchByARemoteMerge() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      let delegate = CountingDelegate()
      list.delegate = delegate
      try list.performFetch()
      let ids = try context.insertGoods([["code": "b"], ["code": "a"]])
      #expect(list.fetchedObjects?.count == 0 && delegate.changes == 0)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [context])
      #expect(
        list.fetchedObjects?.map { $0.value(forKey: "code") as? String } == ["a", "b"])
      let update = NSBatchUpdateRequest(entityName: "Good")
      update.propertiesToUpdate = ["count": 9]
      update.resultType = .updatedObjectIDsResultType
      let updated = try context.execute(update) as? NSBatchUpdateResult
      #expect(list.fetchedObjects?.first?.value(forKey: "count") as? Int == 1)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: updated?.result as Any], into: [context])
      #expect(list.fetchedObjects?.first?.value(forKey: "count") as? Int == 9)
      let delete = NSBatchDeleteRequest(objectIDs: [ids[1]])
      delete.resultType = .resultTypeObjectIDs
      let deleted = try context.execute(delete) as? NSBatchDeleteResult
      let urls = (deleted?.result as? [NSManagedObjectID])?.map { $0.uriRepresentation() }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: urls as Any], into: [context])
      #expect(list.fetchedObjects?.map { $0.value(forKey: "code") as? String } == ["b"])
      #expect(delegate.changes == 3)
    }
  }
}

private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
  var changes = 0

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) { changes += 1 }
}
