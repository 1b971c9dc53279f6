import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What users of other synchronisers reported of single values. The address of a report stands
/// where its case is.
@Suite struct ReportsTests {
  struct Value: Sendable, CustomTestStringConvertible {
    let property: String
    let testDescription: String
    /// Whether the store itself keeps the value as it is.
    var isKept = true
    let make: @Sendable () -> Any
  }

  private static func model() -> NSManagedObjectModel {
    let data = ModelPart.attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    let list = ModelPart.attribute("list", .transformableAttributeType)
    let secure = ModelPart.attribute("secure", .transformableAttributeType)
    secure.valueTransformerName = "NSSecureUnarchiveFromData"
    return ModelPart.model([
      ModelPart.entity(
        "Thing",
        [
          ModelPart.attribute("name"), ModelPart.attribute("text"), data, list, secure,
          ModelPart.attribute("double", .doubleAttributeType),
          ModelPart.attribute("float", .floatAttributeType),
          ModelPart.attribute("integer", .integer64AttributeType),
          ModelPart.attribute("short", .integer16AttributeType),
          ModelPart.attribute("middle", .integer32AttributeType),
          ModelPart.attribute("decimal", .decimalAttributeType),
          ModelPart.attribute("date", .dateAttributeType),
          ModelPart.attribute("flag", .booleanAttributeType),
          ModelPart.attribute("link", .URIAttributeType),
        ])
    ])
  }

  private static func decimal(_ digits: String) -> @Sendable () -> Any {
    { NSDecimalNumber(string: digits) }
  }

  private static let values: [Value] = [
    // https://github.com/couchbase/couchbase-lite-ios/issues/447
    Value(property: "double", testDescription: "NaN", isKept: false) { Double.nan },
    Value(property: "decimal", testDescription: "decimal NaN", isKept: false) {
      NSDecimalNumber.notANumber
    },
    // https://github.com/PeerDB-io/peerdb/issues/554
    Value(property: "double", testDescription: "infinity") { Double.infinity },
    Value(property: "double", testDescription: "-infinity") { -Double.infinity },
    Value(property: "float", testDescription: "float infinity") { Float.infinity },
    Value(property: "double", testDescription: "-0", isKept: false) { -0.0 },
    Value(property: "double", testDescription: "least") { Double.leastNonzeroMagnitude },
    Value(property: "double", testDescription: "greatest") { Double.greatestFiniteMagnitude },
    Value(property: "float", testDescription: "0.1 of 32 bits") { Float(0.1) },
    // https://github.com/slotix/dbconvert-streams-public/issues/41
    Value(property: "integer", testDescription: "more than 53 bits") { 6_031_832_573_293_743_752 },
    Value(property: "integer", testDescription: "Int64.min") { Int64.min },
    Value(property: "short", testDescription: "Int16.min") { Int16.min },
    Value(property: "middle", testDescription: "Int32.max") { Int32.max },
    // https://github.com/osalvador/ReplicaDB/issues/192
    Value(
      property: "decimal", testDescription: "38 digits", isKept: false,
      make: decimal("12345678901234567890123456789012345678")),
    Value(
      property: "decimal", testDescription: "38 places", isKept: false,
      make: decimal("-0.10334490740740740740740740740740740741")),
    Value(property: "decimal", testDescription: "1E-120", make: decimal("1E-120")),
    // https://github.com/slingdata-io/sling-cli/issues/349
    Value(property: "text", testDescription: "empty text") { "" },
    Value(property: "data", testDescription: "empty data") { Data() },
    // https://github.com/cynicaloptimist/improved-initiative/issues/256
    Value(property: "text", testDescription: "emojis") { "➊ ⛏ 💀 👨‍👩‍👧‍👦 🏳️‍🌈" },
    // https://github.com/bohning/usdb_syncer/pull/112
    Value(property: "text", testDescription: "an accent apart") { "e\u{301}" },
    Value(property: "text", testDescription: "a mark of byte order") { "\u{FEFF}x\u{200B}" },
    Value(property: "text", testDescription: "spaces and ends of lines") { " a\r\n\tb " },
    Value(property: "text", testDescription: "long") { String(repeating: "ä", count: 300_000) },
    // https://github.com/standardnotes/app/pull/2913
    Value(property: "date", testDescription: "before 1970") {
      Date(timeIntervalSince1970: -1_000_000_000.000_001)
    },
    Value(property: "date", testDescription: "distant past") { Date.distantPast },
    Value(property: "date", testDescription: "distant future") { Date.distantFuture },
    // https://github.com/paulw11/Seam3/issues/18
    Value(property: "data", testDescription: "a file") { Data(repeating: 7, count: 3_000_000) },
    // https://github.com/mentrena/SyncKit/issues/178
    Value(property: "link", testDescription: "relative") { URL(string: "a/b?c=%20#d")! },
    Value(property: "link", testDescription: "file") { URL(fileURLWithPath: "/a b/ü") },
    // https://github.com/mentrena/SyncKit/issues/88
    Value(property: "list", testDescription: "no transformer") {
      ["x", ["y": 1] as NSDictionary] as NSArray
    },
    // https://github.com/mentrena/SyncKit/issues/177
    Value(property: "secure", testDescription: "texts") { ["x", ""] as NSArray },
    Value(property: "secure", testDescription: "nothing in it") { [] as NSArray },
    Value(property: "flag", testDescription: "no") { false },
  ]

  private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one as String, let other as String):
      Array(one.unicodeScalars) == Array(other.unicodeScalars)
    case (let one as Data, let other as Data): one == other
    case (let one as Date, let other as Date): one == other
    case (let one as URL, let other as URL): one.absoluteString == other.absoluteString
    case (let one as NSDecimalNumber, let other as NSDecimalNumber): one == other
    case (let one as NSNumber, let other as NSNumber): one == other
    case (let one?, let other?): "\(one)" == "\(other)"
    default: false
    }
  }

  /// A value goes there, is emptied there, and is set there anew.
  @Test(arguments: Sample.of(values))
  func whatIsSetArrivesAsItIs(_ value: Value) async throws {
    let devices = try Devices(Self.model())
    let (a, b) = (devices.a, devices.b)
    func expectSame(_ what: String, _ wanted: Any?) throws {
      let shown = try [a, b].map { phone in
        try phone.read { try $0.find("Thing", "name", "x").value(forKey: value.property) }
      }
      #expect(Self.isSame(shown[0], shown[1]), "\(what): \(shown)")
      if value.isKept { #expect(Self.isSame(shown[1], wanted), "\(what)") }
    }
    try a.edit { $0.insert("Thing", ["name": "x", value.property: value.make()]) }
    try await devices.settleWholly()
    try expectSame("set", value.make())
    try b.edit { try $0.find("Thing", "name", "x").setValue(nil, forKey: value.property) }
    try await devices.settleWholly()
    try expectSame("emptied", nil)
    try b.edit { try $0.find("Thing", "name", "x").setValue(value.make(), forKey: value.property) }
    try await devices.settleWholly()
    try expectSame("set again", value.make())
  }

  /// https://github.com/drewmccormack/ensembles/issues/248
  @Test func picturesStayWhenOtherThingsAreEdited() async throws {
    let devices = try Devices(Self.model())
    let picture = Data((0..<100_000).map { UInt8($0 % 251) })
    try devices.a.edit { $0.insert("Thing", ["name": "x", "data": picture, "secure": ["y"]]) }
    try await devices.settle()
    for (phone, number) in [(devices.b, 1), (devices.a, 2), (devices.b, 3)] {
      try phone.edit { try $0.find("Thing", "name", "x").setValue(number, forKey: "integer") }
      try await devices.settle()
    }
    for phone in devices.phones {
      try phone.read { context in
        let thing = try context.find("Thing", "name", "x")
        #expect(thing.value(forKey: "data") as? Data == picture)
        #expect((thing.value(forKey: "secure") as? NSArray)?.firstObject as? String == "y")
      }
    }
  }

  /// https://github.com/Sorix/CloudCore/issues/31
  @Test func whatWasSetBeforeAFailureIsSentWithWhatIsSetAfterIt() async throws {
    let devices = try Devices(Self.model())
    devices.a.line.failures = [SyncTransportError(.unavailable, message: "full")]
    try devices.a.edit { $0.insert("Thing", ["name": "John", "text": "Doe"]) }
    await #expect(throws: SyncTransportError.self) { try await devices.a.sync() }
    try devices.a.edit { try $0.find("Thing", "name", "John").setValue("Jane", forKey: "name") }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", ["Jane"])
    try devices.expect("Thing", "text", ["Doe"])
  }

  /// https://github.com/mentrena/SyncKit/issues/75
  @Test func manyFilesArriveWhole() async throws {
    let devices = try Devices(Self.model())
    try devices.a.edit { context in
      for number in 0..<20 {
        let data = Data(repeating: UInt8(number), count: 1_000_000 + number)
        context.insert("Thing", ["name": "\(number)", "data": data, "integer": data.count])
      }
    }
    try await devices.settleWholly()
    try devices.b.read { context in
      let things = try context.all("Thing")
      #expect(things.count == 20)
      for thing in things {
        let data = thing.value(forKey: "data") as? Data
        #expect(data?.count == thing.value(forKey: "integer") as? Int)
        #expect(data?.first.map { "\($0)" } == thing.value(forKey: "name") as? String)
      }
    }
  }

  /// https://github.com/drewmccormack/ensembles/issues/203: numbers that each device gives are no
  /// identity, and an object without a value is one, too.
  @Test func whatLooksAlikeIsNotOne() async throws {
    let devices = try Devices(Self.model())
    for phone in devices.phones {
      try phone.edit { context in
        for number in 1...3 { context.insert("Thing", ["integer": number]) }
        context.insert("Thing", [:])
      }
    }
    try await devices.settleWholly()
    try devices.expect("Thing", "integer", ["1", "1", "2", "2", "3", "3", "nil", "nil"])
  }
}
