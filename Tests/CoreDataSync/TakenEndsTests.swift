import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What somebody else has taken, brought back or deleted long ago.
@Suite struct TakenEndsTests {
  /// A dog with a licence, which is nothing without a dog.
  private static func dogs(_ rule: NSDeleteRule) -> NSManagedObjectModel {
    let dog = ModelPart.entity("Dog", [ModelPart.attribute("name")])
    let licence = ModelPart.entity("Licence", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(dog, "licence", to: licence, maxCount: 1, rule: rule),
      ModelPart.end(licence, "dog", to: dog, maxCount: 1, isOptional: false))
    return ModelPart.model([dog, licence])
  }

  /// Some devices give one dog a licence each: one of them is its licence, on all devices, and nobody
  /// is stopped.
  @Test(
    arguments: Sample.of(
      [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule].flatMap { rule in
        [(rule, 1, 2), (rule, 2, 2), (rule, 1, 3), (rule, 2, 4)]
      }))
  func aRequiredEndThatSeveralTakeGoesToOne(
    _ rule: NSDeleteRule, licencesBefore: Int, takers: Int
  ) async throws {
    let model = Self.dogs(rule)
    let devices = try Devices(model, others: Array(repeating: model, count: takers - 1))
    let (a, b) = (devices.a, devices.b)
    let takerNames = (0..<takers).map { "of \($0)" }
    try a.edit { context in
      context.insert("Dog", ["name": "Rex"])
      for number in 1..<licencesBefore {
        context.insert(
          "Licence",
          ["name": "before \(number)", "dog": context.insert("Dog", ["name": "dog \(number)"])])
      }
    }
    try await devices.settle()
    for (phone, name) in zip(devices.phones, takerNames) {
      try phone.edit { context in
        context.insert("Licence", ["name": name, "dog": try context.find("Dog", "name", "Rex")])
      }
    }
    try await devices.settle()
    let names = try a.values("Licence", "name")
    #expect(names.count == licencesBefore)
    for phone in devices.phones {
      #expect(try phone.values("Licence", "name") == names)
      #expect(phone.engine.status.activity == .idle)
      #expect(phone.engine.status.held.count == takers - 1)
      let holder = try phone.read { context in
        try context.find("Dog", "name", "Rex").value(forKeyPath: "licence.name") as? String
      }
      #expect(names.filter { takerNames.contains($0) } == [holder])
    }
    // Others' edits still come.
    try b.edit { try $0.find("Dog", "name", "Rex").setValue("Max", forKey: "name") }
    try await devices.settle()
    #expect(try a.values("Dog", "name").contains("Max"))
    let newcomer = try await devices.newcomer(model)
    #expect(try newcomer.values("Licence", "name") == names)
    try await newcomer.engine.close()
    try await devices.close()
  }

  /// A tree, whose nodes go with their parent.
  private static func tree() -> NSManagedObjectModel {
    let node = ModelPart.entity("Node", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(node, "nodes", to: node, rule: .cascadeDeleteRule),
      ModelPart.end(node, "parent", to: node, maxCount: 1))
    return ModelPart.model([node])
  }

  private static func folders() -> NSManagedObjectModel {
    let folder = ModelPart.entity("Folder", [ModelPart.attribute("name")])
    let node = ModelPart.entity("Node", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(folder, "nodes", to: node, rule: .cascadeDeleteRule),
      ModelPart.end(node, "parent", to: folder, maxCount: 1))
    return ModelPart.model([folder, node])
  }

  /// What becomes of what is known of a deletion.
  enum Loss: String, CaseIterable {
    case ownStoreIsGone, ownStoreIsOlder, serverIsOlder, serverIsEmpty
  }

  /// One device deletes a parent, the other has moved a child out of it; then the first one's own
  /// store of sync is gone, or one of before, or the server is, before it hears of that or after it.
  @Test(arguments: Sample.of(Loss.allCases, [(true, true), (false, true), (false, false)]))
  func whatCameBackIsNotDeletedAgain(_ loss: Loss, tried: (isTree: Bool, hears: Bool)) async throws
  {
    let (isTree, hears) = tried
    let devices = try Devices(isTree ? Self.tree() : Self.folders())
    let (a, b) = (devices.a, devices.b)
    let owner = isTree ? "Node" : "Folder"
    let left = isTree ? ["kept", "other"] : ["kept"]
    try b.edit { context in
      context.insert(
        "Node", ["name": "kept", "parent": context.insert(owner, ["name": "parent"])])
      context.insert(owner, ["name": "other"])
    }
    try await devices.settle()
    let (older, server) = (try a.backUp(), devices.cloud.withServer { $0 })
    try a.edit { $0.delete(try $0.find(owner, "name", "parent")) }
    try b.edit { context in
      try context.find("Node", "name", "kept")
        .setValue(try context.find(owner, "name", "other"), forKey: "parent")
    }
    if hears {
      try await devices.settle()
      try devices.expect("Node", "name", left)
    }
    switch loss {
    case .ownStoreIsGone: try await a.forgetOwnStore()
    case .ownStoreIsOlder: try await a.forgetOwnStore(but: older)
    case .serverIsOlder: devices.cloud.restore(server)
    case .serverIsEmpty: devices.cloud.restore()
    }
    try await devices.settle()
    try devices.expect("Node", "name", left)
    for phone in devices.phones {
      #expect(
        try phone.read {
          try $0.find("Node", "name", "kept").value(forKeyPath: "parent.name") as? String
        } == "other")
      if !isTree { #expect(try phone.values("Folder", "name") == ["other"]) }
    }
    try await devices.close()
  }

  /// What is deleted and made anew under its identity is referred to again by what referred to it,
  /// on all devices alike.
  @Test(
    arguments: Sample.of(
      [true, false].flatMap { sent in
        [(sent, true, true), (sent, true, false), (sent, false, true), (sent, false, false)]
      }))
  func whatIsMadeAnewIsReferredToAgain(
    isSentBetween: Bool, isNamed: Bool, isMadeHere: Bool
  ) async throws {
    let person = ModelPart.entity(
      "Person", [ModelPart.attribute("pid", .UUIDAttributeType), ModelPart.attribute("name")])
    let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
    let card = ModelPart.entity("Card", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(person, "items", to: item),
      ModelPart.end(item, "owner", to: person, maxCount: 1))
    ModelPart.connect(
      ModelPart.end(person, "card", to: card, maxCount: 1),
      ModelPart.end(card, "holder", to: person, maxCount: 1))
    ModelPart.connect(
      ModelPart.end(person, "seen", to: item), ModelPart.end(item, "by", to: person))
    let model = ModelPart.model([person, item, card])
    var configuration = SyncConfiguration(
      zone: "zone", identities: isNamed ? [:] : ["Person": "pid"])
    if isNamed {
      configuration.identify = { object in
        (object.entity.name == "Person" ? object.value(forKey: "pid") as? UUID : nil)?.uuidString
      }
    }
    let devices = try Devices(model, configuration)
    let a = devices.a
    let id = UUID()
    try a.edit { context in
      let person = context.insert("Person", ["pid": id, "name": "first"])
      let item = context.insert("Item", ["name": "item"])
      item.setValue(person, forKey: "owner")
      item.setValue(Set([person]), forKey: "by")
      context.insert("Card", ["name": "card"]).setValue(person, forKey: "holder")
    }
    try await devices.settle()
    try a.edit { $0.delete(try $0.find("Person", "name", "first")) }
    if isSentBetween { try await devices.settle() }
    let maker = isMadeHere || !isSentBetween ? a : devices.b
    try maker.edit { $0.insert("Person", ["pid": id, "name": "second"]) }
    try await devices.settleWholly()
    let newcomer = try await devices.newcomer(model)
    let pictures = try (devices.phones + [newcomer]).map { phone in
      try phone.read { context in
        let item = try context.find("Item", "name", "item")
        let card = try context.find("Card", "name", "card")
        return [
          "\(item.value(forKeyPath: "owner.name") ?? "-")", "\(item.names("by"))",
          "\(card.value(forKeyPath: "holder.name") ?? "-")",
        ]
      }
    }
    for picture in pictures { #expect(picture == pictures[0]) }
    #expect(pictures[0].first == "second")
    try await newcomer.engine.close()
    try await devices.close()
  }

  /// A deletion that was denied, and undone, is not one after sync's own store is gone.
  @Test func aDeniedDeletionIsNoneLater() async throws {
    let folder = ModelPart.entity("Folder", [ModelPart.attribute("name")])
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(folder, "lists", to: list, rule: .denyDeleteRule),
      ModelPart.end(list, "folder", to: folder, maxCount: 1))
    let devices = try Devices(ModelPart.model([folder, list]))
    let (a, b) = (devices.a, devices.b)
    try b.edit { $0.insert("Folder", ["name": "folder"]) }
    try await devices.settle()
    try b.edit { $0.delete(try $0.find("Folder", "name", "folder")) }
    try a.edit { context in
      context.insert(
        "List", ["name": "list", "folder": try context.find("Folder", "name", "folder")])
    }
    try await a.sync()
    try await devices.settle()
    try devices.expect("Folder", "name", ["folder"])
    try await b.forgetOwnStore()
    try await devices.settle()
    try devices.expect("Folder", "name", ["folder"])
    for phone in devices.phones {
      let name = try phone.read {
        try $0.find("List", "name", "list").value(forKeyPath: "folder.name")
      }
      #expect(name as? String == "folder")
    }
    try await devices.close()
  }
}
