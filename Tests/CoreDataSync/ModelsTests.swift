import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Models that are large, deep, or full of names that mean something to somebody else.
@Suite struct ModelsTests {
  /// Names that SQL, Foundation or sync's own tables have.
  private static let names = [
    "order", "group", "id", "version", "zone", "select", "table", "index", "values", "record",
    "clock", "life", "entity", "object", "unsent", "alias", "seq", "type", "class", "super", "init",
    "count", "null", "default", "primaryKey", "pk", "zPk", "rowid", "straße", "名前", "имя", "größe",
    "isDead", "position", "reference", "replica", "epoch", "store", "context", "changed", "x",
  ]

  /// Entities and attributes with such names, with a relationship each.
  @Test func namesThatOthersHaveAreNames() async throws {
    func make() -> NSManagedObjectModel {
      let entities = Self.names.map { name in
        let title = name.prefix(1).uppercased() + name.dropFirst()
        return ModelPart.entity(title, Self.names.map { ModelPart.attribute($0) })
      }
      for (entity, next) in zip(entities, entities.dropFirst() + entities.prefix(1)) {
        ModelPart.connect(
          ModelPart.end(entity, "nextOnes", to: next, isOrdered: true),
          ModelPart.end(next, "formerOne", to: entity, maxCount: 1))
      }
      return ModelPart.model(entities)
    }
    let devices = try Devices(make())
    let titles = Self.names.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    try devices.a.edit { context in
      var objects: [NSManagedObject] = []
      for (index, title) in titles.enumerated() {
        var values: [String: Any] = [:]
        for name in Self.names { values[name] = "\(name) of \(index)" }
        objects.append(context.insert(title, values))
      }
      for (object, next) in zip(objects, objects.dropFirst() + objects.prefix(1)) {
        object.mutableOrderedSetValue(forKey: "nextOnes").add(next)
      }
    }
    try await devices.settleWholly()
    try devices.b.edit { context in
      for (index, title) in titles.enumerated() {
        let object = try #require(try context.all(title).first)
        for name in Self.names {
          #expect(
            object.value(forKey: name) as? String == "\(name) of \(index)", "\(title).\(name)")
        }
        #expect(object.value(forKey: "formerOne") != nil, "\(title)")
        object.setValue("of b", forKey: Self.names[index])
      }
    }
    try devices.a.edit { context in
      for title in titles.prefix(5) {
        for object in try context.all(title) { context.delete(object) }
      }
    }
    try await devices.settleWholly()
    for (index, title) in titles.enumerated() {
      try devices.expect(title, Self.names[index], index < 5 ? [] : ["of b"])
    }
  }

  /// An application with 300 entities, in one family and beside each other.
  @Test(arguments: [false, true])
  func threeHundredEntities(inOneFamily: Bool) async throws {
    func make() -> NSManagedObjectModel {
      let entities = (0..<300).map { number in
        ModelPart.entity(
          "Entity\(number)", inOneFamily && number > 0 ? [] : [ModelPart.attribute("name")])
      }
      if inOneFamily { entities[0].subentities = Array(entities.dropFirst()) }
      for (number, entity) in entities.enumerated().dropFirst() where number % 3 == 0 {
        ModelPart.connect(
          ModelPart.end(
            entity, "many\(number)", to: entities[number - 1], rule: .cascadeDeleteRule),
          ModelPart.end(entities[number - 1], "one\(number)", to: entity, maxCount: 1))
      }
      return ModelPart.model(entities)
    }
    let devices = try Devices(make())
    try devices.a.edit { context in
      let objects = (0..<300).map { context.insert("Entity\($0)", ["name": "\($0)"]) }
      for number in stride(from: 3, to: 300, by: 3) {
        objects[number - 1].setValue(objects[number], forKey: "one\(number)")
      }
    }
    try await devices.settleWholly()
    for number in [0, 1, 150, 299] where !(inOneFamily && number == 0) {
      try devices.expect("Entity\(number)", "name", ["\(number)"])
    }
    try devices.b.edit { context in
      for number in stride(from: 3, to: 300, by: 3) {
        for object in try context.all("Entity\(number)") { context.delete(object) }
      }
    }
    try await devices.settleWholly()
    for number in 1..<300 {
      let isGone = number % 3 == 0 || (number % 3 == 2 && number < 299)
      try devices.expect("Entity\(number)", "name", isGone ? [] : ["\(number)"])
    }
  }

  /// An entity of 200 attributes, of which two devices edit other ones, and a hundred relationships.
  @Test func twoHundredAttributes() async throws {
    func make() -> NSManagedObjectModel {
      let target = ModelPart.entity("Target", [ModelPart.attribute("name")])
      let wide = ModelPart.entity(
        "Wide",
        [ModelPart.attribute("name")]
          + (0..<200).map { number in
            ModelPart.attribute(
              "a\(number)", number % 2 == 0 ? .stringAttributeType : .integer64AttributeType)
          })
      for number in 0..<100 {
        ModelPart.connect(
          ModelPart.end(wide, "to\(number)", to: target, maxCount: 1),
          ModelPart.end(target, "from\(number)", to: wide))
      }
      return ModelPart.model([wide, target])
    }
    let devices = try Devices(make())
    try devices.a.edit { context in
      let target = context.insert("Target", ["name": "t"])
      let wide = context.insert("Wide", ["name": "w"])
      for number in 0..<100 { wide.setValue(target, forKey: "to\(number)") }
    }
    try await devices.settleWholly()
    for (index, phone) in devices.phones.enumerated() {
      try phone.edit { context in
        let wide = try context.find("Wide", "name", "w")
        for number in stride(from: index, to: 200, by: 2) {
          let value: Any = number % 2 == 0 ? "\(number)" : number
          wide.setValue(value, forKey: "a\(number)")
        }
        for number in stride(from: index, to: 100, by: 2) {
          wide.setValue(nil, forKey: "to\(number)")
        }
      }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let wide = try context.find("Wide", "name", "w")
        for number in 0..<200 {
          #expect("\(wide.value(forKey: "a\(number)") ?? "nil")" == "\(number)")
        }
        for number in 0..<100 { #expect(wide.value(forKey: "to\(number)") == nil) }
      }
    }
  }

  /// Names as long as SQLite takes them.
  @Test(arguments: [100, 1_000, 10_000])
  func longNamesOfEntitiesAndAttributes(length: Int) async throws {
    let entity = "E" + String(repeating: "n", count: length)
    let attribute = "a" + String(repeating: "n", count: length)
    let devices = try Devices(
      ModelPart.model([ModelPart.entity(entity, [ModelPart.attribute(attribute)])]))
    try devices.a.edit { $0.insert(entity, [attribute: "x"]) }
    try await devices.settleWholly()
    try devices.expect(entity, attribute, ["x"])
    try devices.b.edit { try $0.find(entity, attribute, "x").setValue("y", forKey: attribute) }
    try await devices.settleWholly()
    try devices.expect(entity, attribute, ["y"])
  }

  private static func family() -> NSManagedObjectModel {
    let owner = ModelPart.entity("Owner", [ModelPart.attribute("name")])
    let base = ModelPart.entity("Base", [ModelPart.attribute("name"), ModelPart.counter("count")])
    base.isAbstract = true
    let middle = ModelPart.entity("Middle", [ModelPart.attribute("middle")])
    let last = ModelPart.entity("Last", [ModelPart.attribute("last")])
    let other = ModelPart.entity("Other", [ModelPart.attribute("other")])
    middle.subentities = [last]
    base.subentities = [middle, other]
    ModelPart.connect(
      ModelPart.end(owner, "all", to: base, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(base, "owner", to: owner, maxCount: 1, isOptional: false))
    ModelPart.connect(
      ModelPart.end(middle, "peers", to: base), ModelPart.end(base, "peersOf", to: middle))
    ModelPart.connect(
      ModelPart.end(last, "best", to: base, maxCount: 1),
      ModelPart.end(base, "bestOf", to: last, maxCount: 1)
    )
    return ModelPart.model([owner, base, middle, last, other])
  }

  /// A family three deep with relationships to its abstract parent, of every kind, edited by both.
  @Test(arguments: [false, true])
  func relationshipsToAnAbstractParent(isTurned: Bool) async throws {
    let devices = try Devices(Self.family())
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let owner = context.insert("Owner", ["name": "o"])
      context.insert("Owner", ["name": "p"])
      let middle = context.insert("Middle", ["name": "m", "owner": owner, "middle": "x"])
      let last = context.insert("Last", ["name": "l", "owner": owner, "middle": "y", "last": "z"])
      let other = context.insert("Other", ["name": "t", "owner": owner])
      middle.setValue(Set([last, other, middle]), forKey: "peers")
      last.setValue(other, forKey: "best")
    }
    try await devices.settleWholly()
    try a.edit { context in
      let last = try context.find("Last", "name", "l")
      try context.find("Middle", "name", "m").mutableSetValue(forKey: "peers").remove(last)
      try last.setValue(context.find("Middle", "name", "m"), forKey: "best")
      last.setValue(2, forKey: "count")
      try context.find("Owner", "name", "o").mutableOrderedSetValue(forKey: "all")
        .moveObjects(at: IndexSet(integer: 2), to: 0)
    }
    try b.edit { context in
      let last = try context.find("Last", "name", "l")
      last.mutableSetValue(forKey: "peers").add(try context.find("Other", "name", "t"))
      last.setValue(3, forKey: "count")
      try context.find("Other", "name", "t").setValue(
        context.find("Owner", "name", "p"), forKey: "owner")
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let last = try context.find("Last", "name", "l")
        #expect(try context.find("Middle", "name", "m").names("peers") == ["m", "t"])
        #expect(last.names("peers") == ["t"])
        #expect(last.value(forKeyPath: "best.name") as? String == "m")
        #expect(last.value(forKey: "count") as? Int == 5)
        #expect(try context.find("Owner", "name", "p").names("all") == ["t"])
        #expect(try context.find("Owner", "name", "o").names("all") == ["m", "l"])
      }
    }
    try b.edit { try $0.delete($0.find("Owner", "name", "o")) }
    try await devices.settleWholly()
    try devices.expect("Base", "name", ["t"])
  }

  /// Several relationships between two entities, with and without inverse, required and not: each
  /// keeps its own ends.
  @Test func manyRelationshipsBetweenTwoEntities() async throws {
    let one = ModelPart.entity("One", [ModelPart.attribute("name")])
    let two = ModelPart.entity("Two", [ModelPart.attribute("name")])
    for (name, max, isOrdered) in [("a", 1, false), ("b", 0, false), ("c", 0, true)] {
      ModelPart.connect(
        ModelPart.end(one, name, to: two, maxCount: max, isOrdered: isOrdered),
        ModelPart.end(two, name + "Of", to: one, maxCount: name == "c" ? 1 : 0))
    }
    ModelPart.end(one, "plain", to: two, maxCount: 1)
    ModelPart.end(two, "plainOnes", to: one)
    let devices = try Devices(ModelPart.model([one, two]))
    try devices.a.edit { context in
      let twos = ["1", "2", "3"].map { context.insert("Two", ["name": $0]) }
      let object = context.insert(
        "One", ["name": "x", "a": twos[0], "b": Set(twos[0...1]), "plain": twos[2]])
      object.mutableOrderedSetValue(forKey: "c").addObjects(from: [twos[2], twos[0]])
      twos[1].setValue(Set([object]), forKey: "plainOnes")
    }
    try await devices.settleWholly()
    try devices.b.edit { context in
      let object = try context.find("One", "name", "x")
      object.setValue(try context.find("Two", "name", "2"), forKey: "a")
      object.mutableOrderedSetValue(forKey: "c").insert(
        try context.find("Two", "name", "2"), at: 1)
    }
    try devices.a.edit { context in
      try context.delete(context.find("Two", "name", "3"))
      try context.find("One", "name", "x").mutableSetValue(forKey: "b")
        .remove(context.find("Two", "name", "1"))
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let object = try context.find("One", "name", "x")
        #expect(object.value(forKeyPath: "a.name") as? String == "2")
        #expect(object.names("b") == ["2"])
        #expect(object.names("c") == ["2", "1"])
        #expect(object.value(forKey: "plain") == nil)
        #expect(try context.find("Two", "name", "2").names("plainOnes") == ["x"])
      }
    }
  }

  /// Two versions of a model at once, the new one first or last to sync: with a new entity between
  /// two old ones, a new required attribute with a default, one that is gone, and a relationship
  /// that has become required.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func twoVersionsOfAModelAtOnce(newIsFirst: Bool, editsBefore: Bool) async throws {
    func make(isNew: Bool) -> NSManagedObjectModel {
      let list = ModelPart.entity("List", [ModelPart.attribute("name")])
      let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
      ModelPart.connect(
        ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
        ModelPart.end(item, "list", to: list, maxCount: 1))
      guard isNew else {
        item.properties.append(ModelPart.attribute("old"))
        return ModelPart.model([list, item])
      }
      item.properties.append(
        ModelPart.attribute("rank", .integer64AttributeType, default: 7, isOptional: false))
      let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
      tag.uniquenessConstraints = [["name"]]
      ModelPart.connect(ModelPart.end(item, "tags", to: tag), ModelPart.end(tag, "items", to: item))
      return ModelPart.model([list, item, tag])
    }
    let devices = try Devices(
      make(isNew: false), others: [make(isNew: true)], newest: make(isNew: true))
    let (old, new) = (devices.a, devices.b)
    try old.edit { context in
      let list = context.insert("List", ["name": "l"])
      context.insert("Item", ["name": "1", "old": "o", "list": list])
    }
    if editsBefore { try await devices.settleWholly() }
    try new.edit { context in
      let list = try context.all("List").first ?? context.insert("List", ["name": "of new"])
      let tag = context.insert("Tag", ["name": "t"])
      let item = context.insert("Item", ["name": "2", "rank": 9, "list": list])
      item.setValue(Set([tag]), forKey: "tags")
    }
    try old.edit { context in
      try context.find("Item", "name", "1").setValue("p", forKey: "old")
      let list = try context.find("List", "name", "l")
      context.insert("Item", ["name": "3", "list": list])
    }
    for phone in newIsFirst ? [new, old] : [old, new] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["1", "2", "3"])
    #expect(try new.values("Item", "rank") == ["7", "7", "9"])
    try old.edit { try $0.find("Item", "name", "2").setValue("2x", forKey: "name") }
    try new.edit { try $0.find("Item", "name", "1").setValue(1, forKey: "rank") }
    try await devices.settleWholly()
    // The old one is updated, and has everything that it did not know.
    try await old.restart(model: make(isNew: true))
    try await devices.settleWholly()
    try devices.expect("Item", "rank", ["1", "7", "9"])
    try devices.expect("Tag", "name", ["t"])
    #expect(try old.read { try $0.find("Tag", "name", "t").names("items") } == ["2x"])
    let third = try await devices.newcomer(make(isNew: true))
    #expect(try third.values("Item", "rank") == ["1", "7", "9"])
  }
}
