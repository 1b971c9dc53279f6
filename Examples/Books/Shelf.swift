import CoreData

/// Generates sample books, identical for each call.
enum Shelf {
  private static let authors = [
    "Agnes Thornbury", "Bertil Sandgren", "Carmen Oliveira", "Dorothea Falk", "Edmund Whitlock",
    "Fumiko Arai", "Giacomo Bellini", "Hester Quill",
  ]
  private static let qualities = [
    "Quiet", "Borrowed", "Winter", "Paper", "Second", "Distant", "Salt",
  ]
  private static let things = [
    "Harbour", "Orchard", "Letters", "Clock", "Garden", "Lighthouse", "Summer", "Library",
    "Bridge", "Atlas", "Kitchen",
  ]

  /// Adds `count` books to an empty store.
  static func fill(_ context: NSManagedObjectContext, _ count: Int) throws {
    guard try context.count(for: Book.fetchRequest()) == 0 else { return }
    for number in 0..<count {
      let book = Book(context: context)
      book.title = title(number)
      book.author = authors[number * 3 % authors.count]
      // A day between 1900 and 2000.
      let day = Double(number * 7919 % 36_500 - 25_567)
      book.copyright = Date(timeIntervalSince1970: day * 86_400)
      guard number % 10_000 == 9_999 else { continue }
      try context.save()
      // Bounds memory.
      context.reset()
    }
    try context.save()
  }

  private static func title(_ number: Int) -> String {
    let title = "The \(qualities[number % qualities.count]) \(things[number % things.count])"
    let round = number / (qualities.count * things.count)
    return round == 0 ? title : "\(title), volume \(round + 1)"
  }
}
