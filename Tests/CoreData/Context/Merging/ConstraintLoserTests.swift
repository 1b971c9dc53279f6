import CoreData
import Testing

@testable import CoreDataSamples

/// What becomes of the object that loses a conflict of uniqueness.
@Suite struct ConstraintLoserTests {
  /// Everything public that an object answers without a context.
  private static func answers(_ object: NSManagedObject) -> [String] {
    let keys = object.entity.propertiesByName.keys.sorted()
    func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
    var answers = [
      "isFault \(object.isFault)", "isDeleted \(object.isDeleted)",
      "isInserted \(object.isInserted)", "isUpdated \(object.isUpdated)",
      "hasChanges \(object.hasChanges)", "faultingState \(object.faultingState)",
      "context \(text(object.managedObjectContext))",
      "changedValues \(object.changedValues())",
      "changedValuesForCurrentEvent \(object.changedValuesForCurrentEvent())",
      "hasPersistentChangedValues \(object.hasPersistentChangedValues)",
      "entity \(text(object.entity.name))",
    ]
    for key in keys {
      let value = object.value(forKey: key)
      let members = (value as? NSSet).map { "\($0.count) members" }
      answers += [
        "\(key): \(members ?? text(value))",
        "\(key): committed \(text(object.committedValues(forKeys: [key])[key]))",
        "\(key): IDs \(object.objectIDs(forRelationshipNamed: key))",
        "\(key): fault \(object.hasFault(forRelationshipNamed: key))",
      ]
    }
    return answers + ["isFault \(object.isFault), once its values were asked for"]
  }

  /// An object that was deleted and saved.
  private static func deleted() throws -> [String] {
    let stack = try BatchModel.makeStack()
    return try stack.withContext { context in
      let shop = context.insert("Shop", ["name": "shop"])
      let good = context.insert("Good", ["code": "a", "count": 5, "title": "x", "shop": shop])
      try context.save()
      context.delete(good)
      try context.save()
      return answers(good)
    }
  }

  private static var policies: [NSMergePolicy] {
    [.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback]
  }

  /// Where the object is that keeps the values.
  enum Winner: CaseIterable { case inTheStore, registered, newToo }

  /// Makes a winner and a loser, and saves; in a child first if asked for.
  private static func lose(
    _ policy: NSMergePolicy, _ winner: Winner, fromChild: Bool,
    _ check: (NSManagedObjectContext, NSManagedObject) throws -> Void
  ) throws {
    let stack = try BatchModel.makeStack()
    if winner != .newToo {
      try stack.withContext { context in
        context.insert("Good", ["code": "a", "count": 1])
        try context.save()
      }
    }
    try stack.withContext { context in
      context.mergePolicy = policy
      let held =
        winner == .registered
        ? try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")) : []
      if winner == .newToo { context.insert("Good", ["code": "a", "count": 1]) }
      let values: [String: Any] = ["code": "a", "count": 2, "title": "loser"]
      var loser: NSManagedObject
      if fromChild {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        let id = try child.performAndWait {
          let new = child.insert("Good", values)
          try child.save()
          return new.objectID
        }
        loser = context.object(with: id)
      } else {
        loser = context.insert("Good", values)
      }
      loser.setValue(context.insert("Shop", ["name": "shop"]), forKey: "shop")
      try context.save()
      try check(context, loser)
      withExtendedLifetime(held) {}
    }
  }

  @Test(arguments: Winner.allCases, [false, true])
  func itIsWhatADeletedAndSavedObjectIs(_ winner: Winner, fromChild: Bool) throws {
    let expected = try Self.deleted()
    #expect(expected[0] == "isFault true" && expected[1] == "isDeleted false")
    for policy in Self.policies {
      try Self.lose(policy, winner, fromChild: fromChild) { (context, loser) throws in
        let place = "policy \(policy.mergeType.rawValue), winner \(winner)"
        #expect(!context.registeredObjects.contains(loser), "\(place)")
        #expect(context.registeredObject(for: loser.objectID) == nil, "\(place)")
        #expect(Self.answers(loser) == expected, "\(place)")
        #expect(!context.hasChanges, "\(place)")
        #expect(try context.number(of: "Good") == 1, "\(place)")
      }
    }
  }

  @Test func aListWithoutFaultsIsAListWithoutLosers() throws {
    let policy = NSMergePolicy.mergeByPropertyObjectTrump
    try Self.lose(policy, .inTheStore, fromChild: false) { (context, loser) throws in
      let winner = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")).first)
      _ = winner.value(forKey: "count")
      #expect([loser, winner].filter { !$0.isFault } == [winner])
    }
  }

  @Test func anUndoBringsTheLoserBack() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      context.insert("Good", ["code": "a", "count": 1])
      try context.save()
    }
    try stack.withContext { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let loser = context.insert("Good", ["code": "a", "count": 2])
      context.processPendingChanges()
      try context.save()
      #expect(loser.managedObjectContext == nil && loser.isFault)
      manager.undo()
      #expect(loser.isInserted && loser.value(forKey: "count") as? Int == 2)
      #expect(!loser.isFault && context.insertedObjects == [loser])
    }
  }
}
