import CoreData

// The one item that has no parent.
extension Item {
  /// The items without a parent, the oldest first; more than one where programs of an earlier version started at once.
  static func roots(in context: NSManagedObjectContext) throws -> [Item] {
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "parent = %@", NSNull())
    return try context.fetch(request).sorted { $0.number < $1.number }
  }

  @discardableResult
  static func insertRoot(in context: NSManagedObjectContext) -> Item {
    let item = Item(context: context)
    item.title = "Lists"
    return item
  }

  /// Makes the root of a new store. Of several roots one is left, with the items of all; says so.
  ///
  /// For a context that has the store alone: then there is one root whatever else starts at the same time.
  static func prepareRoot(in context: NSManagedObjectContext) throws -> [String] {
    let roots = try roots(in: context)
    guard let root = roots.first else {
      insertRoot(in: context)
      try context.save()
      return []
    }
    let others = roots.dropFirst()
    if others.isEmpty { return [] }
    let moved = others.reduce(0) { $0 + $1.moveChildren(to: root) }
    context.processPendingChanges()
    // Nothing is left in them that would go along.
    for other in others { context.delete(other) }
    try context.save()
    let items = moved == 1 ? "1 item" : "\(moved) items"
    return [
      "This store had \(roots.count) lists to begin with, made by programs that started at once. They are one now: "
        + "\(items) came to its end."
    ]
  }

  /// Returns how many there were.
  private func moveChildren(to list: Item) -> Int {
    let items = children.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    let end = (list.children.map(\.order).max() ?? -1) + 1
    for (place, item) in items.enumerated() {
      item.order = end + Int64(place)
      item.parent = list
    }
    return items.count
  }

  /// Counts up with the order in which items are made.
  var number: Int {
    Int(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
  }
}
