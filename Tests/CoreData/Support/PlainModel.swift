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
    /// Of binary data.
    var isExternal = false
    var isIndexed = false
    /// Of a composite: whether it has one more element.
    var isLarge = false
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
    /// Whether no two objects have the same key.
    var isUnique = false
    /// Whether an attribute is derived from the key.
    var derivesKey = false
    /// Whether an attribute counts the members of the first to-many relationship.
    var countsMembers = false
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    .stringAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType,
    .URIAttributeType, .transformableAttributeType, .compositeAttributeType,
  ]

  /// Whether the store keeps derived attributes.
  var hasDerivations = true
  /// Whether the store is of a configuration, beside which the model has another entity.
  var isConfigured = false
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
        ([key] + entity.attributes).map(Self.description) + derived(entity)
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
      if entity.isUnique { description.uniquenessConstraints = [[key.name]] }
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
    for entity in entities {
      guard let description = made[entity.origin] else { continue }
      description.indexes = entity.attributes.filter(\.isIndexed).compactMap { attribute in
        description.properties.first { $0.name == attribute.name }.map {
          NSFetchIndexDescription(
            name: "by\(attribute.origin)",
            elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
        }
      }
    }
    model.entities = entities.compactMap { made[$0.origin] }
    if isConfigured {
      let all = model.entities
      let elsewhere = NSEntityDescription()
      elsewhere.name = "Alsewhere"
      model.entities = all + [elsewhere]
      model.setEntities(all, forConfigurationName: "Main")
      model.setEntities([elsewhere], forConfigurationName: "Other")
    }
    return model
  }

  var configuration: String? { isConfigured ? "Main" : nil }

  static func derivedName(_ entity: Entity) -> String { "derived\(entity.origin)" }

  static func countName(_ entity: Entity) -> String { "count\(entity.origin)" }

  /// What the attribute that counts has to count.
  func counted(_ entity: Entity) -> Relationship? {
    entity.countsMembers && hasDerivations ? entity.relationships.first(where: \.isToMany) : nil
  }

  private func derived(_ entity: Entity) -> [NSPropertyDescription] {
    guard hasDerivations else { return [] }
    func attribute(_ name: String, _ type: NSAttributeType, _ path: String) -> NSPropertyDescription
    {
      let attribute = NSDerivedAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.derivationExpression = NSExpression(forKeyPath: path)
      return attribute
    }
    let key =
      entity.derivesKey
      ? attribute(Self.derivedName(entity), .stringAttributeType, Self.keyName(entity)) : nil
    let count = counted(entity).map {
      attribute(Self.countName(entity), .integer64AttributeType, "\($0.name).@count")
    }
    return [key, count].compactMap(\.self)
  }

  private static func description(_ attribute: Attribute) -> NSAttributeDescription {
    let description =
      attribute.type == .compositeAttributeType
      ? composite(isLarge: attribute.isLarge) : NSAttributeDescription()
    description.name = attribute.name
    description.renamingIdentifier = attribute.firstName
    if attribute.type != .compositeAttributeType { description.attributeType = attribute.type }
    description.allowsExternalBinaryDataStorage = attribute.isExternal
    description.isOptional = attribute.isOptional
    if attribute.hasDefault { description.defaultValue = defaultValue(attribute.type) }
    return description
  }

  /// Elements of the same names in every one, whose columns get numbers.
  private static func composite(isLarge: Bool) -> NSAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    let elements: [(String, NSAttributeType)] = [
      ("number", .integer64AttributeType), ("label", .stringAttributeType),
      ("extra", .doubleAttributeType),
    ]
    composite.elements = elements.prefix(isLarge ? 3 : 2).map {
      let element = NSAttributeDescription()
      element.name = $0
      element.attributeType = $1
      element.isOptional = true
      return element
    }
    return composite
  }
}
