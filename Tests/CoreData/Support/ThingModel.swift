import CoreDataSupport
import Foundation

@testable import CoreData

/// Things of every attribute type, one of them special; with a parent and children, with tags
/// (many-to-many) and with steps in their order.
enum ThingModel {
  static func make() -> NSManagedObjectModel {
    let thing = ModelPart.entity("Thing")
    let special = ModelPart.entity("Special")
    let tag = ModelPart.entity("Tag")
    let step = ModelPart.entity("Step")
    thing.subentities = [special]
    thing.properties = attributes
    special.properties = [ModelPart.attribute("rank", .integer16AttributeType)]
    tag.properties = [
      ModelPart.attribute("name"),
      ModelPart.attribute("weight", .doubleAttributeType),
    ]
    step.properties = [ModelPart.attribute("name")]
    ModelPart.join(thing, "parent", 1, thing, "children", 0)
    ModelPart.join(thing, "tags", 0, tag, "things", 0)
    ModelPart.join(step, "thing", 1, thing, "steps", 0, isInverseOrdered: true)
    return ModelPart.model([thing, special, tag, step])
  }

  private static var attributes: [NSPropertyDescription] {
    [
      ("number", .integer64AttributeType), ("small", .integer16AttributeType),
      ("medium", .integer32AttributeType), ("large", .integer64AttributeType),
      ("flag", .booleanAttributeType), ("double", .doubleAttributeType),
      ("float", .floatAttributeType), ("decimal", .decimalAttributeType),
      ("text", .stringAttributeType), ("other", .stringAttributeType),
      ("date", .dateAttributeType), ("data", .binaryDataAttributeType),
      ("uuid", .UUIDAttributeType), ("link", .URIAttributeType),
    ].map { ModelPart.attribute($0, $1) }
  }

}

extension [NSManagedObject] {
  /// The numbers of things, in order.
  var numbers: [Int] { compactMap { $0.value(forKey: "number") as? Int }.sorted() }
}

/// What an object of ``ThingModel`` is made of, without Core Data.
struct PlainThing {
  var isSpecial = false
  var integers: [String: Int64] = [:]
  var reals: [String: Double] = [:]
  var texts: [String: String] = [:]
  var decimal: Decimal?
  var date: Date?
  var data: Data?
  var uuid: UUID?
  var link: URL?
  var parent: Int?
  var tags: Set<Int> = []
  var steps: [Int] = []
}

struct PlainTag {
  var name: String?
  var weight: Double?
}

/// All values and objects that generated predicates are asked about.
struct PlainThings {
  static let words = [
    "", "a", "A", "b", "Ab", "ab", "é", "e\u{301}", "E\u{301}", "e", "äb", "ß", "ss", "SS", "ẞ",
    "straße", "STRASSE", "İ", "i", "I", "ı", "i\u{307}", "ﬁ", "fi", "Σ", "ς", "日本", "😀", "a b",
    "b%",
    "a_b", "*", "a*", "Å", "\u{212B}", "\u{212A}", "k", "zebra",
  ]
  /// Those that servers compare without case as memory does.
  static let plainWords = words.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
  static let numbers: [Int64] = [-3, -1, 0, 1, 2, 3, 7, 40]
  static let large: [Int64] = [0, 1, 1 << 40, .max, .min, -5, 9_007_199_254_740_993]
  static let reals = [-2.5, -1, 0, 0.1, 0.25, 1, 2, 1e10, 9_007_199_254_740_992]
  static let decimals = ["0.1", "0.25", "1", "-3", "2.5", "0.3", "100"].map { Decimal(string: $0)! }
  static let dates = [-1e9, 0, 0.5, 1000].map { Date(timeIntervalSinceReferenceDate: $0) }
  static let data = [Data(), Data([0]), Data([1, 2]), Data("a".utf8)]
  static let uuids = [
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000001",
  ]
  .map { UUID(uuidString: $0)! }
  static let links = ["http://a.example/x", "file:///b"].map { URL(string: $0)! }

  var things: [PlainThing] = []
  var tags: [PlainTag] = []
  var steps: [String?] = []

  init(_ random: inout SplitMix64, words: [String] = Self.words) {
    func maybe<Value>(_ values: [Value]) -> Value? {
      Int.random(in: 0..<4, using: &random) == 0 ? nil : values.randomElement(using: &random)
    }
    tags = (0..<5).map { _ in
      PlainTag(name: maybe(words), weight: maybe([-0.5, 0, 0.5, 1, 2]))
    }
    for index in 0..<18 {
      var thing = PlainThing(isSpecial: index % 4 == 3)
      for name in ["small", "medium"] { thing.integers[name] = maybe(Self.numbers) }
      thing.integers["large"] = maybe(Self.large)
      thing.integers["flag"] = maybe([0, 1])
      if thing.isSpecial { thing.integers["rank"] = maybe(Self.numbers) }
      thing.reals["double"] = maybe(Self.reals)
      thing.reals["float"] = maybe(Self.reals).map { Double(Float($0)) }
      for name in ["text", "other"] { thing.texts[name] = maybe(words) }
      (thing.decimal, thing.date) = (maybe(Self.decimals), maybe(Self.dates))
      (thing.data, thing.uuid, thing.link) = (
        maybe(Self.data), maybe(Self.uuids), maybe(Self.links)
      )
      thing.parent = index == 0 ? nil : maybe(Array(0..<index))
      thing.tags = Set((0..<3).compactMap { _ in maybe(Array(tags.indices)) })
      if index % 3 == 0 { thing.tags = [] }
      for _ in 0..<(index % 3) {
        thing.steps.append(steps.count)
        steps.append(maybe(words))
      }
      things.append(thing)
    }
  }

  func children(_ index: Int) -> [Int] { things.indices.filter { things[$0].parent == index } }
}

/// The same as managed objects of one context.
struct ManagedThings {
  let things: [NSManagedObject]
  let tags: [NSManagedObject]

  init(_ plain: PlainThings, in context: NSManagedObjectContext) {
    func make(_ entity: String) -> NSManagedObject {
      NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }
    let tags = plain.tags.map { tag in
      let made = make("Tag")
      made.setValue(tag.name, forKey: "name")
      made.setValue(tag.weight, forKey: "weight")
      return made
    }
    let things = plain.things.map { make($0.isSpecial ? "Special" : "Thing") }
    let steps = plain.steps.map { name in
      let made = make("Step")
      made.setValue(name, forKey: "name")
      return made
    }
    (self.tags, self.things) = (tags, things)
    for (index, thing) in plain.things.enumerated() {
      Self.fill(things[index], with: thing, number: index)
      things[index].setValue(thing.parent.map { things[$0] }, forKey: "parent")
      things[index].setValue(Set(thing.tags.map { tags[$0] }), forKey: "tags")
      for step in thing.steps { steps[step].setValue(things[index], forKey: "thing") }
    }
  }

  static func fill(_ object: NSManagedObject, with thing: PlainThing, number: Int) {
    object.setValue(Int64(number), forKey: "number")
    for (name, value) in thing.integers { object.setValue(value, forKey: name) }
    for (name, value) in thing.reals { object.setValue(value, forKey: name) }
    for (name, value) in thing.texts { object.setValue(value, forKey: name) }
    object.setValue(thing.decimal.map { NSDecimalNumber(decimal: $0) }, forKey: "decimal")
    object.setValue(thing.date, forKey: "date")
    object.setValue(thing.data, forKey: "data")
    object.setValue(thing.uuid, forKey: "uuid")
    object.setValue(thing.link, forKey: "link")
  }
}
