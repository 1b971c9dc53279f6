import CoreData

/// Adds made-up goods on a background context, while lists are open: what it saves is merged into
/// their contexts.
struct Importer: Sendable {
  let coordinator: NSPersistentStoreCoordinator

  /// How many rows are saved, and so appear, at a time.
  private static let batchSize = 500

  func run(_ count: Int) async throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    let first = try await context.perform { try context.count(for: Goods.fetchRequest()) }
    for start in stride(from: first, to: first + count, by: Self.batchSize) {
      let end = min(start + Self.batchSize, first + count)
      try await context.perform {
        for number in start..<end { Catalogue.insert(number, in: context) }
        try context.save()
        // What is saved is of no more use here.
        context.reset()
      }
    }
  }
}
