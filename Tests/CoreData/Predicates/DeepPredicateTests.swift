import CoreData
import Testing

@testable import CoreDataSamples

/// Predicates that a program nests deeper than SQL can be.
@Suite struct DeepPredicateTests {
  #if THREAD_SANITIZER
    // It notes 65,536 calls within one another, and no more.
    private static let depth = 4_000
  #else
    private static let depth = 20_000
  #endif

  private func withThings(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let stack = try TestStack(.sqlite, model: ThingModel.make())
    try stack.withContext { context in
      for number in 0..<3 {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
      }
      try context.save()
      try body(context)
    }
  }

  private func numbers(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> [Int]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = predicate
    return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
  }

  private func reason(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> String
  {
    let error = #expect(throws: NSError.self) { _ = try numbers(predicate, context) }
    return try #require(error?.userInfo["reason"] as? String)
  }

  /// AND and OR by turns, which nothing can flatten.
  private func alternating(_ levels: Int) -> NSPredicate {
    (0..<levels).reduce(NSPredicate(format: "number == 1")) { inner, level in
      let other = NSPredicate(format: level % 2 == 0 ? "number >= 0" : "number == 7")
      return CompoundPredicate(
        type: level % 2 == 0 ? .and : .or, subpredicates: [other, inner])
    }
  }

  @Test(arguments: [20, depth / 4]) func chainsAreNoDeeperThanOne(_ levels: Int) throws {
    try withThings { context in
      let chain = (0..<levels).reduce(NSPredicate(format: "number == 1")) { inner, level in
        CompoundPredicate(
          orPredicateWithSubpredicates: [inner, NSPredicate(format: "number == %d", level + 2)])
      }
      let found = try numbers(chain, context)
      #expect(found == [1, 2])
      let twice = (0..<2 * levels).reduce(NSPredicate(format: "number == 1")) { inner, _ in
        CompoundPredicate(notPredicateWithSubpredicate: inner)
      }
      let same = try numbers(twice, context)
      #expect(same == [1])
    }
  }

  @Test func treesOfAnyShapeAreFoundOrRefused() throws {
    try withThings { context in
      let found = try numbers(alternating(16), context)
      #expect(found == [1])
      let beyondTheParser = try reason(alternating(450), context)
      #expect(beyondTheParser.contains("nested deeper"))
      let beyondBuilding = try reason(alternating(Self.depth), context)
      #expect(beyondBuilding.contains("nested deeper than 500 levels"))
      let sum = (0..<600).reduce(NSExpression(forKeyPath: "number")) { inner, _ in
        NSExpression(
          forFunction: "add:to:", arguments: [inner, NSExpression(forConstantValue: 1)])
      }
      let comparison = NSComparisonPredicate(
        leftExpression: sum, rightExpression: NSExpression(forConstantValue: 601),
        modifier: .direct, type: .equalTo, options: [])
      let deepSum = try reason(comparison, context)
      #expect(deepSum.contains("nested deeper than 500 levels"))
    }
  }
}
