import CoreData

// The root, the only item without a parent.
extension Item {
  /// The items without a parent, oldest first. There are several if processes of an earlier version
  /// started at the same time.
  static func roots(in context: NSManagedObjectContext) throws -> [Item] {
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "parent = %@", NSNull())
    return try context.fetch(request).sorted { $0.number < $1.number }
  }

  @discardableResult
  static func insertRoot(in context: NSManagedObjectContext) -> Item {
    let item = Item(context: context)
    item.title = rootTitle
    return item
  }

  private static let rootTitle = "Lists"

  /// Of an item without a list, whether ``prepareRoot(in:)`` makes it the root, or a part of it.
  var isRoot: Bool {
    guard let context = managedObjectContext, ![nil, Self.rootTitle].contains(title) else {
      return true
    }
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "parent = %@", NSNull())
    request.fetchLimit = 2
    return (try? context.fetch(request).count) == 1
  }

  /// Creates the root of a new store. Merges several roots into one, and moves other items without
  /// a list to its end. Returns messages for the user about such repairs.
  ///
  /// Call it while the context has exclusive access to the store, so that processes that start at
  /// the same time create one root.
  static func prepareRoot(in context: NSManagedObjectContext) throws -> [String] {
    let all = try roots(in: context)
    let titled = all.filter { [nil, rootTitle].contains($0.title) }
    let root = titled.first ?? (all.count == 1 ? all[0] : insertRoot(in: context))
    let others = titled.filter { $0 !== root }
    let strays = all.filter { $0 !== root && !others.contains($0) }
    let moved = others.reduce(0) { $0 + $1.moveChildren(to: root) }
    root.append(strays)
    context.processPendingChanges()
    // They are empty now, so the deletion cascades to nothing.
    for other in others { context.delete(other) }
    try context.save()
    return [words(forRoots: others.count + 1, moved), words(for: strays)].compactMap { $0 }
  }

  private static func words(forRoots count: Int, _ moved: Int) -> String? {
    guard count > 1 else { return nil }
    let items = moved == 1 ? "1 item" : "\(moved) items"
    return
      "This store had \(count) lists to begin with, made by programs that started at once. They are one now: "
      + "\(items) came to its end."
  }

  private static func words(for strays: [Item]) -> String? {
    guard !strays.isEmpty else { return nil }
    let most = 5
    let titles = strays.prefix(most).map { "“\($0.title ?? "")”" }.joined(separator: ", ")
    let more = strays.count > most ? " and \(strays.count - most) more" : ""
    return "What was in no list is at the end of “\(rootTitle)” now: \(titles)\(more)."
  }

  private func append(_ items: [Item]) {
    let end = (children.map(\.order).max() ?? -1) + 1
    for (place, item) in items.enumerated() {
      item.order = end + Int64(place)
      item.parent = self
    }
  }

  /// Moves all children to the end of `list`. Returns their number.
  private func moveChildren(to list: Item) -> Int {
    let items = children.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    list.append(items)
    return items.count
  }

  /// The number in the object ID, which increases in the order of creation; `Int.max` for an
  /// unsaved item.
  var number: Int {
    Int(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
  }
}
