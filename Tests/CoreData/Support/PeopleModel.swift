import CoreData
import CoreDataSupport

/// Person (with the subentity Employee), Tag and Task: every type of attribute, and every kind of
/// relationship.
enum PeopleModel {
  static func make() -> NSManagedObjectModel {
    let person = ModelPart.entity(
      "Person",
      [
        ModelPart.attribute("name"), ModelPart.attribute("age", .integer64AttributeType),
        ModelPart.attribute("height", .doubleAttributeType),
        ModelPart.attribute("born", .dateAttributeType),
        ModelPart.attribute("photo", .binaryDataAttributeType),
        ModelPart.attribute("active", .booleanAttributeType),
        ModelPart.attribute("token", .UUIDAttributeType),
        ModelPart.attribute("home", .URIAttributeType),
        ModelPart.attribute("amount", .decimalAttributeType),
      ])
    let employee = ModelPart.entity(
      "Employee", [ModelPart.attribute("salary", .integer32AttributeType)])
    let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
    let task = ModelPart.entity("Task", [ModelPart.attribute("name")])
    person.subentities = [employee]
    ModelPart.join(person, "boss", 1, person, "reports", 0)
    ModelPart.join(person, "tags", 0, tag, "people", 0)
    ModelPart.join(task, "owner", 1, person, "tasks", 0, isInverseOrdered: true)
    return ModelPart.model([person, employee, tag, task])
  }

}
