import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSync

/// Every kind of property that a model may have.
@Suite struct PropertiesTests {
  private func make() throws -> (Phone, Phone) {
    let cloud = Cloud(model: ThingsModel.model, configuration: ThingsModel.configuration)
    func phone() throws -> Phone {
      try Phone(cloud, model: ThingsModel.model, configuration: ThingsModel.configuration)
    }
    return (try phone(), try phone())
  }

  private func settle(_ a: Phone, _ b: Phone) async throws {
    for phone in [a, b, a, b] { try await phone.sync() }
  }

  @Test func valuesOfEveryTypeArrive() async throws {
    let (a, b) = try make()
    let uuid = UUID()
    let values: [String: Any] = [
      "name": "n", "integer": -5, "double": 0.25, "flag": true,
      "price": NSDecimalNumber(string: "12.50"), "date": Date(timeIntervalSinceReferenceDate: 1.5),
      "data": Data([1, 2, 3]), "uuid": uuid, "link": URL(string: "https://a.b/c")!,
      "list": ["x", "y"] as NSArray, "place": ["x": 1, "label": "home"] as [String: Any],
      "passing": "not synced",
    ]
    try a.edit { $0.insert("Person", values) }
    try await settle(a, b)
    try b.read { context in
      let person = try context.find("Person", "name", "n")
      #expect((person.value(forKey: "integer") as? NSNumber)?.intValue == -5)
      #expect((person.value(forKey: "double") as? NSNumber)?.doubleValue == 0.25)
      #expect((person.value(forKey: "flag") as? NSNumber)?.boolValue == true)
      #expect("\(person.value(forKey: "price") ?? "")" == "12.5")
      #expect(
        person.value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
      #expect(person.value(forKey: "data") as? Data == Data([1, 2, 3]))
      #expect(person.value(forKey: "uuid") as? UUID == uuid)
      #expect(person.value(forKey: "link") as? URL == URL(string: "https://a.b/c"))
      let list = (person.value(forKey: "list") as? NSArray)?.compactMap { $0 as? String }
      #expect(list == ["x", "y"])
      let place = person.value(forKey: "place") as? [String: Any]
      #expect((place?["x"] as? NSNumber)?.intValue == 1)
      #expect(place?["label"] as? String == "home")
      #expect(person.value(forKey: "passing") == nil)
    }
    #expect(a.engine.status.toSend == 0)
    let pushes = b.line.pushes.count
    try await settle(a, b)
    #expect(b.line.pushes.count == pushes)
  }

  @Test(arguments: ["integer", "double", "price"])
  func countersOfEveryTypeAddUp(_ kind: String) async throws {
    let (a, b) = try make()
    let name = "\(kind)Counter"
    try a.edit { $0.insert("Robot", ["name": "r"]) }
    try await settle(a, b)
    for (phone, amount) in [(a, "2"), (b, "-5")] {
      try phone.edit { context in
        try context.find("Robot", "name", "r").setValue(
          NSDecimalNumber(string: amount), forKey: name)
      }
    }
    try await settle(a, b)
    for phone in [a, b] {
      let values = try phone.values("Robot", name)
      #expect(values.compactMap { Double($0) } == [-3])
    }
  }

  @Test func objectsOfSubentitiesAreOfTheirEntity() async throws {
    let (a, b) = try make()
    try a.edit { context in
      let person = context.insert("Person", ["name": "p"])
      context.insert("Robot", ["name": "r", "owner": person, "parent": person])
    }
    try await settle(a, b)
    try b.read { context in
      #expect(
        try context.all("Thing").map { $0.entity.name }.sorted { $0! < $1! } == ["Person", "Robot"])
      let robot = try context.find("Robot", "name", "r")
      #expect(robot.value(forKeyPath: "owner.name") as? String == "p")
      #expect(robot.value(forKeyPath: "parent.name") as? String == "p")
    }
  }

  @Test func aRelationshipThatIsItsOwnInverseHoldsBothWays() async throws {
    let (a, b) = try make()
    try a.edit { context in
      let people = ["p", "q", "r"].map { context.insert("Person", ["name": $0]) }
      people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "friends")
      people[0].setValue(people[1], forKey: "spouse")
    }
    try await settle(a, b)
    try b.edit { context in
      let p = try context.find("Person", "name", "p")
      #expect(names(p, "friends") == ["q", "r"])
      #expect(p.value(forKeyPath: "spouse.name") as? String == "q")
      let q = try context.find("Person", "name", "q")
      #expect(names(q, "friends") == ["p"])
      q.mutableSetValue(forKey: "friends").remove(p)
      q.mutableSetValue(forKey: "friends").add(try context.find("Person", "name", "r"))
      p.setValue(try context.find("Person", "name", "r"), forKey: "spouse")
    }
    try await settle(a, b)
    for phone in [a, b] {
      try phone.read { context in
        #expect(names(try context.find("Person", "name", "p"), "friends") == ["r"])
        #expect(names(try context.find("Person", "name", "q"), "friends") == ["r"])
        #expect(names(try context.find("Person", "name", "r"), "friends") == ["p", "q"])
        let r = try context.find("Person", "name", "r")
        #expect(r.value(forKeyPath: "spouse.name") as? String == "p")
        #expect(try context.find("Person", "name", "q").value(forKey: "spouse") == nil)
      }
    }
  }

  @Test func relationshipsToManyWithoutAnInverseAndOrderedOnesToMany() async throws {
    let (a, b) = try make()
    try a.edit { context in
      let labels = ["l", "m"].map { context.insert("Label", ["name": $0]) }
      let person = context.insert("Person", ["name": "p", "labels": NSSet(array: labels)])
      let books = ["b", "c"].map { context.insert("Book", ["name": $0]) }
      person.setValue(NSOrderedSet(array: books), forKey: "books")
    }
    try await settle(a, b)
    try b.edit { context in
      let person = try context.find("Person", "name", "p")
      #expect(names(person, "labels") == ["l", "m"])
      #expect(names(person, "books") == ["b", "c"])
      context.delete(try context.find("Label", "name", "l"))
      person.mutableOrderedSetValue(forKey: "books").remove(try context.find("Book", "name", "b"))
    }
    try await settle(a, b)
    for phone in [a, b] {
      try phone.read { context in
        let person = try context.find("Person", "name", "p")
        #expect(names(person, "labels") == ["m"])
        #expect(names(person, "books") == ["c"])
      }
    }
  }

  @Test func aClassThatEditsItsObjectsWhenTheyAreSavedDoesNotBreakSync() async throws {
    let (a, b) = try make()
    try a.edit { $0.insert("Book", ["name": "one"]) }
    try await settle(a, b)
    try b.edit { try $0.find("Book", "name", "one").setValue("two", forKey: "name") }
    try await settle(a, b)
    try await settle(a, b)
    #expect(try a.values("Book", "name") == ["two"])
    #expect(try a.values("Book", "stamp") == b.values("Book", "stamp"))
    #expect(try a.values("Book", "stamp") == ["two!"])
  }

  private func names(_ object: NSManagedObject, _ relationship: String) -> [String] {
    let objects: [Any] =
      switch object.value(forKey: relationship) {
      case let list as NSOrderedSet: list.array
      case let set as NSSet: set.allObjects
      case let set as Set<NSManagedObject>: Array(set)
      default: []
      }
    return objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
      .sorted()
  }
}

/// A book that stamps itself whenever it is saved.
final class StampingBook: NSManagedObject {
  override func willSave() {
    super.willSave()
    let stamp = (value(forKey: "name") as? String).map { $0 + "!" }
    if !isDeleted, value(forKey: "stamp") as? String != stamp { setValue(stamp, forKey: "stamp") }
  }
}

/// | entity | what is in it |
/// |---|---|
/// | Thing | abstract: name, parent (to Thing), labels (to many, without inverse) |
/// | Person: Thing | attributes of every type; friends, spouse (their own inverses), books, robots |
/// | Robot: Thing | counters; owner |
/// | Book | name, stamp; readers |
/// | Label | name |
enum ThingsModel {
  static let configuration = SyncConfiguration(zone: "zone")
  static let model: NSManagedObjectModel = {
    ManagedObjectClasses.register(
      "StampingBook", module: "CoreDataSyncTests", type: StampingBook.self
    ) { StampingBook(entity: $0, insertInto: $1) }
    let label = ModelPart.entity("Label", [ModelPart.attribute("name")])
    let book = ModelPart.entity(
      "Book", [ModelPart.attribute("name"), ModelPart.attribute("stamp")])
    book.managedObjectClassName = "StampingBook"
    let thing = ModelPart.entity("Thing", [ModelPart.attribute("name")])
    thing.isAbstract = true
    let person = ModelPart.entity("Person", personAttributes)
    let robot = ModelPart.entity(
      "Robot",
      [
        counter("integerCounter", .integer32AttributeType),
        counter("doubleCounter", .doubleAttributeType),
        counter("priceCounter", .decimalAttributeType),
      ])
    thing.subentities = [person, robot]
    relate(thing, "parent", to: thing, max: 1, inverse: (thing, "parts", 0))
    relate(thing, "labels", to: label, max: 0, inverse: nil)
    relate(robot, "owner", to: person, max: 1, inverse: (person, "robots", 0))
    relate(person, "books", to: book, max: 0, inverse: (book, "readers", 0))
    person.relationshipsByName["books"]?.isOrdered = true
    for (name, max) in [("friends", 0), ("spouse", 1)] {
      let relationship = relate(person, name, to: person, max: max, inverse: nil)
      relationship.inverseRelationship = relationship
    }
    return ModelPart.model([label, book, thing, person, robot])
  }()

  private static var personAttributes: [NSAttributeDescription] {
    let passing = ModelPart.attribute("passing")
    passing.isTransient = true
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [
      ModelPart.attribute("x", .integer64AttributeType), ModelPart.attribute("label"),
    ]
    let list = ModelPart.attribute("list", .transformableAttributeType)
    list.valueTransformerName = "NSSecureUnarchiveFromData"
    return [
      ModelPart.attribute("integer", .integer16AttributeType),
      ModelPart.attribute("double", .doubleAttributeType),
      ModelPart.attribute("flag", .booleanAttributeType),
      ModelPart.attribute("price", .decimalAttributeType),
      ModelPart.attribute("date", .dateAttributeType),
      ModelPart.attribute("data", .binaryDataAttributeType),
      ModelPart.attribute("uuid", .UUIDAttributeType),
      ModelPart.attribute("link", .URIAttributeType), list, place,
      passing,
    ]
  }

  private static func counter(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let counter = ModelPart.attribute(name, type)
    counter.userInfo = [SyncConfiguration.Annotation.counter: "YES"]
    return counter
  }

  @discardableResult
  private static func relate(
    _ entity: NSEntityDescription, _ name: String, to target: NSEntityDescription, max: Int,
    inverse: (entity: NSEntityDescription, name: String, max: Int)?
  ) -> NSRelationshipDescription {
    let relationship = ModelPart.end(entity, name, to: target, maxCount: max)
    if let inverse {
      let other = relate(
        inverse.entity, inverse.name, to: entity, max: inverse.max, inverse: nil)
      ModelPart.connect(relationship, other)
    }
    return relationship
  }
}
