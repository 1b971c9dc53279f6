import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Numbers mean the same in every store: sums, averages and comparisons, at the borders of their types.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct NumbersTests {
  private static let types: [(name: String, type: NSAttributeType)] = [
    ("short", .integer16AttributeType), ("int", .integer32AttributeType),
    ("long", .integer64AttributeType), ("ratio", .doubleAttributeType),
    ("float", .floatAttributeType), ("salary", .decimalAttributeType),
  ]

  private static func model() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Number"
    entity.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  /// One store of each kind.
  private func stores() throws -> (contexts: [NSManagedObjectContext], folder: TestFolder) {
    let folder = try TestFolder()
    let name = "f\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    let places: [(NSPersistentStore.StoreType, URL)] = [
      (.inMemory, URL(fileURLWithPath: "/dev/null")), (.sqlite, folder.file("numbers.sqlite")),
      (.postgreSQL, try PostgreSQLServer.url(schema: name)),
    ]
    let contexts = try places.map { type, url in
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      try coordinator.addPersistentStore(type: type, at: url)
      let context = coordinator.makeContext()
      return context
    }
    return (contexts, folder)
  }

  private func fill(
    _ context: NSManagedObjectContext, _ attribute: String, _ values: [Any?]
  ) throws {
    try context.performAndWait {
      let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Number")
      for object in try context.fetch(all) {
        if let object = object as? NSManagedObject { context.delete(object) }
      }
      for value in values {
        NSEntityDescription.insertNewObject(forEntityName: "Number", into: context)
          .setValue(value, forKey: attribute)
      }
      try context.save()
    }
  }

  private static let border = 9_007_199_254_740_992

  private static func values(_ type: NSAttributeType) -> [[Any?]] {
    func decimal(_ text: String) -> Any? { NSDecimalNumber(string: text) }
    switch type {
    case .integer16AttributeType: return [[1, 2, nil], [32767, 32767], [-32768, 5]]
    case .integer32AttributeType: return [[1, 2, nil], [2_147_483_647, 2_147_483_647], [-5]]
    case .integer64AttributeType:
      return [
        [1, 2, nil], [border, 1], [border + 1, 1, 1], [Int.max], [Int.max, -1], [Int.min, 1],
        [Int.max / 2, Int.max / 2, -Int.max / 2], [Int.max, 1], [Int.min, -1],
        [Int.max, Int.max, Int.max],
      ]
    case .decimalAttributeType:
      return [
        [decimal("0.1"), decimal("0.2"), nil], [decimal("0.3")],
        [decimal("12345678.91"), decimal("0.09"), decimal("-1")],
        [decimal("1"), decimal("2"), decimal("2")],
      ]
    case .floatAttributeType: return [[0.1, 0.2, 0.3, nil], [1e30, -1e30], [16_777_216.0, 1.0]]
    default: return [[0.1, 0.2, 0.3, nil], [1e300, -1e300], [Double(border), 1], [-0.5]]
    }
  }

  // MARK: - Functions

  @Test(arguments: [
    NSAttributeType.undefinedAttributeType, .integer64AttributeType, .doubleAttributeType,
    .decimalAttributeType,
  ])
  func functionsComeToTheSame(_ promised: NSAttributeType) throws {
    let (contexts, folder) = try stores()
    try withExtendedLifetime(folder) {
      for (name, type) in Self.types {
        // What is no integer is none by promise.
        let isWhole = name == "short" || name == "int" || name == "long"
        if promised == .integer64AttributeType, !isWhole { continue }
        for values in Self.values(type) {
          for context in contexts { try fill(context, name, values) }
          for function in ["sum:", "average:", "min:", "max:", "count:"] {
            if promised == .integer64AttributeType, function == "average:" { continue }
            let results = contexts.map { result(function, name, promised, $0) }
            for other in results.dropFirst() {
              #expect(other == results[0], "\(function) \(values) of \(name) as \(promised)")
            }
          }
        }
      }
    }
  }

  private func result(
    _ function: String, _ attribute: String, _ type: NSAttributeType,
    _ context: NSManagedObjectContext
  ) -> String {
    let column = NSExpressionDescription()
    column.name = "result"
    column.expression = NSExpression(
      forFunction: function, arguments: [NSExpression(forKeyPath: attribute)])
    column.expressionResultType = type
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Number")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [column]
    return context.performAndWait {
      do {
        let found = try context.fetch(request).first as? NSDictionary
        switch found?["result"] {
        case let decimal as NSDecimalNumber: return "decimal \(decimal)"
        case let number as NSNumber where CFNumberIsFloat(number): return "\(number.doubleValue)"
        case let number?: return "\(number)"
        case nil: return "nil"
        }
      } catch { return "error" }
    }
  }

  private func CFNumberIsFloat(_ number: NSNumber) -> Bool {
    ["d", "f"].contains(String(cString: number.objCType))
  }

  @Test func whatDoesNotFitIsAnErrorEverywhere() throws {
    let (contexts, folder) = try stores()
    try withExtendedLifetime(folder) {
      for context in contexts {
        try fill(context, "long", [Int.max, 1])
        #expect(result("sum:", "long", .integer64AttributeType, context) == "error")
        try fill(context, "long", [Self.border, 1])
        #expect(
          result("sum:", "long", .integer64AttributeType, context) == "\(Self.border + 1)")
      }
    }
  }

  // MARK: - Comparisons

  private static var constants: [Any] {
    [
      border, border + 1, border - 1, -border - 1, Int.max, Int.min, 0, 1, 0.3, 0.1 + 0.2,
      Double(border), 0x1p63, -0x1p63, 1e300, NSDecimalNumber(string: "0.3"),
      NSDecimalNumber(string: "9007199254740993"),
    ]
  }

  private static var stored: [(String, [Any])] {
    [
      ("long", [border, border + 1, border - 1, -border - 1, Int.max, Int.min, 0, 1]),
      (
        "ratio", [Double(border), Double(border) + 2, 0.3, 0.1 + 0.2, 0, 1, 0x1p63, -0x1p63, 1e300]
      ),
      ("salary", ["0.3", "0", "1", "0.25", "-7.5"].map { NSDecimalNumber(string: $0) }),
    ]
  }

  @Test func comparisonsFindTheSame() throws {
    let (contexts, folder) = try stores()
    try withExtendedLifetime(folder) {
      for (name, values) in Self.stored {
        for context in contexts { try fill(context, name, values) }
        for format in [
          "%K == %@", "%K != %@", "%K < %@", "%K <= %@", "%K > %@", "%K >= %@", "%@ > %K",
          "%K IN {%@, 5}", "%K BETWEEN {%@, 8}",
        ] {
          for constant in Self.constants {
            let isMirrored = format.hasPrefix("%@")
            let predicate = NSPredicate(
              format: format, argumentArray: isMirrored ? [constant, name] : [name, constant])
            let found = try contexts.map { try self.found(predicate, name, $0) }
            for other in found.dropFirst() {
              #expect(other == found[0], "\(format) \(name) \(constant)")
            }
            // And what a predicate says by itself of objects in memory.
            let own = try evaluated(predicate, name, contexts[0])
            #expect(own == found[0], "\(format) \(name) \(constant) in memory")
          }
        }
      }
    }
  }

  /// Attributes of two types beside each other.
  @Test func attributesOfTwoTypesAreComparedAlike() throws {
    let (contexts, folder) = try stores()
    try withExtendedLifetime(folder) {
      for context in contexts {
        try context.performAndWait {
          for long in [Self.border, Self.border + 1, 0] {
            for ratio in [Double(Self.border), Double(Self.border) + 2, 0] {
              let object = NSEntityDescription.insertNewObject(
                forEntityName: "Number", into: context)
              object.setValue(long, forKey: "long")
              object.setValue(ratio, forKey: "ratio")
            }
          }
          try context.save()
        }
      }
      for format in [
        "long == ratio", "ratio == long", "long < ratio", "ratio <= long", "long != ratio",
        "long BETWEEN {ratio, ratio}",
      ] {
        let predicate = NSPredicate(format: format)
        let found = try contexts.map {
          try self.found(predicate, "long", $0) + self.found(predicate, "ratio", $0)
        }
        for other in found.dropFirst() { #expect(other == found[0], "\(format)") }
      }
    }
  }

  private func found(
    _ predicate: NSPredicate, _ name: String, _ context: NSManagedObjectContext
  ) throws -> [String] {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Number")
      request.predicate = predicate
      return try context.fetch(request).map { "\($0.value(forKey: name) ?? "")" }.sorted()
    }
  }

  private func evaluated(
    _ predicate: NSPredicate, _ name: String, _ context: NSManagedObjectContext
  ) throws -> [String] {
    try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Number"))
        .filter { predicate.evaluate(with: $0) }.map { "\($0.value(forKey: name) ?? "")" }.sorted()
    }
  }
}
