import CoreData

/// Generates sample todos for an empty store, identical for each call.
enum Seed {
  private static let verbs = ["Buy", "Call", "Mend", "Read", "Write to", "Water", "Fetch", "Thank"]
  private static let things = [
    "the baker", "the roses", "a friend", "the bicycle", "Aunt Rosa", "the neighbours",
    "the library", "the garden door", "the tickets",
  ]

  /// Adds `count` todos. Saves in batches, which bounds memory.
  static func fill(_ context: NSManagedObjectContext, count: Int) throws {
    guard try context.count(for: Todo.fetchRequest()) == 0 else { return }
    for number in 0..<count {
      let todo = Todo(context: context)
      let thing = things[number / verbs.count % things.count]
      todo.title = "\(verbs[number % verbs.count]) \(thing)"
      todo.completed = number % 3 == 2
      todo.order = Int64(number)
      if number % 10_000 == 9_999 { try context.save() }
    }
    try context.save()
  }
}
