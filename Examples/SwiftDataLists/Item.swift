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

  /// The item that has no parent, whose list everything begins with; made when there is none.
  static func root(in context: ModelContext) throws -> Item {
    let roots = FetchDescriptor<Item>(predicate: #Predicate { $0.parent == nil })
    if let root = try context.fetch(roots).first { return root }
    let root = Item(title: "Lists")
    context.insert(root)
    try context.save()
    return root
  }
}
