import CoreData
import Testing

@testable import CoreDataSamples

/// Keys of values in fetches, `name.length`: what key-value coding knows of them, in every store.
@Suite struct ValuePropertyTests {
  private static let cases: [(format: String, expected: [Int])] = [
    ("text.length > 2", [0]), ("text.length == 0", [1]), ("text.length == 1", [3]),
    ("NOT (text.length > 0)", [1]), ("text.lowercaseString == 'abc'", [0]),
    ("text.uppercaseString BEGINSWITH 'A'", [0]), ("text.capitalizedString == 'Abc'", [0]),
    ("text.uppercaseString.length == 3", [0]), ("text.intValue == 7", [3]),
    ("text.doubleValue > 6.5", [3]), ("text.boolValue == YES", [3]),
    ("parent.text.length == 3", [1]), ("ANY children.text.length == 0", [0]),
    ("children.@max.text.length == 0", [0]),
    ("SUBQUERY(children, $c, $c.text.length < text.length).@count > 0", [0]),
    ("small.stringValue == '1'", [1]), ("small.intValue == 1", [1]),
    ("date.timeIntervalSinceReferenceDate == 2", [2]),
    ("date.timeIntervalSince1970 > 978307201", [2, 3]),
    ("link.absoluteString ENDSWITH 'x'", [0]), ("link.host == 'a.example'", [0]),
    ("link.scheme == 'http'", [0]), ("data.length == 2", [0]),
    ("uuid.UUIDString BEGINSWITH 'E621'", [0]), ("(uppercase:(text)).length == 3", [0]),
  ]

  private func withThings(
    _ kind: StoreKind, isSaved: Bool, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      var first: NSManagedObject?
      for (number, text) in ["aBc", "", nil, "7"].enumerated() {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(text, forKey: "text")
        thing.setValue(number, forKey: "small")
        thing.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
        if number == 0 {
          thing.setValue(URL(string: "http://a.example/x"), forKey: "link")
          thing.setValue(Data([1, 2]), forKey: "data")
          thing.setValue(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), forKey: "uuid")
        }
        if number == 1 { thing.setValue(first, forKey: "parent") }
        first = first ?? thing
      }
      if isSaved { try context.save() }
      try body(context)
    }
  }

  @Test(arguments: StoreKind.all, [true, false])
  func areTheSameInEveryStore(_ kind: StoreKind, _ isSaved: Bool) throws {
    try withThings(kind, isSaved: isSaved) { context in
      for (format, expected) in Self.cases {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        let found = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
        #expect(found.sorted() == expected, "\(format)")
      }
    }
  }

  @Test(arguments: StoreKind.builtIn) func objectsAreSortedByThem(_ kind: StoreKind) throws {
    try withThings(kind, isSaved: true) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.sortDescriptors = [
        NSSortDescriptor(key: "text.length", ascending: false),
        NSSortDescriptor(key: "number", ascending: true),
      ]
      let found = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
      #expect(found == [0, 3, 1, 2])
    }
  }

  @Test(arguments: [
    "text.count > 0", "text.hash > 0", "small.length > 0", "parent.objectID.x == 1",
  ])
  func othersAreAnErrorThatNamesThem(_ format: String) throws {
    try withThings(.sqlite, isSaved: true) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: format)
      #expect(throws: NSError.self) { try context.fetch(request) }
    }
  }
}
