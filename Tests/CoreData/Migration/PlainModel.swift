import Foundation

@testable import CoreData

/// A model as plain values that a test edits, each property with the number of what it was at first.
struct PlainModel {
  struct Attribute {
    var name: String
    let origin: Int
    /// The name in the first version.
    let firstName: String
    let type: NSAttributeType
    var isOptional = true
    var hasDefault = false
  }

  struct Relationship {
    var name: String
    let origin: Int
    let firstName: String
    /// Origins: of the destination, and of the relationship back.
    let destination: Int
    let inverse: Int
    var isToMany: Bool
    var isOrdered = false
  }

  struct Entity {
    var name: String
    let origin: Int
    let firstName: String
    var parent: Int?
    var isAbstract = false
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    .stringAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType,
    .URIAttributeType, .transformableAttributeType,
  ]

  var entities: [Entity] = []
  private(set) var counter = 0

  mutating func fresh() -> Int {
    counter += 1
    return counter
  }

  subscript(origin: Int) -> Entity? { entities.first { $0.origin == origin } }

  func index(of origin: Int) -> Int? { entities.firstIndex { $0.origin == origin } }

  /// The entity and everything that it inherits from, the root last.
  func chain(_ entity: Entity) -> [Entity] {
    [entity] + (entity.parent.flatMap { self[$0] }.map(chain) ?? [])
  }

  func attributes(of entity: Entity) -> [Attribute] { chain(entity).flatMap(\.attributes) }

  func relationships(of entity: Entity) -> [Relationship] {
    chain(entity).flatMap(\.relationships)
  }

  func isKind(_ entity: Entity, of origin: Int) -> Bool {
    chain(entity).contains { $0.origin == origin }
  }

  static func defaultValue(_ type: NSAttributeType) -> NSObject? {
    switch type {
    case .booleanAttributeType: NSNumber(value: true)
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      NSNumber(value: 7)
    case .doubleAttributeType, .floatAttributeType: NSNumber(value: 1.5)
    case .decimalAttributeType: NSDecimalNumber(string: "2.25")
    case .stringAttributeType: "standard's" as NSString
    case .dateAttributeType: NSDate(timeIntervalSinceReferenceDate: 1000)
    case .binaryDataAttributeType: NSData(data: Data([1, 2, 0, 3]))
    case .UUIDAttributeType: NSUUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")
    case .URIAttributeType: NSURL(string: "https://example.org/a")
    default: nil
    }
  }

  /// An attribute of each entity that stays as it is and tells its objects apart.
  static func keyName(_ entity: Entity) -> String { "key\(entity.origin)" }

  // MARK: - As a model

  func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var made: [Int: NSEntityDescription] = [:]
    var relationships: [Int: NSRelationshipDescription] = [:]
    for entity in entities {
      let description = NSEntityDescription()
      description.name = entity.name
      description.renamingIdentifier = entity.firstName
      description.isAbstract = entity.isAbstract
      let key = Attribute(
        name: Self.keyName(entity), origin: 0, firstName: Self.keyName(entity),
        type: .stringAttributeType)
      description.properties =
        ([key] + entity.attributes).map(Self.description)
        + entity.relationships.map { relationship in
          let description = NSRelationshipDescription()
          description.name = relationship.name
          description.renamingIdentifier = relationship.firstName
          description.maxCount = relationship.isToMany ? 0 : 1
          description.isOrdered = relationship.isOrdered && relationship.isToMany
          description.deleteRule = .nullifyDeleteRule
          relationships[relationship.origin] = description
          return description
        }
      made[entity.origin] = description
    }
    for entity in entities {
      made[entity.origin]?.subentities = entities.filter { $0.parent == entity.origin }
        .compactMap { made[$0.origin] }
      for relationship in entity.relationships {
        relationships[relationship.origin]?.destinationEntity = made[relationship.destination]
        relationships[relationship.origin]?.inverseRelationship =
          relationships[relationship.inverse]
      }
    }
    model.entities = entities.compactMap { made[$0.origin] }
    return model
  }

  private static func description(_ attribute: Attribute) -> NSAttributeDescription {
    let description = NSAttributeDescription()
    description.name = attribute.name
    description.renamingIdentifier = attribute.firstName
    description.attributeType = attribute.type
    description.isOptional = attribute.isOptional
    if attribute.hasDefault { description.defaultValue = defaultValue(attribute.type) }
    return description
  }
}

// MARK: - At random

extension PlainModel {
  init(random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 2...4, using: &random) { addEntity(&random) }
    for _ in 0..<Int.random(in: 1...4, using: &random) { addRelationship(&random) }
  }

  mutating func addEntity(_ random: inout SplitMix64) {
    let origin = fresh()
    let name = "\(["Book", "author", "Zebra", "Tag"].randomElement(using: &random)!)\(origin)"
    var entity = Entity(name: name, origin: origin, firstName: name)
    if Int.random(in: 0..<3, using: &random) == 0 {
      entity.parent = entities.randomElement(using: &random)?.origin
    }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      entity.attributes.append(attribute(&random))
    }
    entities.append(entity)
  }

  mutating func attribute(_ random: inout SplitMix64) -> Attribute {
    let origin = fresh()
    let name = "\(["name", "date", "Kind", "url"].randomElement(using: &random)!)\(origin)"
    var attribute = Attribute(
      name: name, origin: origin, firstName: name, type: Self.types.randomElement(using: &random)!)
    attribute.hasDefault =
      Bool.random(using: &random) && Self.defaultValue(attribute.type) != nil
    attribute.isOptional = !attribute.hasDefault || Bool.random(using: &random)
    return attribute
  }

  mutating func addRelationship(_ random: inout SplitMix64) {
    guard let from = entities.indices.randomElement(using: &random),
      let to = entities.indices.randomElement(using: &random)
    else { return }
    let (one, other) = (fresh(), fresh())
    let forth = "to\(one)"
    entities[from].relationships.append(
      Relationship(
        name: forth, origin: one, firstName: forth, destination: entities[to].origin,
        inverse: other, isToMany: Bool.random(using: &random),
        isOrdered: Bool.random(using: &random)))
    let back = "from\(other)"
    entities[to].relationships.append(
      Relationship(
        name: back, origin: other, firstName: back, destination: entities[from].origin,
        inverse: one, isToMany: Bool.random(using: &random),
        isOrdered: Bool.random(using: &random)))
  }

  /// One edit that a mapping can be inferred for; returns what it was.
  mutating func edit(_ random: inout SplitMix64) -> String {
    guard let index = entities.indices.randomElement(using: &random) else { return "nothing" }
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      entities[index].attributes.append(attribute(&random))
      return "add an attribute"
    case 1:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes.remove(at: place)
      }
      return "remove an attribute"
    case 2:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes[place].name = "renamed\(fresh())"
      }
      return "rename an attribute"
    case 3:
      if let place = entities[index].attributes.indices.randomElement(using: &random),
        Self.defaultValue(entities[index].attributes[place].type) != nil
      {
        entities[index].attributes[place].isOptional = false
        entities[index].attributes[place].hasDefault = true
      }
      return "make an attribute mandatory"
    case 4:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes[place].isOptional = true
      }
      return "make an attribute optional"
    case 5:
      addEntity(&random)
      return "add an entity"
    case 6:
      if entities.count > 1 { removeEntity(at: index) }
      return "remove an entity"
    case 7:
      entities[index].name = "Renamed\(fresh())"
      return "rename an entity"
    case 8:
      if let place = entities[index].relationships.indices.randomElement(using: &random) {
        entities[index].relationships[place].isToMany = true
      }
      return "make a relationship to-many"
    case 9:
      if let place = entities[index].relationships.indices.randomElement(using: &random) {
        entities[index].relationships[place].isOrdered.toggle()
      }
      return "change the order of a relationship"
    case 10:
      addRelationship(&random)
      return "add a relationship"
    case 11:
      moveAttribute(from: index, &random)
      return "move an attribute up"
    default:
      entities[index].parent = nil
      return "leave the hierarchy"
    }
  }

  private mutating func removeEntity(at index: Int) {
    let gone = entities.remove(at: index)
    for other in entities.indices {
      if entities[other].parent == gone.origin { entities[other].parent = gone.parent }
      entities[other].relationships.removeAll {
        $0.destination == gone.origin
      }
    }
  }

  private mutating func moveAttribute(from index: Int, _ random: inout SplitMix64) {
    guard let parent = entities[index].parent.flatMap({ self.index(of: $0) }),
      let place = entities[index].attributes.indices.randomElement(using: &random)
    else { return }
    entities[parent].attributes.append(entities[index].attributes.remove(at: place))
  }
}
