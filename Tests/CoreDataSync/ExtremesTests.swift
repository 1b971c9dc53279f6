import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Values at the ends of their types: unique ones, counted ones, and such as come and go.
@Suite struct ExtremesTests {
  struct Unique: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: NSAttributeType
    let isOne: Bool
    let first: @Sendable () -> Any
    let second: @Sendable () -> Any
  }

  private static func number(_ text: String) -> @Sendable () -> Any {
    { NSDecimalNumber(string: text) }
  }

  private static let id = UUID()

  private static let uniques: [Unique] = [
    .init(testDescription: "a megabyte", type: .stringAttributeType, isOne: true) {
      String(repeating: "x", count: 1_000_000)
    } second: {
      String(repeating: "x", count: 1_000_000)
    },
    .init(testDescription: "a megabyte but its end", type: .stringAttributeType, isOne: false) {
      String(repeating: "x", count: 1_000_000) + "a"
    } second: {
      String(repeating: "x", count: 1_000_000) + "b"
    },
    .init(testDescription: "NUL at the end", type: .stringAttributeType, isOne: false) {
      "a\0b"
    } second: {
      "a\0c"
    },
    .init(testDescription: "a date before 1", type: .dateAttributeType, isOne: true) {
      Date(timeIntervalSince1970: -1e12)
    } second: {
      Date(timeIntervalSince1970: -1e12)
    },
    .init(testDescription: "dates a microsecond apart", type: .dateAttributeType, isOne: false) {
      Date(timeIntervalSinceReferenceDate: 1)
    } second: {
      Date(timeIntervalSinceReferenceDate: 1.000_001)
    },
    .init(testDescription: "0 and -0", type: .doubleAttributeType, isOne: true) {
      0.0
    } second: {
      -0.0
    },
    .init(testDescription: "infinity", type: .doubleAttributeType, isOne: true) {
      Double.infinity
    } second: {
      Double.infinity
    },
    .init(
      testDescription: "1 and 1.00", type: .decimalAttributeType, isOne: true, first: number("1"),
      second: number("1.00")),
    .init(testDescription: "UUID", type: .UUIDAttributeType, isOne: true) {
      id
    } second: {
      id
    },
    .init(testDescription: "link", type: .URIAttributeType, isOne: true) {
      URL(string: "https://a.b/?q=%C3%A4")!
    } second: {
      URL(string: "https://a.b/?q=%C3%A4")!
    },
    .init(testDescription: "data", type: .binaryDataAttributeType, isOne: true) {
      Data([0, 1])
    } second: {
      Data([0, 1])
    },
    .init(testDescription: "yes", type: .booleanAttributeType, isOne: true) {
      true
    } second: {
      true
    },
    .init(testDescription: "the least integer", type: .integer64AttributeType, isOne: true) {
      Int64.min
    } second: {
      Int64.min
    },
  ]

  /// Two make objects with a unique value of every type.
  @Test(arguments: Sample.of(uniques))
  func whatIsUniqueIsOneByItsType(_ value: Unique) async throws {
    let entity = ModelPart.entity(
      "Thing", [ModelPart.attribute("name"), ModelPart.attribute("key", value.type)])
    entity.uniquenessConstraints = [["key"]]
    let devices = try Devices(ModelPart.model([entity]))
    try devices.a.edit { $0.insert("Thing", ["name": "a", "key": value.first()]) }
    try devices.b.edit { $0.insert("Thing", ["name": "b", "key": value.second()]) }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", value.isOne ? ["b"] : ["a", "b"])
    // Its value goes from one to the other.
    try devices.a.edit { context in
      for thing in try context.all("Thing") where thing.value(forKey: "name") as? String == "b" {
        thing.setValue(nil, forKey: "key")
      }
    }
    try devices.a.edit { $0.insert("Thing", ["name": "c", "key": value.second()]) }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", value.isOne ? ["b", "c"] : ["a", "b", "c"])
  }

  /// Nothing is no value: objects without one are not one.
  @Test func emptyValuesAreUniqueAndNothingIsNot() async throws {
    let entity = ModelPart.entity(
      "Thing", [ModelPart.attribute("name"), ModelPart.attribute("key")])
    entity.uniquenessConstraints = [["key"]]
    let devices = try Devices(ModelPart.model([entity]))
    for (phone, name) in [(devices.a, "a"), (devices.b, "b")] {
      try phone.edit { context in
        context.insert("Thing", ["name": name])
        context.insert("Thing", ["name": "empty of " + name, "key": ""])
      }
    }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", ["a", "b", "empty of b"])
  }

  /// What is empty, nothing and full in turn, set by both.
  @Test(
    arguments: Sample.of([
      NSAttributeType.binaryDataAttributeType, .stringAttributeType, .URIAttributeType,
    ]))
  func emptyAndNothingAreTwo(_ type: NSAttributeType) async throws {
    let value = ModelPart.attribute("value", type)
    if type == .binaryDataAttributeType { value.allowsExternalBinaryDataStorage = true }
    let devices = try Devices(
      ModelPart.model([ModelPart.entity("Thing", [ModelPart.attribute("name"), value])]))
    let full: Any =
      switch type {
      case .binaryDataAttributeType: Data(repeating: 1, count: 200_000)
      case .stringAttributeType: "x"
      default: URL(string: "a:b")!
      }
    let empty: Any? =
      switch type {
      case .binaryDataAttributeType: Data()
      case .stringAttributeType: ""
      default: nil
      }
    try devices.a.edit { $0.insert("Thing", ["name": "t", "value": full]) }
    try await devices.settle()
    for (index, next) in [empty, nil, full, nil, empty, full, empty].enumerated() {
      let phone = devices.phones[index % 2]
      try phone.edit { try $0.find("Thing", "name", "t").setValue(next, forKey: "value") }
      try await devices.settleWholly()
      for phone in devices.phones {
        let shown = try phone.read { try $0.find("Thing", "name", "t").value(forKey: "value") }
        #expect("\(shown ?? "nothing")" == "\(next ?? "nothing")", "\(index)")
      }
    }
  }

  /// Sums that leave the numbers: both show the same, and what else there is goes on.
  @Test(arguments: Sample.of(["infinity", "nan", "most", "decimal"]))
  func countersBeyondNumbersStopNothing(_ kind: String) async throws {
    let type: NSAttributeType = kind == "decimal" ? .decimalAttributeType : .doubleAttributeType
    let counter = ModelPart.attribute("count", type, default: 0)
    counter.userInfo = [SyncConfiguration.Annotation.counter: "YES"]
    let devices = try Devices(
      ModelPart.model([ModelPart.entity("Thing", [ModelPart.attribute("name"), counter])]))
    try devices.a.edit { $0.insert("Thing", ["name": "t", "count": 1]) }
    try await devices.settle()
    for phone in devices.phones {
      try phone.edit { context in
        let value: Any =
          switch kind {
          case "infinity": Double.infinity
          case "nan": Double.nan
          case "most": Double.greatestFiniteMagnitude
          default: NSDecimalNumber(string: "9E127")
          }
        try context.find("Thing", "name", "t").setValue(value, forKey: "count")
      }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.edit { try $0.find("Thing", "name", "t").setValue(5, forKey: "count") }
    }
    try devices.a.edit { $0.insert("Thing", ["name": "u", "count": 2]) }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", ["t", "u"])
    try devices.expect("Thing", "count", try devices.a.values("Thing", "count"))
  }

  /// Names that the application gives its objects: however long, and whatever is in them.
  @Test func namesOfEveryKindAreNames() async throws {
    var configuration = SyncConfiguration(zone: "zone")
    configuration.identify = { $0.value(forKey: "name") as? String }
    let model = ModelPart.model([
      ModelPart.entity("Thing", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    ])
    let devices = try Devices(model, configuration)
    let names = [
      "", " ", "a", "A", "a ", "é", "e\u{301}", "\u{212B}", "Å", "\0", "\u{FEFF}",
      String(repeating: "n", count: 1_000_000), "👩‍👩‍👧", "ﬁ", "fi",
    ]
    for phone in devices.phones {
      try phone.edit { context in for name in names { context.insert("Thing", ["name": name]) } }
    }
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try phone.count("Thing") == names.count) }
  }
}
