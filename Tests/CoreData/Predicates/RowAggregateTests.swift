import CoreData
import Testing

@testable import CoreDataSamples

/// `age == max(age)` in a fetch is about all objects of its entity.
@Suite struct RowAggregateTests {
  private func withThings(
    _ kind: StoreKind, isSaved: Bool = true, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      var parent: NSManagedObject?
      for (number, small) in [3, 1, nil, 7, 7, -2].enumerated() {
        let thing = NSEntityDescription.insertNewObject(
          forEntityName: number == 3 ? "Special" : "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(small, forKey: "small")
        thing.setValue(["b", "c", nil, "a", "é", "c"][number], forKey: "text")
        thing.setValue(parent, forKey: "parent")
        parent = thing
      }
      if isSaved { try context.save() }
      try body(context)
    }
  }

  private func numbers(
    _ format: String, _ context: NSManagedObjectContext, includesSubentities: Bool = true
  ) throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = NSPredicate(format: format)
    request.includesSubentities = includesSubentities
    return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
  }

  @Test(arguments: StoreKind.all, [true, false])
  func theyAreComputedOfAllObjects(_ kind: StoreKind, _ isSaved: Bool) throws {
    try withThings(kind, isSaved: isSaved) { context in
      for (format, expected) in [
        ("small == max(small)", [3, 4]), ("SELF.small == max:(SELF.small)", [3, 4]),
        ("small == min(small)", [5]), ("small > average(small)", [3, 4]),
        ("number == count(small)", [5]), ("small == max(small) AND number < 4", [3]),
        ("text == max(text)", [4]), ("NOT (small < max(small))", [3, 4]),
        ("small == max(parent.small)", [3, 4]), ("number + 11 == sum(small)", [5]),
        ("small + 8 == max(small + 1)", []), ("small + 1 == max(small + 1)", [3, 4]),
        ("SUBQUERY(children, $c, $c.small == max(small)).@count > 0", [2, 3]),
      ] {
        let found = try numbers(format, context)
        #expect(found == expected, "\(format)")
      }
      let own = try numbers("small == max(small)", context, includesSubentities: false)
      #expect(own == [4])
    }
  }

  @Test(arguments: StoreKind.all) func pendingChangesCount(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      let new = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      new.setValue(6, forKey: "number")
      new.setValue(9, forKey: "small")
      #expect(try numbers("small == max(small)", context) == [6])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: "small == max(small)")
      #expect(try context.count(for: request) == 1)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      try context.save()
      #expect(try numbers("small == max(small)", context) == [6])
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func aSingleValueOfAMemberHasNothingToBeComputedOf(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      #expect(throws: NSError.self) {
        _ = try numbers("SUBQUERY(children, $c, max($c.small) > 0).@count > 0", context)
      }
    }
  }

  @Test func aListThatFollowsChangesCannotHaveThem() throws {
    try withThings(.sqlite) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: "small == max(small)")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      #expect(throws: NSError.self) { try controller.performFetch() }
    }
  }
}
