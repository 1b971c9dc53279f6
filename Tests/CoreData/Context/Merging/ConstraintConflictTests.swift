import CoreData
import Testing

@testable import CoreDataSamples

/// Uniqueness constraints, which SQLite stores keep.
@Suite struct ConstraintConflictTests {
  /// A good with the code "a", five times, titled "old", in the shop "old shop"; its ID.
  private func makeStack() throws -> (TestStack, NSManagedObjectID) {
    let stack = try BatchModel.makeStack()
    let id = try stack.withContext { context in
      let shop = context.insert("Shop", ["name": "old shop"])
      let good = context.insert("Good", ["code": "a", "count": 5, "title": "old", "shop": shop])
      try context.save()
      return good.objectID
    }
    return (stack, id)
  }

  @Test func theErrorPolicyNamesTheObjectsOfBothSides() throws {
    let (stack, id) = try makeStack()
    try stack.withContext { context in
      let new = context.insert("Good", ["code": "a", "count": 7])
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      let conflict = try #require(list?.first)
      #expect(list?.count == 1 && conflict.constraint == ["code"])
      #expect(conflict.constraintValues["code"] as? String == "a")
      #expect(conflict.databaseObject?.objectID == id)
      #expect(conflict.databaseSnapshot?["count"] as? Int == 5)
      #expect(conflict.conflictingObjects == [new])
      #expect(conflict.conflictingSnapshots.first?["count"] as? Int == 7)
      #expect(conflict.description.contains("NSConstraintConflict for constraint (\n    code\n)"))
      #expect(context.insertedObjects == [new])
    }
  }

  @Test func aRollbackTakesOutWhatViolatedAConstraint() throws {
    let (stack, _) = try makeStack()
    try stack.withContext { context in
      let new = context.insert("Good", ["code": "a"])
      #expect(throws: NSError.self) { try context.save() }
      let id = new.objectID
      context.rollback()
      #expect(!context.hasChanges && context.registeredObject(for: id) == nil)
      try context.save()
    }
  }

  @Test func theStoredRowKeepsItsIDAndTakesValuesByThePolicy() throws {
    let expected: [(NSMergePolicy, String, Int, Double?)] = [
      (.mergeByPropertyObjectTrump, "nil", 7, 2), (.overwrite, "nil", 7, 2),
      (.mergeByPropertyStoreTrump, "old", 5, 2), (.rollback, "old", 5, nil),
    ]
    for (policy, title, count, price) in expected {
      let (stack, id) = try makeStack()
      try stack.withContext { context in
        let label = context.insert("Label", ["name": "new label"])
        let new = context.insert("Good", ["code": "a", "count": 7, "price": 2.0])
        new.mutableSetValue(forKey: "labels").add(label)
        context.mergePolicy = policy
        try context.save()
        #expect(!new.isInserted && !context.hasChanges)
        let good = try context.existingObject(with: id)
        #expect(good.value(forKey: "title") as? String ?? "nil" == title)
        #expect(good.value(forKey: "count") as? Int == count)
        #expect(good.value(forKey: "price") as? Double == price)
        // What led to the new object leads to the stored one.
        #expect(label.value(forKey: "goods") as? Set<NSManagedObject> == [good])
      }
      #expect(try stack.withContext { try $0.number(of: "Good") } == 1)
    }
  }

  @Test func aToOneRelationshipIsAValueToo() throws {
    let (stack, id) = try makeStack()
    try stack.withContext { context in
      let shop = context.insert("Shop", ["name": "new shop"])
      context.insert("Good", ["code": "a", "shop": shop])
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      let good = try context.existingObject(with: id)
      #expect(good.value(forKey: "shop") as? NSManagedObject === shop)
      #expect(shop.value(forKey: "goods") as? Set<NSManagedObject> == [good])
    }
  }

  @Test func severalNewObjectsBecomeOne() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      let label = context.insert("Label")
      let first = context.insert("Good", ["code": "x", "count": 1])
      let second = context.insert("Good", ["code": "x", "count": 2, "title": "second"])
      second.mutableSetValue(forKey: "labels").add(label)
      let error = try #require(throws: NSError.self) { try context.save() }
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(list?.first?.databaseObject == nil)
      #expect(list?.first?.conflictingObjects == [first, second])
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      // The last goes before the others.
      #expect(try context.goods() == ["x:2"])
      #expect(first.value(forKey: "title") as? String == "second")
      #expect(label.value(forKey: "goods") as? Set<NSManagedObject> == [first])
    }
  }

  /// As if each had been saved by itself: what becomes of three new objects of one value, of attributes, of a relationship to
  /// one and one to many.
  @Test func severalNewObjectsAreMergedInTheirOrder() throws {
    let expected: [(NSMergePolicy, count: Int, title: String, shop: String?)] = [
      (.mergeByPropertyObjectTrump, 3, "nil", "second"), (.overwrite, 3, "nil", nil),
      (.mergeByPropertyStoreTrump, 1, "second", "second"), (.rollback, 1, "nil", nil),
    ]
    for (policy, count, title, shop) in expected {
      let stack = try BatchModel.makeStack()
      try stack.withContext { context in
        context.mergePolicy = policy
        let first = context.insert("Good", ["code": "x", "count": 1])
        let second = context.insert("Good", ["code": "x", "count": 2, "title": "second"])
        second.setValue(context.insert("Shop", ["name": "second"]), forKey: "shop")
        let third = context.insert("Good", ["code": "x", "count": 3])
        let labels = [first, second, third].map { good in
          let label = context.insert("Label")
          good.mutableSetValue(forKey: "labels").add(label)
          return label
        }
        try context.save()
        #expect(first.value(forKey: "count") as? Int == count)
        #expect(first.value(forKey: "title") as? String ?? "nil" == title)
        let place = first.value(forKey: "shop") as? NSManagedObject
        #expect(place?.value(forKey: "name") as? String == shop)
        #expect(first.value(forKey: "labels") as? Set<NSManagedObject> == Set(labels))
        #expect(try context.number(of: "Good") == 1)
      }
    }
  }

  /// Saved objects give their values to each other: in pairs, rings and chains, of one save.
  @Test(arguments: [[1, 0], [1, 2, 0], [1, 2, 3], [3, 2, 1, 0], [2, 0, 1, 4]])
  func savedObjectsExchangeTheirValues(_ places: [Int]) throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      let goods = places.indices.map { context.insert("Good", ["code": "c\($0)", "count": $0]) }
      try context.save()
      for (good, place) in zip(goods, places) { good.setValue("c\(place)", forKey: "code") }
      // What nobody has any more is free for a new one.
      let free = places.indices.filter { !places.contains($0) }
      for number in free { context.insert("Good", ["code": "c\(number)", "count": 10]) }
      try context.save()
      let expected = zip(places, places.indices).map { "c\($0):\($1)" } + free.map { "c\($0):10" }
      #expect(try context.goods().sorted() == expected.sorted())
      #expect(!context.hasChanges)
    }
    #expect(try stack.withContext { try $0.number(of: "Good") } >= places.count)
  }

  /// New objects that lead to each other, all of which give way: no reference leads to one that has gone.
  @Test func referencesAmongNewObjectsLeadToWhatTheyBecame() throws {
    let (stack, id) = try makeStack()
    try stack.withContext { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let others = (0..<20).map { context.insert("Good", ["code": "n\($0)"]) }
      try context.save()
      let labels = (0..<20).map { number in
        let label = context.insert("Label", ["name": "l\(number)"])
        for code in ["a", "n\(number)"] {
          context.insert("Good", ["code": code]).mutableSetValue(forKey: "labels").add(label)
        }
        return label
      }
      try context.save()
      let stored = try context.existingObject(with: id)
      #expect(stored.value(forKey: "labels") as? Set<NSManagedObject> == Set(labels))
      for (label, other) in zip(labels, others) {
        #expect(label.value(forKey: "goods") as? Set<NSManagedObject> == [stored, other])
      }
    }
  }

  @Test func aSavedObjectThatIsGivenATakenValueGivesItBackOrTakesTheRowAway() throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback]
    {
      let (stack, _) = try makeStack()
      try stack.withContext { context in
        let other = context.insert("Toy", ["code": "b", "count": 2])
        try context.save()
        other.setValue("a", forKey: "code")
        other.setValue(3, forKey: "count")
        context.mergePolicy = policy
        try context.save()
        switch policy.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType: #expect(try context.goods() == ["a:3"])
        case .rollbackMergePolicyType: #expect(try context.goods() == ["a:5", "b:2"])
        default: #expect(try context.goods() == ["a:5", "b:3"])
        }
        #expect(!context.hasChanges)
      }
    }
  }

  @Test func anImportIsMergedWithWhatIsThere() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      for number in 0..<200 { context.insert("Good", ["code": "c\(number)", "count": 1]) }
      try context.save()
    }
    try stack.withContext { context in
      for number in 100..<300 { context.insert("Good", ["code": "c\(number)", "count": 2]) }
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(try context.number(of: "Good") == 300)
      #expect(try context.goods("count == 2").count == 200)
    }
  }

  @Test func lockingConflictsComeBeforeConstraintConflicts() throws {
    let (stack, id) = try makeStack()
    let policy = RecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try stack.withContext { context in
      let good = try context.existingObject(with: id)
      good.setValue("mine", forKey: "title")
      try stack.withContext { other in
        try other.existingObject(with: id).setValue(6, forKey: "count")
        other.insert("Good", ["code": "b"])
        try other.save()
      }
      context.insert("Good", ["code": "b", "count": 9])
      context.mergePolicy = policy
      try context.save()
      #expect(policy.calls == ["locking 1", "constraint 1"])
      #expect(try context.goods() == ["a:6", "b:9"])
    }
  }
}

// Unchecked: used by one test on one queue.
private final class RecordingPolicy: NSMergePolicy, @unchecked Sendable {
  var calls: [String] = []

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    calls.append("locking \(list.count)")
    try super.resolve(optimisticLockingConflicts: list)
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    calls.append("constraint \(list.count)")
    try super.resolve(constraintConflicts: list)
  }
}
