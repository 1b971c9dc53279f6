import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Of two objects that become one by a unique value, what the earlier one had is told where it was
/// written.
@Suite struct UnionsTests {
  private static func model() -> NSManagedObjectModel {
    let shelf = ModelPart.entity("Shelf", [ModelPart.attribute("name")])
    shelf.uniquenessConstraints = [["name"]]
    let kind = ModelPart.attribute("kind")
    kind.defaultValue = "plain"
    let item = ModelPart.entity(
      "Item", [ModelPart.attribute("name"), ModelPart.attribute("note"), kind])
    item.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(shelf, "items", to: item),
      ModelPart.end(item, "shelf", to: shelf, maxCount: 1))
    return ModelPart.model([shelf, item])
  }

  /// How two objects come by one name.
  enum Way: CaseIterable {
    /// Each device makes one.
    case made
    /// Both have both, and each device renames the one that it made.
    case renamed
    /// Both have both, which one device made; each renames one.
    case madeByOne
    /// One device renames an object that both have, the other one makes one.
    case oneOfEach
  }

  struct Case: CustomTestStringConvertible {
    let way: Way
    /// Whether the earlier one is sent first.
    let isInOrder: Bool
    let property: String
    /// What the objects have; nil is what the model says.
    let values: [String?]
    /// Whether both are sent, and known, long before.
    let restarts: Bool
    let pageLimit: Int

    var testDescription: String {
      "\(way) \(isInOrder) \(property) \(values) \(restarts) \(pageLimit)"
    }
  }

  static let cases = Way.allCases.flatMap { way in
    [true, false].flatMap { isInOrder in
      ["note", "kind", "shelf"].flatMap { property in
        [["x", "y"], ["x", "x"], ["x", nil], [nil, "y"]].flatMap { values in
          [true, false].flatMap { restarts in
            [1, 500].map { pageLimit in
              Case(
                way: way, isInOrder: isInOrder, property: property, values: values,
                restarts: restarts, pageLimit: pageLimit)
            }
          }
        }
      }
    }
  }

  @Test(arguments: Sample.of(cases))
  func whatTheEarlierOneHadIsTold(_ one: Case) async throws {
    let devices = try Devices(Self.model())
    for phone in devices.phones { phone.pageLimit = one.pageLimit }
    func make(_ name: String, _ index: Int, by phone: Phone) throws {
      try phone.edit { context in
        var values: [String: Any] = ["name": name]
        if let value = one.values[index] {
          if one.property == "shelf" {
            let known = try? context.find("Shelf", "name", value)
            values["shelf"] = known ?? context.insert("Shelf", ["name": value])
          } else {
            values[one.property] = value
          }
        }
        context.insert("Item", values)
      }
    }
    func rename(_ name: String, by phone: Phone) throws {
      try phone.edit { try $0.find("Item", "name", name).setValue("t", forKey: "name") }
    }
    let (a, b) = (devices.a, devices.b)
    switch one.way {
    case .made:
      try make("t", 0, by: a)
      try make("t", 1, by: b)
    case .renamed, .madeByOne:
      try make("p", 0, by: a)
      // One shelf of a name on each device.
      if one.way == .madeByOne || one.property == "shelf" { try await devices.settle() }
      try make("q", 1, by: one.way == .madeByOne ? a : b)
      try await devices.settle()
    case .oneOfEach:
      try make("p", 0, by: a)
      try await devices.settle()
      try make("t", 1, by: b)
    }
    if one.restarts { for phone in devices.phones { try await phone.restart() } }
    if one.way != .made { try rename("p", by: a) }
    if one.way == .renamed || one.way == .madeByOne { try rename("q", by: b) }
    for phone in one.isInOrder ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["t"])
    // What a new object does not lead to has never been set.
    let left =
      one.values[1]
      ?? (one.property == "kind" ? "plain" : one.property == "shelf" ? one.values[0] : nil)
    if one.property == "shelf" {
      for phone in devices.phones {
        try phone.read { context in
          let shelf = try context.all("Item").first?.value(forKeyPath: "shelf.name") as? String
          #expect(shelf == left)
        }
      }
    } else {
      try devices.expect("Item", one.property, [left ?? "nil"])
    }
    let lost = one.values[0].flatMap { $0 == left ? nil : $0 }
    let told = a.engine.status.losses.filter { $0.property != "name" }
    #expect(told.count == (lost == nil ? 0 : 1), "\(told)")
    if let lost, let loss = told.first {
      #expect(loss.entity == "Item" && loss.property == one.property)
      #expect(loss.reason == .overwritten)
      if one.property != "shelf" { #expect(loss.value == .text(lost)) }
    }
    let others = b.engine.status.losses
    #expect(others.isEmpty, "\(others)")
  }

  /// Two that one device has made in one save, before it has ever synced: their values are of one
  /// time.
  @Test(arguments: [true, false])
  func oneOfTwoThatWereMadeTogetherIsTold(isFirstSync: Bool) async throws {
    let devices = try Devices(Self.model())
    if !isFirstSync { try await devices.settle() }
    try devices.a.edit { context in
      for name in ["p", "q"] { context.insert("Item", ["name": name, "note": "of " + name]) }
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Item", "name", "p").setValue("t", forKey: "name") }
    try devices.b.edit { try $0.find("Item", "name", "q").setValue("t", forKey: "name") }
    try await devices.settleWholly()
    let left = try devices.a.values("Item", "note")
    #expect(left == ["of p"] || left == ["of q"])
    try devices.expect("Item", "note", left)
    let lost = left == ["of p"] ? "of q" : "of p"
    let told = devices.a.engine.status.losses.filter { $0.property != "name" }
    #expect(told.map(\.value) == [.text(lost)])
    #expect(devices.b.engine.status.losses.isEmpty)
  }

  /// Three that one device has made, of which each device gives one the same name.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func whatTwoOfThreeHadIsToldOnce(order: [Int]) async throws {
    let model = Self.model()
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { context in
      for name in ["0", "1", "2"] { context.insert("Item", ["name": name, "note": "of " + name]) }
    }
    try await devices.settle()
    for (index, phone) in devices.phones.enumerated() {
      try phone.edit { try $0.find("Item", "name", "\(index)").setValue("t", forKey: "name") }
    }
    for index in order { try await devices.phones[index].sync() }
    try await devices.settleWholly()
    let left = try devices.a.values("Item", "note")
    try devices.expect("Item", "note", left)
    let lost = ["of 0", "of 1", "of 2"].filter { $0 != left.first }
    let told = devices.a.engine.status.losses.compactMap { loss -> String? in
      if case .text(let text) = loss.value { text } else { nil }
    }
    #expect(told.sorted() == lost, "\(devices.a.engine.status.losses)")
    #expect(devices.phones.dropFirst().allSatisfy { $0.engine.status.losses.isEmpty })
  }

  /// Lists of which two become one: what is told is no place.
  @Test func placesOfListsThatBecomeOneAreNotTold() async throws {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
    (list.uniquenessConstraints, item.uniquenessConstraints) = ([["name"]], [["name"]])
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    let devices = try Devices(ModelPart.model([list, item]))
    for (phone, names) in [(devices.a, ["1", "2", "3"]), (devices.b, ["3", "2", "4"])] {
      try phone.edit { context in
        let list = context.insert("List", ["name": "l"])
        let items = names.map { context.insert("Item", ["name": $0]) }
        list.setValue(NSOrderedSet(array: items), forKey: "items")
      }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(phone.engine.status.losses.isEmpty, "\(phone.engine.status.losses)")
      #expect(try phone.values("Item", "name") == ["1", "2", "3", "4"])
    }
  }
}
