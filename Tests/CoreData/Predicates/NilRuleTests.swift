import CoreData
import Testing

@testable import CoreDataSamples

/// What a comparison with nil means: in fetches, to unsaved objects, in lists that follow a context, and by
/// the option that chooses the rule of memory.
@Suite struct NilRuleTests {
  private struct Stack {
    let stack: TestStack
    let context: NSManagedObjectContext

    init(_ kind: StoreKind, asInMemory: Bool, isSaved: Bool) throws {
      stack = try TestStack(
        kind, model: ThingModel.make(),
        options: [OpenCoreDataComparesNilAsInMemoryOption: asInMemory])
      let context = stack.makeContext()
      self.context = context
      try context.performAndWait {
        for (number, text) in ["a", "b", nil].enumerated() {
          let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
          thing.setValue(number, forKey: "number")
          thing.setValue(text, forKey: "text")
          thing.setValue(number == 2 ? nil : number, forKey: "small")
        }
        if isSaved { try context.save() }
      }
    }

    func numbers(_ format: String) throws -> [Int] {
      try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
      }
    }

    func listed(_ format: String) throws -> [Int] {
      try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
          cacheName: nil)
        try controller.performFetch()
        let everything = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        for thing in try context.fetch(everything) { thing.setValue(true, forKey: "flag") }
        context.processPendingChanges()
        return (controller.fetchedObjects ?? []).compactMap { $0.value(forKey: "number") as? Int }
      }
    }
  }

  static let cases: [(format: String, bySQL: [Int], inMemory: [Int])] = [
    ("text != 'a'", [1], [1, 2]), ("NOT (text == 'a')", [1], [1, 2]),
    ("text !=[cd] 'A'", [1], [1, 2]), ("NOT (text IN {'a'})", [1], [1, 2]),
    ("NOT (text CONTAINS 'a')", [1], [1, 2]), ("NOT (small > 0)", [0], [0, 2]),
    ("text != other", [], [0, 1]), ("text == other", [], [2]),
    ("parent == nil", [0, 1, 2], [0, 1, 2]),
    ("parent.text == text", [], [2]), ("small >= medium", [], [2]), ("small != 1", [0], [0, 2]),
    ("NOT (small BETWEEN {1, 5})", [0], [0, 2]), ("text != 1", [0, 1], [0, 1, 2]),
    ("text == nil", [2], [2]), ("text != nil", [0, 1], [0, 1]),
    ("NONE tags.name == 'a'", [0, 1, 2], [0, 1, 2]),
    ("text !=[l] 'a'", [1], [1, 2]),
  ]

  @Test(arguments: StoreKind.all, [true, false])
  func fetchesAndListsFollowTheRuleOfTheStore(_ kind: StoreKind, _ isSaved: Bool) throws {
    for asInMemory in [true, false] {
      let stack = try Stack(kind, asInMemory: asInMemory, isSaved: isSaved)
      for (format, bySQL, inMemory) in Self.cases {
        let expected = asInMemory ? inMemory : bySQL
        #expect(try stack.numbers(format) == expected, "\(format), as in memory: \(asInMemory)")
        #expect(try stack.listed(format) == expected, "\(format), as in memory: \(asInMemory)")
      }
    }
  }

  @Test func evaluationKeepsTheRuleOfMemory() throws {
    let stack = try Stack(.sqlite, asInMemory: false, isSaved: true)
    try stack.context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      let things = try stack.context.fetch(request)
      for (format, _, inMemory) in Self.cases {
        let predicate = NSPredicate(format: format)
        let found = things.filter { predicate.evaluate(with: $0) }
        #expect(
          found.compactMap { $0.value(forKey: "number") as? Int }.sorted() == inMemory, "\(format)")
      }
    }
  }
}
