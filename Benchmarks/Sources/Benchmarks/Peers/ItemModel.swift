import CoreData

/// The model of all scenarios, in code: a table of Core Data's usual shape.
enum ItemModel {
  static func make(indexedBy keys: [String] = []) -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "Item", module: "benchmarks", type: Item.self,
      getters: ["heading": { ($0 as? Item)?.heading }], inheritsInitializer: true
    ) { Item(entity: $0, insertInto: $1) }
    let item = NSEntityDescription()
    item.name = "Item"
    item.managedObjectClassName = "Item"
    item.properties = attributes + family(of: item)
    if !keys.isEmpty { item.indexes = [index(of: item, by: keys)] }
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

  private static func index(
    of item: NSEntityDescription, by keys: [String]
  ) -> NSFetchIndexDescription {
    let elements = keys.map { key in
      NSFetchIndexElementDescription(
        property: item.properties.first { $0.name == key }!, collationType: .binary)
    }
    return NSFetchIndexDescription(name: "byKeys", elements: elements)
  }
}

/// Accessors as the build plugin writes them.
final class Item: NSManagedObject {
  private static let titleProperty = ManagedProperty("title")
  private static let orderProperty = ManagedProperty("order")
  private static let dateProperty = ManagedProperty("date")
  private static let valueProperty = ManagedProperty("value")
  private static let parentProperty = ManagedProperty("parent")
  private static let childrenProperty = ManagedProperty("children")

  var title: String? {
    get { managedValue(Self.titleProperty) }
    set { setManagedValue(newValue, Self.titleProperty) }
  }
  /// Computed, for sections.
  var heading: String { "Chapter \(title ?? "")" }
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
  var children: Set<Item> {
    get { managedValue(Self.childrenProperty) }
    set { setManagedValue(newValue, Self.childrenProperty) }
  }
  var parent: Item? {
    get { managedValue(Self.parentProperty) }
    set { setManagedValue(newValue, Self.parentProperty) }
  }

  @inline(__always)
  func set(_ values: ItemValues) {
    title = values.title
    order = values.order
    date = Date(timeIntervalSinceReferenceDate: values.date)
    value = values.value
  }

  /// All items but the root of a fixture.
  static var allChildren: NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "parent != nil")
    return request
  }
}

extension NSManagedObjectContext {
  /// The root of a fixture.
  func root() throws -> Item {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "order = -1")
    return try fetch(request)[0]
  }
}
