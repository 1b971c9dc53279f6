import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What users reported of what is unique.
@Suite struct ReportsUniqueTests {
  /// Categories with unique names that own items; keys that are unique by two attributes.
  private static func model() -> NSManagedObjectModel {
    let category = ModelPart.entity(
      "Category", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    category.uniquenessConstraints = [["name"]]
    let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(category, "items", to: item, rule: .cascadeDeleteRule),
      ModelPart.end(item, "category", to: category, maxCount: 1, isOptional: false))
    let key = ModelPart.entity(
      "Key", [ModelPart.attribute("kind"), ModelPart.attribute("number", .integer64AttributeType)])
    key.uniquenessConstraints = [["kind", "number"]]
    return ModelPart.model([category, item, key])
  }

  private static func category(_ devices: Devices) throws {
    try devices.a.edit { context in
      for name in ["1", "2", "3"] { context.insert("Category", ["name": name, "note": name]) }
    }
  }

  /// https://github.com/iTwin/itwinjs-core/pull/9289: names go round in one save, of which a message
  /// holds a part.
  @Test(arguments: Sample.of([2, 3], [1, 2, 500]))
  func namesThatGoRoundAreNotLost(count: Int, pageLimit: Int) async throws {
    let devices = try Devices(Self.model())
    devices.b.pageLimit = pageLimit
    try Self.category(devices)
    try devices.a.edit { context in
      for number in 0..<20 { context.insert("Key", ["kind": "x", "number": number]) }
      for _ in 0..<20 {
        let category = try context.find("Category", "note", "3")
        context.insert("Item", ["name": "i", "category": category])
      }
    }
    try await devices.settleWholly()
    devices.a.pushLimit = 4
    try devices.a.edit { context in
      let all = try (1...count).map { try context.find("Category", "note", "\($0)") }
      for (index, one) in all.enumerated() {
        one.setValue("\((index + 1) % count + 1)", forKey: "name")
      }
      for item in try context.all("Item") { item.setValue("j", forKey: "name") }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        for index in 0..<count {
          let one = try context.find("Category", "note", "\(index + 1)")
          #expect(one.value(forKey: "name") as? String == "\((index + 1) % count + 1)")
        }
      }
    }
  }

  /// https://github.com/mirhagk/DbSync/issues/7: a name is taken over from what is deleted.
  @Test(arguments: [1, 500])
  func theNameOfWhatIsDeletedIsTakenInOneSave(pageLimit: Int) async throws {
    let devices = try Devices(Self.model())
    devices.b.pageLimit = pageLimit
    devices.a.pushLimit = pageLimit
    try Self.category(devices)
    try await devices.settleWholly()
    try devices.a.edit { context in
      context.delete(try context.find("Category", "name", "1"))
      try context.find("Category", "name", "2").setValue("1", forKey: "name")
      context.delete(try context.find("Category", "name", "3"))
      context.insert("Category", ["name": "3", "note": "new"])
    }
    try await devices.settleWholly()
    try devices.expect("Category", "name", ["1", "3"])
    try devices.expect("Category", "note", ["2", "new"])
  }

  /// https://github.com/drewmccormack/ensembles/issues/196: of two categories that become one, the
  /// items of both live, though categories own their items.
  @Test(arguments: [false, true])
  func whatACategoryOwnsLivesWhenItBecomesOneWithAnother(isOffline: Bool) async throws {
    let devices = try Devices(Self.model())
    for (index, phone) in devices.phones.enumerated() {
      try phone.edit { context in
        let category = context.insert("Category", ["name": "work"])
        context.insert("Item", ["name": "\(index)", "category": category])
      }
      if !isOffline { try await phone.sync() }
    }
    try await devices.settleWholly()
    try devices.expect("Category", "name", ["work"])
    for phone in devices.phones {
      let names = try phone.read { try $0.find("Category", "name", "work").names("items") }
      #expect(names == ["0", "1"])
    }
  }

  /// https://github.com/Mimetis/Dotmim.Sync/issues/44: unique by two attributes; where one of them
  /// is empty there may be several.
  @Test func keysOfTwoPartsAreUniqueByBoth() async throws {
    let devices = try Devices(Self.model())
    for phone in devices.phones {
      try phone.edit { context in
        context.insert("Key", ["kind": "x", "number": 1])
        context.insert("Key", ["kind": "x", "number": 2])
        context.insert("Key", ["kind": "y", "number": 1])
        context.insert("Key", ["kind": "z"])
      }
    }
    try await devices.settleWholly()
    try devices.expect("Key", "kind", ["x", "x", "y", "z", "z"])
    try devices.expect("Key", "number", ["1", "1", "2", "nil", "nil"])
  }

  /// https://github.com/BYK/loreai/issues/1217: each changes one part of two keys, and together
  /// they are equal.
  @Test func keysThatBecomeEqualByTwoEditsAreTheSameEverywhere() async throws {
    let devices = try Devices(Self.model())
    try devices.a.edit { context in
      context.insert("Key", ["kind": "x", "number": 1])
      context.insert("Key", ["kind": "y", "number": 2])
    }
    try await devices.settleWholly()
    try devices.a.edit { try $0.find("Key", "kind", "y").setValue("x", forKey: "kind") }
    try devices.b.edit { context in
      let key = try context.find("Key", "kind", "y")
      key.setValue(1, forKey: "number")
    }
    try await devices.settleWholly()
    try devices.expect("Key", "kind", ["x"])
    try devices.expect("Key", "number", ["1"])
  }

  /// https://swiftstudent.com/2020-03-29-nsbatchinsertrequest/: what a request inserts again is
  /// what was there.
  @Test(arguments: [false, true])
  func whatRequestsInsertIsThereOnce(isMerged: Bool) async throws {
    let devices = try Devices(Self.model())
    try Self.category(devices)
    try await devices.settleWholly()
    for (phone, note) in [(devices.a, "of a"), (devices.b, "of b")] {
      try phone.edit { context in
        if isMerged { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        let names = isMerged ? ["1", "2", "4"] : ["4", note]
        let objects = names.map { ["name": $0, "note": note] }
        try context.execute(NSBatchInsertRequest(entityName: "Category", objects: objects))
      }
    }
    try await devices.settleWholly()
    let names = isMerged ? ["1", "2", "3", "4"] : ["1", "2", "3", "4", "of a", "of b"]
    try devices.expect("Category", "name", names)
    let notes = try devices.phones.map { try $0.values("Category", "note") }
    #expect(notes[0] == notes[1])
  }
}
