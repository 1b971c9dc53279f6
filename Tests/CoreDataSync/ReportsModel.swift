import CoreData
import Testing

@testable import CoreDataSync

/// Models in few words.
enum Draft {
  static func attribute(
    _ name: String, _ type: NSAttributeType, _ standard: Any? = nil, isRequired: Bool = false,
    was former: String? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    attribute.defaultValue = standard
    attribute.isOptional = !isRequired
    if let former { attribute.renamingIdentifier = former }
    return attribute
  }

  static func text(_ name: String) -> NSAttributeDescription {
    attribute(name, .stringAttributeType)
  }

  static func entity(_ name: String, _ properties: [NSPropertyDescription], was: String? = nil)
    -> NSEntityDescription
  {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    if let was { entity.renamingIdentifier = was }
    return entity
  }

  /// An end of a relationship: to one, or to many with a count of 0.
  @discardableResult
  static func end(
    _ entity: NSEntityDescription, _ name: String, to other: NSEntityDescription, max: Int = 0,
    _ rule: NSDeleteRule = .nullifyDeleteRule, isRequired: Bool = false, isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let end = NSRelationshipDescription()
    (end.name, end.destinationEntity, end.maxCount) = (name, other, max)
    (end.deleteRule, end.isOptional, end.isOrdered) = (rule, !isRequired, isOrdered)
    entity.properties.append(end)
    return end
  }

  static func join(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    (one.inverseRelationship, other.inverseRelationship) = (other, one)
  }

  static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }
}

/// Some devices of one model and a server.
struct Devices {
  let cloud: Cloud
  let phones: [Phone]
  var a: Phone { phones[0] }
  var b: Phone { phones[1] }

  init(
    _ model: NSManagedObjectModel, _ configuration: SyncConfiguration = .init(zone: "zone"),
    others: [NSManagedObjectModel]? = nil, newest: NSManagedObjectModel? = nil
  ) throws {
    let cloud = Cloud(model: newest ?? model, configuration: configuration)
    self.cloud = cloud
    phones = try ([model] + (others ?? [model])).map {
      try Phone(cloud, model: $0, configuration: configuration)
    }
  }

  func settle() async throws {
    for _ in 0..<3 { for phone in phones { try await phone.sync() } }
  }

  /// Settles, and then nobody has anything to send or to hide.
  func settleWholly() async throws {
    try await settle()
    let pushes = phones.map(\.line.pushes.count)
    try await settle()
    #expect(phones.map(\.line.pushes.count) == pushes, "sends without being asked")
    for phone in phones {
      #expect(phone.engine.status.toSend == 0)
      #expect(phone.engine.status.held.isEmpty)
    }
  }

  func expect(_ entity: String, _ property: String, _ values: [String]) throws {
    for phone in phones { #expect(try phone.values(entity, property) == values) }
  }
}

extension NSManagedObject {
  /// The names of what a relationship to many leads to, in their order where it has one.
  func names(_ relationship: String, _ property: String = "name") -> [String] {
    func name(_ object: Any) -> String {
      (object as? NSManagedObject)?.value(forKey: property) as? String ?? "nil"
    }
    return switch value(forKey: relationship) {
    case let list as NSOrderedSet: list.array.map(name)
    case let set as Set<NSManagedObject>: set.map(name).sorted()
    case let set as NSSet: set.allObjects.map(name).sorted()
    default: []
    }
  }
}
