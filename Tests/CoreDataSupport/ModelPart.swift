import CoreData

/// Parts of a model, a call each.
package enum ModelPart {
  /// - Parameter former: the renaming identifier.
  package static func attribute(
    _ name: String, _ type: NSAttributeType = .stringAttributeType, default value: Any? = nil,
    isOptional: Bool = true, was former: String? = nil,
    _ change: (NSAttributeDescription) -> Void = { _ in }
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    (attribute.defaultValue, attribute.isOptional) = (value, isOptional)
    if let former { attribute.renamingIdentifier = former }
    change(attribute)
    return attribute
  }

  package static func entity(
    _ name: String, _ properties: [NSPropertyDescription] = [], was former: String? = nil
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = (name, properties)
    if let former { entity.renamingIdentifier = former }
    return entity
  }

  /// - Parameter maxCount: 1 is to one, 0 to many.
  package static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int,
    rule: NSDeleteRule = .nullifyDeleteRule, isOptional: Bool = true, isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    (relationship.maxCount, relationship.deleteRule) = (maxCount, rule)
    (relationship.isOptional, relationship.isOrdered) = (isOptional, isOrdered)
    return relationship
  }

  /// A relationship that is among the entity's properties at once.
  @discardableResult
  package static func end(
    _ entity: NSEntityDescription, _ name: String, to destination: NSEntityDescription,
    maxCount: Int = 0, rule: NSDeleteRule = .nullifyDeleteRule, isOptional: Bool = true,
    isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let end = relationship(
      name, to: destination, maxCount: maxCount, rule: rule, isOptional: isOptional,
      isOrdered: isOrdered)
    entity.properties.append(end)
    return end
  }

  /// Makes two relationships, or one and itself, each other's inverse.
  package static func connect(
    _ one: NSRelationshipDescription, _ other: NSRelationshipDescription
  ) {
    (one.inverseRelationship, other.inverseRelationship) = (other, one)
  }

  /// Two relationships that are each other's inverse, and not yet among the properties.
  package static func relate(
    _ source: NSEntityDescription, _ name: String, _ maxCount: Int,
    _ destination: NSEntityDescription, _ inverseName: String, _ inverseMaxCount: Int
  ) -> (NSRelationshipDescription, NSRelationshipDescription) {
    let forward = relationship(name, to: destination, maxCount: maxCount)
    let back = relationship(inverseName, to: source, maxCount: inverseMaxCount)
    connect(forward, back)
    return (forward, back)
  }

  /// Two relationships that are each other's inverse, at the end of their entities' properties.
  package static func join(
    _ source: NSEntityDescription, _ name: String, _ maxCount: Int,
    _ destination: NSEntityDescription, _ inverseName: String, _ inverseMaxCount: Int,
    isOrdered: Bool = false, isInverseOrdered: Bool = false
  ) {
    let (forward, back) = relate(source, name, maxCount, destination, inverseName, inverseMaxCount)
    (forward.isOrdered, back.isOrdered) = (isOrdered, isInverseOrdered)
    source.properties.append(forward)
    destination.properties.append(back)
  }

  package static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }
}
