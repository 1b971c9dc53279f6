import CoreData
import SwiftData

/// One entry of a list, which is a list itself.
@Model
final class Item {
  #Index<Item>([\.order])

  var title: String
  /// The place among the siblings.
  var order: Int
  var parent: Item?
  @Relationship(deleteRule: .cascade, inverse: \Item.parent) var children: [Item] = []

  init(title: String, order: Int = 0, parent: Item? = nil) {
    self.title = title
    self.order = order
    self.parent = parent
  }

  /// The list's items in their order.
  var childrenInOrder: FetchDescriptor<Item> {
    let id = persistentModelID
    return FetchDescriptor(
      predicate: #Predicate { $0.parent?.persistentModelID == id },
      sortBy: [SortDescriptor(\.order)])
  }

  /// The item that has no parent, whose list everything begins with; made when there is none, by
  /// one of the processes that may be starting at once.
  static func root(in context: ModelContext) throws -> Item {
    if let root = try knownRoot(in: context) { return root }
    let stores = context.managedObjectContext.persistentStoreCoordinator
    return try stores?.alone { try knownRoot(in: context) ?? makeRoot(in: context) }
      ?? makeRoot(in: context)
  }

  private static func knownRoot(in context: ModelContext) throws -> Item? {
    try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.parent == nil })).first
  }

  /// The root is no step of undo.
  private static func makeRoot(in context: ModelContext) throws -> Item {
    let undoManager = context.undoManager
    context.undoManager = nil
    defer { context.undoManager = undoManager }
    let root = Item(title: "Lists")
    context.insert(root)
    try context.save()
    return root
  }
}
