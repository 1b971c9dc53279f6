import CoreData

/// Person (with the subentity Employee), Tag and Task: every type of attribute, and every kind of
/// relationship.
enum PeopleModel {
  static func make() -> NSManagedObjectModel {
    let person = entity(
      "Person",
      [
        attribute("name", .stringAttributeType), attribute("age", .integer64AttributeType),
        attribute("height", .doubleAttributeType), attribute("born", .dateAttributeType),
        attribute("photo", .binaryDataAttributeType), attribute("active", .booleanAttributeType),
        attribute("token", .UUIDAttributeType), attribute("home", .URIAttributeType),
        attribute("amount", .decimalAttributeType),
      ])
    let employee = entity("Employee", [attribute("salary", .integer32AttributeType)])
    let tag = entity("Tag", [attribute("name", .stringAttributeType)])
    let task = entity("Task", [attribute("name", .stringAttributeType)])
    person.subentities = [employee]
    relate(person, "boss", toMany: false, person, "reports", inverseToMany: true)
    relate(person, "tags", toMany: true, tag, "people", inverseToMany: true)
    relate(task, "owner", toMany: false, person, "tasks", inverseToMany: true, isOrdered: true)
    let model = NSManagedObjectModel()
    model.entities = [person, employee, tag, task]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [NSAttributeDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
  }

  private static func relate(
    _ source: NSEntityDescription, _ name: String, toMany: Bool,
    _ destination: NSEntityDescription, _ inverseName: String, inverseToMany: Bool,
    isOrdered: Bool = false
  ) {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = toMany ? 0 : 1
    let inverse = NSRelationshipDescription()
    inverse.name = inverseName
    inverse.destinationEntity = source
    inverse.maxCount = inverseToMany ? 0 : 1
    inverse.isOrdered = isOrdered
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    source.properties += [relationship]
    destination.properties += [inverse]
  }
}
