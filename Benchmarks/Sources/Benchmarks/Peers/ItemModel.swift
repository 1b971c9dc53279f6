import CoreData

/// The model of all scenarios, in code: a table of Core Data's usual shape.
enum ItemModel {
  static func make(hasOrderIndex: Bool) -> NSManagedObjectModel {
    ManagedObjectClasses.register("Item", module: "benchmarks", type: Item.self) {
      Item(entity: $0, insertInto: $1)
    }
    let item = NSEntityDescription()
    item.name = "Item"
    item.managedObjectClassName = "Item"
    item.properties = attributes + family(of: item)
    if hasOrderIndex { item.indexes = [orderIndex(of: item)] }
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  private static var attributes: [NSPropertyDescription] {
    [
      attribute("title", .stringAttributeType), attribute("order", .integer64AttributeType),
      attribute("date", .dateAttributeType), attribute("value", .doubleAttributeType),
    ]
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSPropertyDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func family(of item: NSEntityDescription) -> [NSPropertyDescription] {
    let parent = NSRelationshipDescription()
    let children = NSRelationshipDescription()
    for (relationship, name, count) in [(parent, "parent", 1), (children, "children", 0)] {
      relationship.name = name
      relationship.destinationEntity = item
      relationship.maxCount = count
      relationship.isOptional = true
    }
    parent.inverseRelationship = children
    parent.deleteRule = .nullifyDeleteRule
    children.inverseRelationship = parent
    children.deleteRule = .cascadeDeleteRule
    return [parent, children]
  }

  private static func orderIndex(of item: NSEntityDescription) -> NSFetchIndexDescription {
    let order = item.properties.first { $0.name == "order" }!
    let element = NSFetchIndexElementDescription(property: order, collationType: .binary)
    return NSFetchIndexDescription(name: "byOrder", elements: [element])
  }
}

/// Accessors as the build plugin writes them.
final class Item: NSManagedObject {
  private static let titleProperty = ManagedProperty("title")
  private static let orderProperty = ManagedProperty("order")
  private static let dateProperty = ManagedProperty("date")
  private static let valueProperty = ManagedProperty("value")
  private static let parentProperty = ManagedProperty("parent")

  var title: String? {
    get { managedValue(Self.titleProperty) }
    set { setManagedValue(newValue, Self.titleProperty) }
  }
  var order: Int64 {
    get { managedValue(Self.orderProperty) }
    set { setManagedValue(newValue, Self.orderProperty) }
  }
  var date: Date? {
    get { managedValue(Self.dateProperty) }
    set { setManagedValue(newValue, Self.dateProperty) }
  }
  var value: Double {
    get { managedValue(Self.valueProperty) }
    set { setManagedValue(newValue, Self.valueProperty) }
  }
  var parent: Item? {
    get { managedValue(Self.parentProperty) }
    set { setManagedValue(newValue, Self.parentProperty) }
  }
}
