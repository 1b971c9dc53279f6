import CoreData

extension NSPersistentStoreCoordinator {
  /// A context on a queue of its own.
  package func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = self
    return context
  }

  /// Runs `body` on a new context's queue.
  package func withContext<Result>(
    _ body: (NSManagedObjectContext) throws -> Result
  ) rethrows -> Result {
    let context = makeContext()
    return try context.performAndWait { try body(context) }
  }

  /// Closes every store.
  package func removeStores() throws {
    for store in persistentStores { try remove(store) }
  }
}
