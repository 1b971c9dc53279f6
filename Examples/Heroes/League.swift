import CoreData

/// Generates sample heroes, identical for each call.
enum League {
  private static let kinds = [
    "Amber", "Blazing", "Cobalt", "Daring", "Electric", "Fearless", "Golden", "Hidden", "Iron",
    "Jade", "Kinetic", "Lunar", "Masked", "Nimble", "Obsidian", "Phantom", "Quick", "Radiant",
    "Silver", "Thunder", "Unseen", "Velvet", "Winged", "Xenon", "Young", "Zephyr",
  ]
  private static let animals = [
    "Badger", "Condor", "Dragon", "Eagle", "Falcon", "Gecko", "Heron", "Jackal", "Lynx", "Mantis",
    "Otter", "Panther", "Raven", "Spider", "Tiger", "Viper", "Wolf",
  ]
  private static let firstNames = [
    "Ada", "Bruno", "Clara", "Dario", "Elena", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Katya",
    "Leo", "Mira", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tilda", "Uri", "Vera",
    "Wanda", "Xavier", "Yara", "Zeno", "Émile", "Åsa", "Øyvind",
  ]
  private static let lastNames = [
    "Abbot", "Brandt", "Costa", "Duval", "Eriksen", "Fontana", "Gruber", "Horvat", "Ivanova",
    "Jansen", "Keller", "Lindqvist", "Moreau", "Novak", "Okafor", "Petit", "Rossi", "Silva",
    "Tanaka", "Ueda", "Varga", "Weber", "Young",
  ]
  private static let sexes = ["female", "male", "female", "male", "other"]

  /// Adds `count` heroes to an empty store.
  static func fill(_ context: NSManagedObjectContext, _ count: Int) throws {
    guard try context.count(for: Hero.fetchRequest()) == 0 else { return }
    // Batches are large: names are spread over the indexes, so each save writes most of their
    // pages.
    let share = 100_000
    for start in stride(from: 0, to: count, by: share) {
      for number in start..<min(start + share, count) { insert(number, in: context) }
      try context.save()
      // Bounds memory.
      context.reset()
    }
  }

  private static func insert(_ number: Int, in context: NSManagedObjectContext) {
    let hero = Hero(context: context)
    hero.name = name(number)
    hero.secretIdentity = identity(number)
    hero.sex = sexes[number * 7 % sexes.count]
    // A day between 1940 and 2010.
    hero.birthday = Date(timeIntervalSince1970: Double(number * 1009 % 25_567 - 10_957) * 86_400)
  }

  /// "Amber Badger", and "Amber Badger 2" from the second round on.
  private static func name(_ number: Int) -> String {
    let kind = kinds[number % kinds.count]
    let animal = animals[number % animals.count]
    let round = number / (kinds.count * animals.count)
    return round == 0 ? "\(kind) \(animal)" : "\(kind) \(animal) \(round + 1)"
  }

  /// "Ada Abbot", and "Ada B. Abbot" and so on from the second round on.
  private static func identity(_ number: Int) -> String {
    let first = firstNames[number % firstNames.count]
    let last = lastNames[number * 5 % lastNames.count]
    let round = number / (firstNames.count * lastNames.count)
    if round == 0 { return "\(first) \(last)" }
    return "\(first) \(Unicode.Scalar(UInt8(65 + round % 26))). \(last)"
  }
}
