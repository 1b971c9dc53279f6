import CoreData
import Testing

@testable import CoreDataSamples

/// `ANY` and `ALL` over a path of to-one relationships: there is one value, compared as it would be without them, in every
/// store, saved or not, and where an object is asked by itself. In memory this was an error, or stopped the program.
@Suite struct OneValuePredicateTests {
  private static let cases: [(format: String, found: [Int])] = [
    ("ANY parent.text == 'a'", [1, 2]), ("ALL parent.text == 'a'", [1, 2]),
    ("SOME parent.text BEGINSWITH 'a'", [1, 2]), ("ANY parent.text != 'b'", [1, 2]),
    ("NOT (ANY parent.text == 'a')", [4]), ("NONE parent.text == 'a'", [4]),
    ("ANY parent.parent.text == 'a'", [4]), ("ANY parent.text IN {'a', 'x'}", [1, 2]),
    ("ANY parent.number > 0", [4]), ("ANY parent.number BETWEEN {0, 1}", [1, 2, 4]),
    ("ANY text == 'b'", [1]), ("ALL number < 2", [0, 1]), ("ANY parent.text == nil", [0, 3]),
    ("ANY SELF.parent.text == 'a'", [1, 2]), ("ANY parent != nil", [1, 2, 4]),
    ("SUBQUERY(children, $c, ANY $c.parent.text == 'a').@count == 2", [0]),
    ("SUBQUERY(children, $c, NOT (ANY $c.parent.parent.text == 'a')).@count > 0", []),
    // To-many ones are what they were.
    ("ANY children.text == 'b'", [0]), ("ANY parent.children.text == 'b'", [1, 2]),
    ("NOT (ANY parent.children.text == 'b')", [0, 3, 4]), ("ALL children.number > 5", [2, 3, 4]),
  ]

  @Test(arguments: StoreKind.all.filter { !$0.evaluatesItself }, [false, true])
  func isComparedAsItIs(_ kind: StoreKind, isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      try fill(context)
      if isSaved { try context.save() }
      for (format, found) in Self.cases {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        #expect(try context.fetch(request).numbers == found, "\(format)")
        // With an object that has changed beside those of the store.
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        for thing in all {
          thing.setValue(thing.value(forKey: "flag") as? Bool != true, forKey: "flag")
        }
        #expect(try context.fetch(request).numbers == found, "\(format), edited")
      }
    }
  }

  @Test func anObjectByItselfAnswersToo() throws {
    let stack = try TestStack(.inMemory, model: ThingModel.make())
    try stack.withContext { context in
      try fill(context)
      let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      let predicate = NSPredicate(format: "ANY parent.text == 'a'")
      #expect(all.filter { predicate.evaluate(with: $0) }.numbers == [1, 2])
      #expect(predicate.evaluate(with: ["parent": ["text": "a"]]))
      #expect(!predicate.evaluate(with: ["parent": ["text": "b"]]))
      #expect(predicate.evaluate(with: ["parent": ["text": ["b", "a"]]]))
    }
  }

  private func fill(_ context: NSManagedObjectContext) throws {
    let parents: [Int?] = [nil, 0, 0, nil, 1]
    var things: [NSManagedObject] = []
    for (number, parent) in parents.enumerated() {
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue(number, forKey: "number")
      thing.setValue(["a", "b", "c", nil, "e"][number], forKey: "text")
      thing.setValue(parent.map { things[$0] }, forKey: "parent")
      things.append(thing)
    }
  }
}
