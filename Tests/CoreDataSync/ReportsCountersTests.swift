import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What users reported of counters.
@Suite struct ReportsCountersTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: NSAttributeType
    let start: Int64
    let a: Int64
    let b: Int64
    /// What both show; nil where they must only show the same.
    let expected: String?
  }

  private static let cases = [
    // https://github.com/mongodb/docs-realm/pull/862
    Case(
      testDescription: "reset by one, counted by the other", type: .integer64AttributeType,
      start: 10, a: 0, b: 12, expected: "2"),
    Case(
      testDescription: "below zero", type: .integer64AttributeType, start: 1, a: 0, b: 0,
      expected: "-1"),
    // https://github.com/realm/realm-core/pull/2124
    Case(
      testDescription: "over 64 bits", type: .integer64AttributeType, start: Int64.max - 1,
      a: Int64.max, b: Int64.max, expected: "\(Int64.max)"),
    Case(
      testDescription: "below 64 bits", type: .integer64AttributeType, start: Int64.min + 1,
      a: Int64.min, b: Int64.min, expected: "\(Int64.min)"),
    Case(
      testDescription: "over 16 bits", type: .integer16AttributeType, start: 30_000, a: 32_000,
      b: 32_000, expected: nil),
    Case(
      testDescription: "over 32 bits", type: .integer32AttributeType, start: 0,
      a: Int64(Int32.max), b: 1, expected: nil),
    Case(
      testDescription: "of 32 bits with fractions", type: .floatAttributeType, start: 0,
      a: 16_777_216, b: 1, expected: nil),
  ]

  /// A counter that nobody has set is nil, and counts from nothing.
  @Test(arguments: [
    NSAttributeType.integer16AttributeType, .integer64AttributeType, .doubleAttributeType,
    .decimalAttributeType,
  ])
  func aCounterThatNobodyHasSetIsNil(_ type: NSAttributeType) async throws {
    let model = ModelPart.model([
      ModelPart.entity("Shelf", [ModelPart.attribute("name"), ModelPart.attribute("count", type)])
    ])
    let configuration = SyncConfiguration(zone: "zone", counters: ["Shelf": ["count"]])
    let devices = try Devices(model, configuration)
    try devices.a.edit { $0.insert("Shelf", ["name": "x"]) }
    try await devices.settleWholly()
    try devices.expect("Shelf", "count", ["nil"])
    try devices.b.edit { try $0.find("Shelf", "name", "x").setValue("y", forKey: "name") }
    try await devices.settleWholly()
    try devices.expect("Shelf", "count", ["nil"])
    for phone in devices.phones {
      try phone.edit { context in
        try context.find("Shelf", "name", "y").setValue(
          type == .decimalAttributeType ? NSDecimalNumber(value: 3) : 3, forKey: "count")
      }
    }
    try await devices.settleWholly()
    try devices.expect("Shelf", "count", [type == .doubleAttributeType ? "6.0" : "6"])
    try devices.a.edit { context in
      let zero: Any = type == .decimalAttributeType ? NSDecimalNumber.zero : 0
      context.insert("Shelf", ["name": "z"])
      try context.save()
      try context.find("Shelf", "name", "z").setValue(zero, forKey: "count")
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let count = try context.find("Shelf", "name", "z").value(forKey: "count") as? NSNumber
        #expect(count == 0)
      }
    }
  }

  @Test(arguments: Sample.of(cases))
  func countersAreTheSameEverywhere(_ one: Case) async throws {
    let model = ModelPart.model([
      ModelPart.entity(
        "Shelf", [ModelPart.attribute("name"), ModelPart.attribute("count", one.type, default: 0)])
    ])
    let configuration = SyncConfiguration(zone: "zone", counters: ["Shelf": ["count"]])
    let devices = try Devices(model, configuration)
    try devices.a.edit { $0.insert("Shelf", ["name": "x", "count": one.start]) }
    try await devices.settle()
    for (phone, count) in [(devices.a, one.a), (devices.b, one.b)] {
      try phone.edit { try $0.find("Shelf", "name", "x").setValue(count, forKey: "count") }
    }
    try await devices.settle()
    let shown = try devices.phones.map { try $0.values("Shelf", "count") }
    #expect(shown[0] == shown[1], "\(shown)")
    if let expected = one.expected { #expect(shown[0] == [expected]) }
    // Nothing is in the way of what comes after, and the counter counts on.
    try devices.b.edit { $0.insert("Shelf", ["name": "y"]) }
    try devices.a.edit { try $0.find("Shelf", "name", "x").setValue(5, forKey: "count") }
    try await devices.settle()
    try devices.expect("Shelf", "name", ["x", "y"])
    let later = try devices.phones.map { try $0.values("Shelf", "count") }
    #expect(later[0] == later[1], "\(later)")
    #expect(devices.phones.allSatisfy { $0.engine.status.toSend == 0 })
  }

  /// https://github.com/realm/realm-object-server/issues/78: counted in the store by a request.
  @Test func whatRequestsCountAddsUp() async throws {
    let two = try await Two.withNotes()
    for phone in [two.a, two.b] {
      try phone.edit { context in
        let request = NSBatchUpdateRequest(entityName: "Folder")
        request.predicate = NSPredicate(format: "title == %@", "X")
        request.propertiesToUpdate = ["count": NSExpression(format: "count + 2")]
        try context.execute(request)
      }
    }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.values("Folder", "count") == ["0", "4"]) }
  }
}
