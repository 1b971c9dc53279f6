import CoreData

/// Generates sample goods, identical for each call.
enum Catalogue {
  private static let things: [(category: String, names: [String])] = [
    ("Bakery", ["Baguette", "Croissant", "Rye bread", "Scone", "Walnut loaf"]),
    ("Dairy", ["Butter", "Cheddar", "Cream", "Milk", "Yoghurt"]),
    ("Drinks", ["Apple juice", "Coffee", "Ginger beer", "Green tea", "Mineral water"]),
    ("Fruit", ["Apricots", "Bananas", "Cherries", "Oranges", "Plums"]),
    ("Garden", ["Bulbs", "Clay pots", "Rake", "Seed mix", "Watering can"]),
    ("Household", ["Batteries", "Candles", "Light bulbs", "Matches", "Soap"]),
    ("Stationery", ["Envelopes", "Ink", "Notebook", "Pencils", "Stamps"]),
    ("Vegetables", ["Aubergine", "Carrots", "Leeks", "Onions", "Potatoes"]),
  ]

  /// Adds `count` goods to an empty store.
  static func fill(_ context: NSManagedObjectContext, _ count: Int) throws {
    guard try context.count(for: Goods.fetchRequest()) == 0 else { return }
    for number in 0..<count {
      insert(number, in: context)
      guard number % 10_000 == 9_999 else { continue }
      try context.save()
      // Bounds memory.
      context.reset()
    }
    try context.save()
  }

  /// Inserts the sample goods with a number.
  static func insert(_ number: Int, in context: NSManagedObjectContext) {
    let (category, names) = things[number % things.count]
    let round = number / things.count
    let name = names[round % names.count]
    let goods = Goods(context: context)
    goods.name = round < names.count ? name : "\(name), lot \(round / names.count + 1)"
    goods.number = Int32(number * 7 % 90 + 3)
    goods.category = category
  }
}
