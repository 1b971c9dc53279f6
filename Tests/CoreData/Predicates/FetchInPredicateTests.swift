import CoreData
import Testing

@testable import CoreDataSamples

/// FETCH in a predicate, sorts, and what has no SQL.
@Suite struct FetchInPredicateTests {
  private func withThings(
    _ kind: StoreKind = .sqlite, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      for (number, text) in ["b", "item 10", "É", "item 9", nil, "a", "é"].enumerated() {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(text, forKey: "text")
      }
      try context.save()
      try body(context)
    }
  }

  private func request(_ format: String? = nil, _ arguments: Any...) -> NSFetchRequest<
    NSManagedObject
  > {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
    return request
  }

  private func numbers(
    _ request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext
  ) throws -> [Int] {
    try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
  }

  @Test(arguments: StoreKind.all) func aFetchInAPredicateIsASubquery(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      let inner = request("text BEGINSWITH 'item'")
      let inside = try numbers(request("SELF IN FETCH(%@, %@, NO)", inner, context), context)
      #expect(inside == [1, 3])
      let outside = try numbers(
        request("NOT (SELF IN FETCH(%@, %@, NO))", inner, context), context)
      #expect(outside == [0, 2, 4, 5, 6])
      let counted = try numbers(request("number == FETCH(%@, %@, YES)", inner, context), context)
      #expect(counted == [2])
      let last = request()
      last.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      last.fetchLimit = 1
      #expect(try numbers(request("SELF IN FETCH(%@, %@, NO)", last, context), context) == [6])
    }
  }

  @Test func aFetchRequestExpressionIsSuchASubquery() throws {
    try withThings { context in
      let inner = request("text BEGINSWITH 'item'")
      let fetch = NSFetchRequestExpression.expression(
        forFetch: NSExpression(forConstantValue: inner),
        context: NSExpression(forConstantValue: context), countOnly: false)
      #expect(fetch.expressionType == NSFetchRequestExpressionType)
      let typed = try #require(fetch as? NSFetchRequestExpression)
      #expect(typed.requestExpression.constantValue as AnyObject === inner)
      #expect(typed.contextExpression.constantValue as AnyObject === context)
      #expect(!typed.isCountOnlyRequest)
      let outer = request()
      outer.predicate = NSComparisonPredicate(
        leftExpression: .expressionForEvaluatedObject(), rightExpression: fetch,
        modifier: .direct, type: .in, options: [])
      #expect(try numbers(outer, context) == [1, 3])
    }
  }

  /// A fetch asks the store alone; what is evaluated by itself asks the context.
  @Test(arguments: StoreKind.all)
  func unsavedObjectsAreJudgedByWhatIsStored(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      let new = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      new.setValue(2, forKey: "number")
      new.setValue("item 11", forKey: "text")
      let inner = request("text BEGINSWITH 'item'")
      let inside = request("SELF IN FETCH(%@, %@, NO)", inner, context)
      let outside = request("NOT (SELF IN FETCH(%@, %@, NO))", inner, context)
      let counted = request("number == FETCH(%@, %@, YES)", inner, context)
      let found = try [inside, outside, counted].map { try numbers($0, context) }
      #expect(found == [[1, 3], [0, 2, 4, 5, 6, 2], [2, 2]])
      let evaluated = [inside, outside, counted].map { $0.predicate?.evaluate(with: new) }
      #expect(evaluated == [true, false, false])
      try context.save()
      let saved = try [inside, outside, counted].map { try numbers($0, context) }
      #expect(saved == [[1, 3, 2], [0, 2, 4, 5, 6], [3]])
    }
  }

  @Test(arguments: StoreKind.all) func aListAsksTheStoreToo(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      let inner = request("text BEGINSWITH 'item'")
      let listed = request("NOT (SELF IN FETCH(%@, %@, NO))", inner, context)
      listed.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: listed, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      try controller.performFetch()
      let everything = try context.fetch(request())
      for thing in everything { thing.setValue(true, forKey: "flag") }
      context.processPendingChanges()
      let numbers = (controller.fetchedObjects ?? []).map { $0.value(forKey: "number") as? Int }
      #expect(numbers == [0, 2, 4, 5, 6])
    }
  }

  @Test(arguments: StoreKind.all) func aFetchOfNothingIsAnError(_ kind: StoreKind) throws {
    try withThings(kind) { context in
      let text = try reason { try context.fetch(request("SELF IN FETCH(1, 2, NO)")) }
      #expect(text.contains("a FETCH without a fetch request"))
    }
  }

  @Test(arguments: [
    ("compare:", [4, 5, 0, 1, 3, 2, 6]), ("caseInsensitiveCompare:", [4, 5, 0, 1, 3, 2, 6]),
    ("localizedStandardCompare:", [4, 5, 0, 6, 2, 3, 1]),
    ("localizedCompare:", [4, 5, 0, 6, 2, 1, 3]),
  ])
  func sortsByAnySelector(_ selector: String, _ expected: [Int]) throws {
    try withThings { context in
      let request = request()
      request.sortDescriptors = [
        NSSortDescriptor(key: "text", ascending: true, selector: Selector(selector))
      ]
      let fetched = try numbers(request, context)
      #expect(fetched == expected)
      context.refreshAllObjects()
      let everything = try context.fetch(self.request())
      let sorted = (everything as NSArray).sortedArray(using: request.sortDescriptors ?? [])
      #expect(
        sorted.compactMap { ($0 as? NSManagedObject)?.value(forKey: "number") as? Int } == expected)
    }
  }

  @Test func aComparatorIsAnError() throws {
    try withThings { context in
      let request = request()
      request.sortDescriptors = [
        NSSortDescriptor(key: "text", ascending: true) { _, _ in .orderedSame }
      ]
      let comparator = try reason { try context.fetch(request) }
      #expect(comparator.contains("comparator blocks are not supported"))
      request.sortDescriptors = [NSSortDescriptor(key: "children.text", ascending: true)]
      let toMany = try reason { try context.fetch(request) }
      #expect(toMany.contains("to-many key not allowed here"))
    }
  }

  @Test func whatHasNoSQLIsNamed() throws {
    try withThings { context in
      for (format, part) in [
        ("FUNCTION(text, 'uppercaseString') == 'A'", "Unsupported function expression FUNCTION"),
        ("randomn:(3) == number", "Unsupported function expression randomn:"),
        ("children == 1", "to-many key not allowed here"),
        ("children[0] == nil", "[SIZE]"), ("small > nil", "nil RHS"),
        ("nonsense == 1", "keypath nonsense not found in entity Thing"),
        ("children UNION tags == nil", "UNION"), ("text isKindOfClass: 'a'", "selector"),
      ] {
        let text = try reason { try context.fetch(request(format)) }
        #expect(text.contains(part), "\(format): \(text)")
      }
      let block = request()
      block.predicate = NSPredicate { _, _ in true }
      let text = try reason { try context.fetch(block) }
      #expect(text.contains("a block"))
    }
  }

  /// What a row has one of, ANY and ALL leave as it is: clients write `ANY id IN %@`.
  @Test func anyOfAValueOfTheRowIsTheValue() throws {
    try withThings { context in
      let things = try context.fetch(request())
      things.first?.setValue(things.last, forKey: "parent")
      try context.save()
      for (format, argument, expected) in [
        ("ANY text IN %@", ["a", "b"], [0, 5]), ("ANY number == %@", 3, [3]),
        ("ALL number < %@", 2, [0, 1]), ("NONE number < %@", 5, [5, 6]),
      ] as [(String, Any, [Int])] {
        #expect(try numbers(request(format, argument), context) == expected, "\(format)")
      }
      let parent = try #require(things.first?.value(forKey: "parent"))
      let found = try context.fetch(request("ANY parent == %@", parent))
      #expect(found == things.first.map { [$0] })
    }
  }

  private func reason(_ body: () throws -> [NSManagedObject]) throws -> String {
    let error = #expect(throws: NSError.self) { _ = try body() }
    return try #require(error?.userInfo["reason"] as? String)
  }
}
