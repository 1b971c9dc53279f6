import CoreData
import CoreDataSupport

/// The model of most tests: nested items, with a tag many-to-many, a note one-to-one, and a
/// transient attribute.
enum NestedModel {
  static func make() -> NSManagedObjectModel {
    ManagedObjectClasses.register("Item", module: "CoreDataSamples", type: Item.self) {
      Item(entity: $0, insertInto: $1)
    }
    let item = NSEntityDescription()
    item.name = "Item"
    item.managedObjectClassName = "Item"
    let tag = NSEntityDescription()
    tag.name = "Tag"
    let note = NSEntityDescription()
    note.name = "Note"
    let (parent, children) = ModelPart.relate(item, "parent", 1, item, "children", 0)
    children.deleteRule = .cascadeDeleteRule
    let (tags, items) = ModelPart.relate(item, "tags", 0, tag, "items", 0)
    let (itemNote, noteItem) = ModelPart.relate(item, "note", 1, note, "item", 1)
    itemNote.deleteRule = .cascadeDeleteRule
    item.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("order", .integer64AttributeType, default: 0),
      ModelPart.attribute("date", .dateAttributeType), scratch(), parent, children, tags, itemNote,
    ]
    tag.properties = [ModelPart.attribute("name", isOptional: false), items]
    note.properties = [ModelPart.attribute("text"), noteItem]
    return ModelPart.model([item, tag, note])
  }

  private static func scratch() -> NSAttributeDescription {
    let attribute = ModelPart.attribute("scratch", .integer64AttributeType, default: 7)
    attribute.isTransient = true
    return attribute
  }
}

/// Accessors as the build plugin writes them.
final class Item: NSManagedObject {
  private static let titleProperty = ManagedProperty("title")
  private static let orderProperty = ManagedProperty("order")
  private static let parentProperty = ManagedProperty("parent")
  private static let childrenProperty = ManagedProperty("children")

  /// What the lifecycle callbacks wrote down.
  var calls: [String] = []

  var title: String? {
    get { managedValue(Self.titleProperty) }
    set { setManagedValue(newValue, Self.titleProperty) }
  }
  var order: Int64 {
    get { managedValue(Self.orderProperty) }
    set { setManagedValue(newValue, Self.orderProperty) }
  }
  var parent: Item? {
    get { managedValue(Self.parentProperty) }
    set { setManagedValue(newValue, Self.parentProperty) }
  }
  var children: Set<Item> {
    get { managedValue(Self.childrenProperty) }
    set { setManagedValue(newValue, Self.childrenProperty) }
  }

  override func awakeFromInsert() { calls.append("awakeFromInsert") }
  override func awakeFromFetch() { calls.append("awakeFromFetch") }
  override func willSave() { calls.append("willSave") }
  override func didSave() { calls.append("didSave") }
  override func prepareForDeletion() { calls.append("prepareForDeletion") }
  override func willTurnIntoFault() { calls.append("willTurnIntoFault") }
  override func didTurnIntoFault() { calls.append("didTurnIntoFault") }
}

extension NSManagedObjectContext {
  @discardableResult
  func makeItem(_ title: String, order: Int64 = 0, in parent: Item? = nil) -> Item {
    let item = Item(context: self)
    item.title = title
    item.order = order
    if let parent { item.parent = parent }
    return item
  }

  func items(_ format: String? = nil, _ arguments: Any?...) throws -> [Item] {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = format.map {
      NSPredicate(format: $0, argumentArray: arguments.map { $0 ?? NSNull() })
    }
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try fetch(request)
  }

  func titles(_ format: String? = nil) throws -> [String] {
    try items(format).map { $0.title ?? "" }
  }
}
