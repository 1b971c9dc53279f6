import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// As much as a model, a predicate or a value may have.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct LimitsTests {
  /// More parameters than the protocol can count, and lists that are one.
  @Test(arguments: ["OR", "IN", "IN[c]"]) func seventyThousandValues(form: String) throws {
    let stack = try ServerStack()
    try stack.add("1", "70000", "no", "b")
    let texts = (1...70_000).map(String.init)
    func compare(_ value: Any, _ type: NSComparisonPredicate.Operator) -> NSPredicate {
      NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "title"),
        rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: type,
        options: form == "IN[c]" ? .caseInsensitive : [])
    }
    let predicate: NSPredicate =
      form == "OR"
      ? CompoundPredicate(orPredicateWithSubpredicates: texts.map { compare($0, .equalTo) })
      : compare(texts, .in)
    let context = stack.context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = predicate
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(
        try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["1", "70000"])
    }
  }

  @Test func noValuesAreNoReasonForAnError() throws {
    let stack = try ServerStack()
    try stack.add("a", "b")
    for (format, count) in [
      ("title IN {}", 0), ("NOT title IN {}", 2), ("pages IN {}", 0), ("date IN {}", 0),
      ("SELF IN {}", 0), ("NOT SELF IN {}", 2), ("title IN[c] {}", 0), ("ANY {} == title", 0),
    ] {
      #expect(try stack.count(format) == count, "\(format)")
    }
  }

  private func wide(
    _ count: Int, _ schema: String = TestName.make("wide")
  ) throws -> NSPersistentStoreCoordinator {
    let entity = NSEntityDescription()
    entity.name = "Wide"
    let types: [NSAttributeType] = [
      .integer64AttributeType, .stringAttributeType, .dateAttributeType, .doubleAttributeType,
      .decimalAttributeType, .booleanAttributeType, .UUIDAttributeType, .binaryDataAttributeType,
    ]
    entity.properties = (0..<count).map { number in
      let attribute = NSAttributeDescription()
      attribute.name = "attribute\(number)"
      attribute.attributeType = types[number % types.count]
      attribute.isOptional = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: schema))
    return coordinator
  }

  @Test(arguments: [1, 40]) func fiveHundredAttributes(rows: Int) throws {
    let coordinator = try wide(500)
    func context() -> NSManagedObjectContext { coordinator.makeContext() }
    let writer = context()
    let values = (0..<500).map { number -> Any in
      switch number % 8 {
      case 0: Int64(number)
      case 1: "text \(number)"
      case 2: Date(timeIntervalSinceReferenceDate: Double(number))
      case 3: Double(number) / 3
      case 4: NSDecimalNumber(string: "\(number).25")
      case 5: number.isMultiple(of: 2)
      case 6: UUID()
      default: Data([UInt8(number % 256)])
      }
    }
    try writer.performAndWait { () throws in
      for _ in 0..<rows {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Wide", into: writer)
        for (number, value) in values.enumerated() {
          object.setValue(value, forKey: "attribute\(number)")
        }
      }
      try writer.save()
    }
    let reader = context()
    try reader.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Wide")
      request.predicate = NSPredicate(format: "attribute496 == 496 AND attribute497 == 'text 497'")
      let objects = try reader.fetch(request)
      #expect(objects.count == rows)
      for (number, value) in values.enumerated() {
        let found = try #require(objects.last).value(forKey: "attribute\(number)") as? NSObject
        #expect(found == value as? NSObject || "\(found as Any)" == "Optional(\(value))")
      }
    }
  }

  @Test func moreAttributesThanColumnsAreRefusedWithAdvice() throws {
    let schema = TestName.make("wide")
    let error = #expect(throws: NSError.self) { try wide(1700, schema) }
    #expect(error?.code == CocoaError.Code.persistentStoreOpen.rawValue)
    #expect(error?.localizedFailureReason?.contains("1,600 columns") == true, "\(error as Any)")
    let server = try PostgreSQLConnection(
      ServerAddress(PostgreSQLServer.url(schema: "public")), timeout: nil)
    #expect(
      try server.query("SELECT to_regnamespace('\(schema)') IS NULL").integer(0, column: 0) != 0)
  }

  /// A thousand numbers fit into the table and not into a row of it.
  @Test func aRowThatIsTooWideIsRefusedWithAdvice() throws {
    let entity = NSEntityDescription()
    entity.name = "Wide"
    entity.properties = (0..<1200).map { number in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = ("number\(number)", .integer64AttributeType)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: TestName.make("wide_row")))
    let context = coordinator.makeContext()
    try context.performAndWait { () throws in
      let object = NSEntityDescription.insertNewObject(forEntityName: "Wide", into: context)
      for number in 0..<1200 { object.setValue(number, forKey: "number\(number)") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedFailureReason?.contains("8 KB") == true, "\(error as Any)")
      context.rollback()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Wide")) == 0)
    }
  }

  /// What is no number, without end or outside of the server's years: kept, or refused with the attribute's name.
  @Test func valuesAtTheEdges() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: TestName.make("edges")))
    func context() -> NSManagedObjectContext { coordinator.makeContext() }
    func kept(_ value: Any, _ key: String, rows: Int = 1) throws -> Any? {
      let writer = context()
      let identity = try writer.performAndWait { () throws in
        var objects: [NSManagedObject] = []
        for _ in 0..<rows {
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: writer)
          book.setValue(value, forKey: key)
          objects.append(book)
        }
        try writer.save()
        return objects[0].objectID
      }
      let reader = context()
      return try reader.performAndWait { () throws in
        try reader.existingObject(with: identity).value(forKey: key)
      }
    }
    let digits = String(repeating: "9", count: 38)
    for rows in [1, 20] {
      for text in [digits, "-\(digits)", "\(digits)e80", "1e-100", "0.\(digits)", "-0", "1e127"] {
        let number = NSDecimalNumber(string: text)
        #expect(try kept(number, "price", rows: rows) as? NSDecimalNumber == number, "\(text)")
      }
      let nothing = try kept(NSDecimalNumber.notANumber, "price", rows: rows) as? NSDecimalNumber
      #expect(nothing?.decimalValue.isNaN == true)
      for number in [
        Double.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0,
      ] {
        #expect(try kept(number, "weight", rows: rows) as? Double == number)
      }
      #expect(try kept(Double.nan, "weight", rows: rows) == nil)
      for date in [
        Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: .infinity),
        Date(timeIntervalSinceReferenceDate: -.infinity),
        Date(timeIntervalSinceReferenceDate: -210_898_425_600),
      ] {
        #expect(try kept(date, "date", rows: rows) as? Date == date)
      }
      for seconds in [1e13, -1e12, 1e300] {
        let error = #expect(throws: NSError.self) {
          try kept(Date(timeIntervalSinceReferenceDate: seconds), "date", rows: rows)
        }
        #expect(error?.localizedFailureReason?.contains("“date” of the entity “Book”") == true)
      }
    }
    let reader = context()
    try reader.performAndWait { () throws in
      func count(_ format: String, _ arguments: Any...) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try reader.count(for: request)
      }
      for seconds in [1e13, 1e300] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        // Distant past and future, minus infinity and 4713 BC; infinity is later.
        #expect(try count("date < %@", date) == 4 * 21)
        #expect(try count("date > %@", date) == 21)
      }
      #expect(try count("weight == %@", Double.infinity) == 21)
      #expect(try count("weight < %@", Double.infinity) == 4 * 21)
    }
  }
}
