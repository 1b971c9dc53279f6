import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Delete rules by the shape of the relationship, by what somebody does meanwhile, and by who comes
/// first.
@Suite struct EndsTests {
  enum Shape: String, CaseIterable { case toOne, toMany, ordered, manyToMany, selfToMany, oneWay }
  enum Rule: String, CaseIterable {
    case nullify, cascade, deny, noAction
    var rule: NSDeleteRule {
      switch self {
      case .nullify: .nullifyDeleteRule
      case .cascade: .cascadeDeleteRule
      case .deny: .denyDeleteRule
      case .noAction: .noActionDeleteRule
      }
    }
  }
  enum Meanwhile: String, CaseIterable {
    case nothing, editParent, editChild, addChild, moveChild, takeChildOut, deleteChild
    case deleteParentToo
  }

  private static func model(_ shape: Shape, _ rule: Rule) -> NSManagedObjectModel {
    let parent = ModelPart.entity(
      "Node", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    let child =
      shape == .selfToMany
      ? parent
      : ModelPart.entity("Leaf", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    let down = ModelPart.end(
      parent, "down", to: child, maxCount: shape == .toOne ? 1 : 0, rule: rule.rule,
      isOrdered: shape == .ordered)
    if shape != .oneWay {
      ModelPart.connect(
        down, ModelPart.end(child, "up", to: parent, maxCount: shape == .manyToMany ? 0 : 1))
    }
    return ModelPart.model(shape == .selfToMany ? [parent] : [parent, child])
  }

  private static func hang(
    _ child: NSManagedObject, _ parent: NSManagedObject, _ shape: Shape
  ) {
    switch shape {
    case .toOne: parent.setValue(child, forKey: "down")
    case .ordered: parent.mutableOrderedSetValue(forKey: "down").add(child)
    default: parent.mutableSetValue(forKey: "down").add(child)
    }
  }

  private static func unhang(
    _ child: NSManagedObject, _ parent: NSManagedObject, _ shape: Shape
  ) {
    switch shape {
    case .toOne: parent.setValue(nil, forKey: "down")
    case .ordered: parent.mutableOrderedSetValue(forKey: "down").remove(child)
    default: parent.mutableSetValue(forKey: "down").remove(child)
    }
  }

  /// What a phone shows: each object with the note that somebody wrote and the names below it.
  private static func picture(_ phone: Phone, _ shape: Shape) throws -> [String] {
    try phone.read { (context) throws in
      let entities = shape == .selfToMany ? ["Node"] : ["Node", "Leaf"]
      return try entities.flatMap { entity in
        try context.all(entity).map { object in
          var below: [String] = []
          if entity == "Node" {
            below =
              shape == .toOne
              ? [object.value(forKeyPath: "down.name") as? String ?? "-"] : object.names("down")
          }
          return """
            \(object.value(forKey: "name") ?? "-") \(object.value(forKey: "note") ?? "-") \(below)
            """
        }
      }.sorted()
    }
  }

  private static func make(_ devices: Devices, _ shape: Shape) async throws {
    let leaf = shape == .selfToMany ? "Node" : "Leaf"
    try devices.a.edit { context in
      for parent in ["p", "q"] {
        let node = context.insert("Node", ["name": parent])
        for number in shape == .toOne ? [1] : [1, 2] {
          hang(context.insert(leaf, ["name": "\(parent)\(number)"]), node, shape)
        }
      }
    }
    try await devices.settleWholly()
  }

  /// Nil for what the store itself refuses.
  private static func deleteParent(_ phone: Phone, _ shape: Shape, _ rule: Rule) throws {
    try phone.edit { context in
      let parent = try context.find("Node", "name", "p")
      if rule == .deny {
        // Whoever deletes takes out what hangs on it first.
        let leaf = shape == .selfToMany ? "Node" : "Leaf"
        for name in shape == .toOne ? ["p1"] : ["p1", "p2"] {
          unhang(try context.find(leaf, "name", name), parent, shape)
        }
        context.processPendingChanges()
      }
      context.delete(parent)
    }
  }

  private static func act(_ phone: Phone, _ what: Meanwhile, _ shape: Shape) throws {
    try phone.edit { context in
      let leaf = shape == .selfToMany ? "Node" : "Leaf"
      let parent = try context.find("Node", "name", "p")
      let child = try context.find(leaf, "name", "p1")
      switch what {
      case .nothing: break
      case .editParent: parent.setValue("edited", forKey: "note")
      case .editChild: child.setValue("edited", forKey: "note")
      case .addChild: hang(context.insert(leaf, ["name": "new"]), parent, shape)
      case .moveChild:
        if shape == .manyToMany || shape == .oneWay { unhang(child, parent, shape) }
        hang(child, try context.find("Node", "name", "q"), shape)
      case .takeChildOut: unhang(child, parent, shape)
      case .deleteChild: context.delete(child)
      case .deleteParentToo: break
      }
    }
  }

  /// One deletes the parent, the other does something: both show the same, nothing is sent for ever,
  /// and what the rule says of the children holds.
  @Test(arguments: Sample.of(Shape.allCases, Rule.allCases))
  func aParentGoesWhileSomethingIsDone(_ shape: Shape, _ rule: Rule) async throws {
    for (index, what) in Meanwhile.allCases.enumerated() {
      let deleterIsFirst = (index + (Shape.allCases.firstIndex(of: shape) ?? 0)) % 2 == 0
      try await Self.run(shape, rule, what, deleterIsFirst)
    }
  }

  private static func run(
    _ shape: Shape, _ rule: Rule, _ what: Meanwhile, _ deleterIsFirst: Bool
  ) async throws {
    let name = "\(shape) \(rule) \(what) \(deleterIsFirst)"
    let devices = try Devices(Self.model(shape, rule))
    let (a, b) = (devices.a, devices.b)
    try await Self.make(devices, shape)
    try Self.act(b, what, shape)
    if what == .deleteParentToo { try Self.deleteParent(b, shape, rule) }
    try Self.deleteParent(a, shape, rule)
    for phone in deleterIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settle()
    let pictures = try devices.phones.map { try Self.picture($0, shape) }
    #expect(pictures[0] == pictures[1], "\(name)")
    for phone in devices.phones {
      #expect(phone.engine.status.toSend == 0, "\(name)")
      #expect(phone.engine.status.held.isEmpty, "\(name): \(phone.engine.status.held)")
    }
    let pushes = devices.phones.map(\.line.pushes.count)
    try await devices.settle()
    #expect(devices.phones.map(\.line.pushes.count) == pushes, "\(name)")
    let names = Set(pictures[0].map { $0.prefix { $0 != " " } }.map(String.init))
    Self.check(names, shape, rule, what, name)
    // What is not concerned is as it was.
    #expect(names.contains("q"), "\(name)")
    let third = try await devices.newcomer(Self.model(shape, rule))
    #expect(try Self.picture(third, shape) == pictures[0], "\(name), a newcomer")
    try await third.engine.close()
    try await devices.close()
  }

  private static func check(
    _ names: Set<String>, _ shape: Shape, _ rule: Rule, _ what: Meanwhile, _ name: String
  ) {
    let isParentBack =
      rule == .deny && what == .addChild
      && ![.oneWay, .manyToMany].contains(shape)
    if shape != .oneWay || rule != .deny {
      #expect(names.contains("p") == isParentBack, "\(name): \(names)")
    }
    let children: Set<String> = shape == .toOne ? ["p1"] : ["p1", "p2"]
    switch (rule, what) {
    case (.nullify, .deleteChild), (.deny, .deleteChild), (.noAction, .deleteChild):
      #expect(names.isDisjoint(with: ["p1"]), "\(name): \(names)")
    case (.nullify, _), (.deny, _), (.noAction, _):
      #expect(names.isSuperset(of: children), "\(name): \(names)")
      if what == .addChild { #expect(names.contains("new"), "\(name): \(names)") }
    case (.cascade, .nothing), (.cascade, .editParent), (.cascade, .editChild):
      #expect(names.isDisjoint(with: children), "\(name): \(names)")
    case (.cascade, .moveChild), (.cascade, .takeChildOut):
      if shape != .manyToMany && shape != .oneWay {
        #expect(names.contains("p1"), "\(name): \(names)")
      }
    case (.cascade, .addChild):
      if shape == .toMany || shape == .ordered || shape == .selfToMany {
        #expect(!names.contains("new"), "\(name): \(names)")
      }
    case (.cascade, _): break
    }
  }

  /// The edit that went with a deleted parent is told, at whatever depth, and by all who lost one.
  @Test(arguments: [1, 2, 4])
  func whatEachTypedUnderWhatIsDeletedIsTold(depth: Int) async throws {
    let node = ModelPart.entity("Node", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    ModelPart.connect(
      ModelPart.end(node, "down", to: node, rule: .cascadeDeleteRule),
      ModelPart.end(node, "up", to: node, maxCount: 1)
    )
    let model = ModelPart.model([node])
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { context in
      var up = context.insert("Node", ["name": "0"])
      for level in 1...depth { up = context.insert("Node", ["name": "\(level)", "up": up]) }
    }
    try await devices.settle()
    for phone in devices.phones.dropFirst() {
      try phone.edit { try $0.find("Node", "name", "\(depth)").setValue("typed", forKey: "note") }
    }
    try devices.a.edit { try $0.delete($0.find("Node", "name", "0")) }
    try await devices.settleWholly()
    try devices.expect("Node", "name", [])
    for phone in devices.phones.dropFirst() {
      let told = phone.engine.status.losses
      #expect(told.contains { $0.property == "note" && $0.value == .text("typed") }, "\(told)")
    }
  }

  /// With "edit wins" an edit brings back what was deleted, with what it hangs on, what hangs on it
  /// and where it was in its list.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func anEditBringsBackWhatItHangsOn(deleterIsFirst: Bool, editsChild: Bool) async throws {
    try await revive(deleterIsFirst: deleterIsFirst, editsChild: editsChild)
  }

  private func revive(deleterIsFirst: Bool, editsChild: Bool) async throws {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity("Item", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    for entity in [list, item] {
      entity.userInfo = [SyncConfiguration.Annotation.editWins: "YES"]
    }
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    let devices = try Devices(ModelPart.model([list, item]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for name in ["1", "2", "3"] { context.insert("Item", ["name": name, "list": list]) }
    }
    try await devices.settle()
    try a.edit {
      try $0.delete($0.find(editsChild ? "Item" : "List", "name", editsChild ? "2" : "l"))
    }
    try b.edit { context in
      if editsChild {
        try context.find("Item", "name", "2").setValue("edited", forKey: "note")
      } else {
        try context.find("List", "name", "l").setValue("m", forKey: "name")
      }
    }
    for phone in deleterIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { (context) throws in
        let list = try context.find("List", "name", editsChild ? "l" : "m")
        #expect(list.names("items") == ["1", "2", "3"])
      }
    }
    try devices.expect(
      "Item", "note", editsChild ? ["edited", "nil", "nil"] : ["nil", "nil", "nil"])
  }

  /// A deletion that is later than the edit counts, "edit wins" or not.
  @Test(arguments: [false, true])
  func aDeletionThatIsLaterThanTheEditStays(deleterIsFirst: Bool) async throws {
    let item = ModelPart.entity("Item", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    item.userInfo = [SyncConfiguration.Annotation.editWins: "YES"]
    let devices = try Devices(ModelPart.model([item]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Item", ["name": "1"]) }
    try await devices.settle()
    try b.edit { try $0.find("Item", "name", "1").setValue("edited", forKey: "note") }
    try a.edit { try $0.delete($0.find("Item", "name", "1")) }
    for phone in deleterIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Item", "name", [])
    #expect(b.engine.status.losses.contains { $0.value == .text("edited") })
  }
}
