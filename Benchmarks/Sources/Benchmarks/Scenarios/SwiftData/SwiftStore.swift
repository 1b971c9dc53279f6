import CoreData
import SwiftData

/// The items of all scenarios as models of SwiftData, and a stack of Core Data over the same file.
enum SwiftStore {
  @Model
  final class Item {
    var title: String?
    var order: Int64
    var date: Date?
    var value: Double
    var parent: Item?
    @Relationship(inverse: \Item.parent) var children: [Item] = []

    init(_ values: ItemValues, parent: Item? = nil) {
      title = values.title
      order = values.order
      date = Date(timeIntervalSinceReferenceDate: values.date)
      value = values.value
      if let parent { self.parent = parent }
    }
  }

  static func container(_ url: URL) throws -> ModelContainer {
    let schema = Schema([Item.self])
    return try ModelContainer(
      for: schema, configurations: SwiftData.ModelConfiguration(schema: schema, url: url))
  }

  /// Core Data's side of the same store, with the class that all scenarios use.
  static func context(_ url: URL) throws -> NSManagedObjectContext {
    let model = NSManagedObjectModel.makeManagedObjectModel(for: [Item.self])!
    _ = ItemModel.make()
    for entity in model.entities { entity.managedObjectClassName = "Item" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func emptyStore(in workspace: Workspace) throws -> URL {
    let url = workspace.newFile()
    _ = try container(url)
    return url
  }

  /// A root and `count` items under it.
  static func fixture(_ count: Int, in workspace: Workspace) throws -> URL {
    let url = try emptyStore(in: workspace)
    let context = try context(url)
    let root = ManagedItem(context: context)
    root.order = -1
    root.value = 0
    for values in ItemValues.make(count: count) {
      let item = ManagedItem(context: context)
      item.set(values)
      item.parent = root
    }
    try context.save()
    return url
  }
}

/// The class of Core Data's side, beside one of the same name.
typealias ManagedItem = Item

extension Checksum {
  /// Every value of a model.
  @inline(__always)
  mutating func add(_ item: SwiftStore.Item) {
    addRow()
    add(item.title)
    add(item.order)
    add(item.date?.timeIntervalSinceReferenceDate ?? 0)
    add(item.value)
  }
}
