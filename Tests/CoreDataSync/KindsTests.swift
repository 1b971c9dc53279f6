import CoreData
import CoreDataSupport
import SyncSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Every type of attribute by what two devices do with it: set, emptied, back to the default,
/// changed by both, changed and changed back.
@Suite struct KindsTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> NSAttributeDescription
    /// Three values that differ.
    let values: [@Sendable () -> Any]
  }

  private static func kind(
    _ name: String, _ type: NSAttributeType, _ values: [@Sendable () -> Any],
    _ change: @escaping @Sendable (NSAttributeDescription) -> Void = { _ in }
  ) -> Kind {
    Kind(
      testDescription: name,
      make: {
        let attribute = ModelPart.attribute("value", type)
        change(attribute)
        return attribute
      }, values: values)
  }

  private static func decimal(_ text: String) -> @Sendable () -> Any {
    { NSDecimalNumber(string: text) }
  }

  private static let id = (0..<3).map { _ in UUID() }

  private static let kinds: [Kind] = [
    kind("Int16", .integer16AttributeType, [{ Int16.min }, { Int16(0) }, { Int16.max }]),
    kind("Int32", .integer32AttributeType, [{ Int32.min }, { Int32(-1) }, { Int32.max }]),
    kind("Int64", .integer64AttributeType, [{ Int64.min }, { Int64(1) << 53 + 1 }, { Int64.max }]),
    kind(
      "decimal", .decimalAttributeType,
      [decimal("-0.01"), decimal("1E+30"), decimal("99999999999999")]),
    kind(
      "double", .doubleAttributeType,
      [{ Double.leastNormalMagnitude }, { -Double.infinity }, { 0.1 + 0.2 }]),
    kind(
      "float", .floatAttributeType, [{ Float(0.1) }, { Float(16_777_217) }, { -Float.infinity }]),
    kind(
      "text", .stringAttributeType, [{ "\u{301}" }, { "a\0b" }, { "👩🏽‍🚀\u{200D}" }]),
    kind("bool", .booleanAttributeType, [{ true }, { false }, { true }]),
    kind(
      "date", .dateAttributeType,
      [
        { Date.distantPast }, { Date(timeIntervalSinceReferenceDate: -0.000_001) },
        { Date(timeIntervalSinceReferenceDate: 1e11) },
      ]),
    kind("UUID", .UUIDAttributeType, id.map { id in { id } }),
    kind(
      "link", .URIAttributeType,
      [
        { URL(string: "https://example.com/%F0%9F%98%80")! }, { URL(string: "mailto:a@b")! },
        { URL(string: "x:?#")! },
      ]),
    kind("data", .binaryDataAttributeType, [{ Data([0]) }, { Data() }, { Data([0, 0]) }]),
    kind(
      "file", .binaryDataAttributeType,
      [
        { Data(repeating: 1, count: 300_000) }, { Data([1]) },
        { Data(repeating: 1, count: 300_001) },
      ], { $0.allowsExternalBinaryDataStorage = true }),
    kind(
      "transformable", .transformableAttributeType,
      [{ ["a"] as NSArray }, { [] as NSArray }, { ["a", "b"] as NSArray }],
      { $0.valueTransformerName = "NSSecureUnarchiveFromData" }),
    Kind(
      testDescription: "composite",
      make: {
        let place = NSCompositeAttributeDescription()
        place.name = "value"
        place.elements = [
          ModelPart.attribute("x", .integer64AttributeType),
          ModelPart.attribute("label", .stringAttributeType),
        ]
        return place
      },
      values: [
        { ["x": 1, "label": "a"] as [String: Any] }, { ["x": 2, "label": "a"] as [String: Any] },
        { ["x": 1, "label": "b"] as [String: Any] },
      ]),
  ]

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nothing"
    case let value as String: "\(Array(value.unicodeScalars).map(\.value))"
    case let value as Data: "\(value.count) \(value.first ?? 0) \(value.last ?? 0)"
    case let value as Date: "\(value.timeIntervalSinceReferenceDate.bitPattern)"
    case let value as URL: value.absoluteString
    case let value as NSArray: "\(value.map { "\($0)" })"
    case let value as [String: Any]:
      "\(value.keys.sorted().map { "\($0) \(value[$0].map { "\($0)" } ?? "-")" })"
    case let value?: "\(value)"
    }
  }

  private static func shown(_ phone: Phone) throws -> String {
    try phone.read { text(try $0.find("Thing", "name", "t").value(forKey: "value")) }
  }

  private static func set(_ phone: Phone, _ value: Any?) throws {
    try phone.edit { try $0.find("Thing", "name", "t").setValue(value, forKey: "value") }
  }

  private static func devices(_ kind: Kind) throws -> Devices {
    try Devices(
      ModelPart.model([ModelPart.entity("Thing", [ModelPart.attribute("name"), kind.make()])]))
  }

  /// Both change it, the later edit is the one that shows, whoever syncs first; who lost is told.
  @Test(arguments: Sample.of(kinds, [false, true]))
  func theLaterOfTwoValuesShows(_ kind: Kind, laterIsFirst: Bool) async throws {
    let devices = try Self.devices(kind)
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t"]) }
    try await devices.settle()
    try Self.set(a, kind.values[0]())
    let wanted = kind.values[1]()
    try Self.set(b, wanted)
    let written = try Self.shown(b)
    for phone in laterIsFirst ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == written) }
    let told = (a.engine.status.losses + b.engine.status.losses).filter { $0.property == "value" }
    #expect(told.count == 1, "\(told)")
  }

  /// One sets it, the other empties it later.
  @Test(arguments: Sample.of(kinds, [false, true]))
  func whatIsEmptiedLaterIsEmpty(_ kind: Kind, emptierIsFirst: Bool) async throws {
    let devices = try Self.devices(kind)
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t", "value": kind.values[0]()]) }
    try await devices.settle()
    try Self.set(a, kind.values[1]())
    try Self.set(b, nil)
    for phone in emptierIsFirst ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == "nothing") }
    try Self.set(a, kind.values[2]())
    let written = try Self.shown(a)
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == written) }
  }

  /// Who changes a value and changes it back before it was sent has changed nothing: the edit of
  /// the other stands, though it is older.
  @Test(arguments: Sample.of(kinds))
  func whatIsChangedBackIsNoEdit(_ kind: Kind) async throws {
    try await changeBack(kind)
  }

  private func changeBack(_ kind: Kind) async throws {
    let devices = try Self.devices(kind)
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t", "value": kind.values[0]()]) }
    try await devices.settle()
    let before = try Self.shown(a)
    try Self.set(b, kind.values[1]())
    let written = try Self.shown(b)
    try Self.set(a, nil)
    try Self.set(a, kind.values[0]())
    #expect(try Self.shown(a) == before)
    let pushes = a.line.pushes.count
    try await a.sync()
    #expect(a.line.pushes.count == pushes, "\(kind.testDescription) is sent as it was")
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try Self.shown(phone) == written, "\(kind.testDescription)")
    }
  }

  /// Whose change was sent before it is changed back has edited twice: the last edit of all shows.
  @Test(arguments: Sample.of(kinds))
  func whatIsSentAndChangedBackIsTwoEdits(_ kind: Kind) async throws {
    let devices = try Self.devices(kind)
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t", "value": kind.values[0]()]) }
    try await devices.settle()
    let before = try Self.shown(a)
    try Self.set(a, nil)
    try await a.sync()
    try Self.set(b, kind.values[1]())
    try Self.set(a, kind.values[0]())
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == before) }
  }

  /// A default of the model is a value like any other: an object that is inserted with it shows it
  /// everywhere, and what is set to it beats an older value.
  @Test(arguments: Sample.of(kinds.filter { $0.testDescription != "composite" }))
  func theDefaultIsAValue(_ kind: Kind) async throws {
    let make: @Sendable () -> NSAttributeDescription = {
      let attribute = kind.make()
      if kind.testDescription != "transformable" { attribute.defaultValue = kind.values[0]() }
      return attribute
    }
    let devices = try Self.devices(
      Kind(testDescription: "", make: make, values: kind.values))
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t"]) }
    let standard = try Self.shown(a)
    try await devices.settleWholly()
    #expect(try Self.shown(b) == standard)
    try Self.set(a, kind.values[1]())
    try await a.sync()
    try Self.set(b, nil)
    try Self.set(b, kind.values[2]())
    try await b.sync()
    try Self.set(b, kind.values[0]())
    let written = try Self.shown(b)
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == written) }
    // Emptied, it does not become the default again.
    try Self.set(a, nil)
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == "nothing") }
  }

  /// A text in another normal form is another text: it is sent, though it looks the same.
  @Test func anotherNormalFormIsAnEdit() async throws {
    let devices = try Self.devices(Self.kinds.first { $0.testDescription == "text" }!)
    try devices.a.edit { $0.insert("Thing", ["name": "t", "value": "\u{E9}"]) }
    try await devices.settle()
    try Self.set(devices.b, "e\u{301}")
    let written = try Self.shown(devices.b)
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == written) }
  }

  /// Values that the store computes are each device's own, and follow what comes.
  @Test func derivedValuesFollowWhatComes() async throws {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity(
      "Item", [ModelPart.attribute("name"), ModelPart.attribute("size", .integer64AttributeType)])
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    for (name, type, format) in [
      ("count", NSAttributeType.integer64AttributeType, "items.@count"),
      ("total", .integer64AttributeType, "items.size.@sum"),
      ("search", .stringAttributeType, "canonical:(name)"), ("saved", .dateAttributeType, "now()"),
    ] {
      let derived = NSDerivedAttributeDescription()
      (derived.name, derived.attributeType) = (name, type)
      derived.derivationExpression = NSExpression(format: format)
      list.properties.append(derived)
    }
    let devices = try Devices(ModelPart.model([list, item]))
    try devices.a.edit { context in
      let list = context.insert("List", ["name": "Ärger"])
      for size in 1...3 { context.insert("Item", ["name": "\(size)", "size": size, "list": list]) }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.values("List", "count") == ["3"])
      #expect(try phone.values("List", "total") == ["6"])
      #expect(try phone.values("List", "search") == ["arger"])
    }
    try devices.a.edit { try $0.find("Item", "name", "1").setValue(10, forKey: "size") }
    try devices.b.edit { context in
      try context.delete(context.find("Item", "name", "2"))
      try context.find("List", "name", "Ärger").setValue("Öl", forKey: "name")
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.values("List", "count") == ["2"])
      #expect(try phone.values("List", "total") == ["13"])
      #expect(try phone.values("List", "search") == ["ol"])
    }
  }

  /// What is transient is neither sent nor an edit, and what is excluded stays on its device, whoever
  /// deletes or edits the rest.
  @Test func whatStaysHereStaysAsItIs() async throws {
    let passing = ModelPart.attribute("passing", .stringAttributeType)
    passing.isTransient = true
    let own = ModelPart.attribute("own")
    own.userInfo = [SyncConfiguration.Annotation.excluded: "YES"]
    let devices = try Devices(
      ModelPart.model([ModelPart.entity("Thing", [ModelPart.attribute("name"), passing, own])]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Thing", ["name": "t", "passing": "p", "own": "of a"]) }
    try await devices.settleWholly()
    try devices.expect("Thing", "passing", ["nil"])
    #expect(try b.values("Thing", "own") == ["nil"])
    try b.edit { try $0.find("Thing", "name", "t").setValue("of b", forKey: "own") }
    let pushes = b.line.pushes.count
    try await b.sync()
    #expect(b.line.pushes.count == pushes, "sends what stays here")
    try b.edit { try $0.find("Thing", "name", "t").setValue("u", forKey: "name") }
    try await devices.settleWholly()
    #expect(try a.values("Thing", "own") == ["of a"])
    #expect(try b.values("Thing", "own") == ["of b"])
    try devices.expect("Thing", "name", ["u"])
    // A device that learns anew keeps it.
    devices.cloud.restore(devices.cloud.withServer { $0 })
    try await devices.settleWholly()
    #expect(try a.values("Thing", "own") == ["of a"])
    #expect(try b.values("Thing", "own") == ["of b"])
  }

  /// Two devices each change another element of one composite: both show the same, a value that
  /// one of the two has written.
  @Test(arguments: [false, true])
  func elementsOfACompositeThatTwoChange(isTurned: Bool) async throws {
    let devices = try Self.devices(Self.kinds.first { $0.testDescription == "composite" }!)
    try devices.a.edit {
      $0.insert("Thing", ["name": "t", "value": ["x": 1, "label": "a"] as [String: Any]])
    }
    try await devices.settle()
    try Self.set(devices.a, ["x": 2, "label": "a"] as [String: Any])
    try Self.set(devices.b, ["x": 1, "label": "b"] as [String: Any])
    let later = try Self.shown(devices.b)
    for phone in isTurned ? devices.phones.reversed() : devices.phones { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.shown(phone) == later) }
    #expect(devices.a.engine.status.losses.map(\.property) == ["value"])
  }
}
