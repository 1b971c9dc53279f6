import Foundation

@testable import CoreData

/// Models for the stores' tests, made in code.
enum TestModels {
  static func attribute(
    _ name: String, _ type: NSAttributeType, _ change: (NSAttributeDescription) -> Void = { _ in }
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    change(attribute)
    return attribute
  }

  static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int, isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.isOrdered = isOrdered
    return relationship
  }

  static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  /// The nested list: items with a parent and children.
  static func nestedLists() -> NSManagedObjectModel {
    let item = entity("Item")
    let parent = relationship("parent", to: item, maxCount: 1)
    let children = relationship("children", to: item, maxCount: 0)
    connect(parent, children)
    item.properties = [
      attribute("title", .stringAttributeType), attribute("order", .integer64AttributeType),
      parent, children,
    ]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }
}
