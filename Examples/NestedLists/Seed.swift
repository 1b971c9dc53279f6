import CoreData

/// Generates sample items for an empty store, identical for each call.
enum Seed {
  private static let names = [
    "Groceries", "Trip to the coast", "House", "Books to read", "Garden", "Birthday party",
    "Winter coats", "Letters", "Music", "Repairs", "Recipes", "Ideas",
  ]
  private static let things = [
    "Bread", "Vegetables from the market", "Olive oil", "Coffee", "Candles", "Batteries", "Tickets",
    "A map of the old town", "Paint for the door", "Lamp", "Tulips", "Rosemary", "Paper", "Stamps",
  ]

  /// Adds `count` items below the root unless it has some already.
  ///
  /// Up to a thousand items, the first dozen are lists that share the rest. Beyond that all items
  /// are in one list, since large numbers are for trying long lists.
  static func fill(_ root: Item, count: Int, in context: NSManagedObjectContext) throws {
    guard count > 0, root.numberOfChildren == 0 else { return }
    if count > 1000 {
      try fillFlat(root, count, context)
    } else {
      fillNested(root, count, context)
    }
    try context.save()
  }

  private static func fillNested(_ root: Item, _ count: Int, _ context: NSManagedObjectContext) {
    let lists = (0..<min(count, names.count)).map { place in
      add(names[place], place, to: root, context)
    }
    for number in 0..<(count - lists.count) {
      let list = lists[number * 7 % max(1, lists.count / 2)]
      add(title(number), list.children.count, to: list, context)
    }
  }

  /// Saves in batches, which bounds memory.
  private static func fillFlat(_ root: Item, _ count: Int, _ context: NSManagedObjectContext) throws
  {
    for number in 0..<count {
      add(title(number), number, to: root, context)
      if number % 10_000 == 9_999 { try context.save() }
    }
  }

  private static func title(_ number: Int) -> String {
    let thing = things[number % things.count]
    return number < things.count ? thing : "\(thing), no. \(number / things.count + 1)"
  }

  @discardableResult
  private static func add(
    _ title: String, _ place: Int, to list: Item, _ context: NSManagedObjectContext
  ) -> Item {
    let item = Item(context: context)
    item.title = title
    item.order = Int64(place)
    item.parent = list
    return item
  }
}
