import CoreData
import Testing

@testable import CoreDataSamples

/// Texts beside numbers that a predicate brings along: a fetch takes the numbers for their digits, and texts that are numbers
/// for these numbers beside one, in every store, saved or not; an object that is asked by itself does not.
@Suite struct NumberTextTests {
  private static let texts = ["9", "10", "9.5", "09", "1", "a", "2.0", nil]

  /// The numbers of the things that are found.
  static let cases: [(format: String, found: [Int])] = [
    ("text == 9", [0]), ("9 == text", [0]), ("text != 9", [1, 2, 3, 4, 5, 6]),
    ("NOT (text == 9)", [1, 2, 3, 4, 5, 6]), ("text ==[c] 9", [0]), ("text == 9.5", [2]),
    ("text == 2.0", [6]), ("text == 2", []), ("text == YES", [4]), ("text == 4 + 5", [0]),
    ("text IN {9, 10, 11}", [0, 1]), ("text IN[cd] {9, 10, 11}", [0, 1]),
    ("NOT (text IN {9, 10})", [2, 3, 4, 5, 6]), ("text IN {9, 'a'}", [0, 5]),
    ("text IN {'9', 10}", [0, 1]), ("9 IN {text}", [0]), ("{9, 10} CONTAINS text", [0, 1]),
    ("ANY {9, 10} == text", [0, 1]), ("parent.text == 9", [1, 2, 3, 4, 5, 6, 7]),
    ("parent.text IN {9, 10}", [1, 2, 3, 4, 5, 6, 7]), ("ANY children.text == 10", [0]),
    ("ANY children.text IN {10, 11}", [0]), ("children.text CONTAINS 10", [0]),
    ("10 IN children.text", [0]), ("SUBQUERY(children, $c, $c.text == 10).@count == 1", [0]),
    // Neither is brought along, or both are, or some of a list.
    ("text == number", []), ("'9' == 9", []), ("text IN {9, other}", []),
    ("text == TERNARY(number > 3, 9, 9)", []), ("number IN {'1', other}", []),
    // A number stands for the number that a text is: so hand fields over what was typed.
    ("number == '3'", [3]), ("'3' == number", [3]), ("number == ' 3 '", [3]),
    ("number == '3.0'", [3]), ("number == '+3e0'", [3]), ("number != '3'", [0, 1, 2, 4, 5, 6, 7]),
    ("NOT (number == '3')", [0, 1, 2, 4, 5, 6, 7]), ("number == 'x3'", []), ("number == ''", []),
    ("number == '0x3'", []), ("number == 'nan'", []), ("number < '2'", [0, 1]),
    ("'2' > number", [0, 1]), ("number >= '6'", [6, 7]), ("number BETWEEN {'2', '3'}", [2, 3]),
    ("number BETWEEN {'2', 3}", [2, 3]), ("number IN {'1', '2'}", [1, 2]),
    ("number IN {'1', 2, 'x'}", [1, 2]), ("{'1', '2'} CONTAINS number", [1, 2]),
    ("ANY {'1', '2'} == number", [1, 2]), ("parent.number == '0'", [1, 2, 3, 4, 5, 6, 7]),
    ("ANY children.number == '4'", [0]), ("children.number CONTAINS '4'", [0]),
    ("SUBQUERY(children, $c, $c.number == '4').@count == 1", [0]), ("children.@count == '7'", [0]),
    ("number == '9'", []), ("small == '3'", [3]), ("double == '3.5'", [3]),
    ("double > '6'", [6, 7]),
    ("float == '3.5'", [3]), ("decimal == '3.5'", [3]), ("decimal IN {'3.5', '4.5'}", [3, 4]),
    ("flag == '2'", []),
  ]

  @Test(arguments: StoreKind.builtIn, [false, true])
  func aFetchTakesNumbersForTheirDigits(_ kind: StoreKind, isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      try fill(context)
      if isSaved { try context.save() }
      for (format, found) in Self.cases {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        #expect(try context.fetch(request).numbers == found, "\(format)")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let list = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
          cacheName: nil)
        try list.performFetch()
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        for thing in all {
          thing.setValue(thing.value(forKey: "flag") as? Bool != true, forKey: "flag")
        }
        context.processPendingChanges()
        #expect((list.fetchedObjects ?? []).numbers == found, "\(format), in a list")
      }
    }
  }

  @Test func anObjectByItselfTellsTextsFromNumbers() throws {
    let stack = try TestStack(.sqlite, model: ThingModel.make())
    try stack.withContext { context in
      try fill(context)
      let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      for format in ["text == 9", "text IN {9, 10}", "9 == text", "number == '3'"] {
        let predicate = NSPredicate(format: format)
        #expect(things.allSatisfy { !predicate.evaluate(with: $0) }, "\(format)")
      }
    }
  }

  /// An order between them is an error, in SQL as in memory.
  @Test(
    arguments: [StoreKind.sqlite, .inMemory],
    ["text < 9", "text BETWEEN {1, 9}", "number < 'x'", "number BETWEEN {'1', 'x'}"])
  func textsAndNumbersHaveNoOrder(_ kind: StoreKind, _ format: String) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      try fill(context)
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: format)
      #expect(throws: (any Error).self) { try context.fetch(request) }
    }
  }

  private func fill(_ context: NSManagedObjectContext) throws {
    var first: NSManagedObject?
    for (number, text) in Self.texts.enumerated() {
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue(number, forKey: "number")
      thing.setValue(number, forKey: "small")
      for name in ["double", "float"] { thing.setValue(Double(number) + 0.5, forKey: name) }
      thing.setValue(NSDecimalNumber(value: Double(number) + 0.5), forKey: "decimal")
      thing.setValue(text, forKey: "text")
      thing.setValue(first, forKey: "parent")
      first = first ?? thing
    }
  }
}
