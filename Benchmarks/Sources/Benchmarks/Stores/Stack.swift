import CoreData

/// Our side's stack: a model in code, one store, one context on the main queue.
struct Stack {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  private let store: NSPersistentStore

  init(_ url: URL, indexedBy keys: [String] = []) throws {
    try self.init(url, model: ItemModel.make(indexedBy: keys))
  }

  init(_ url: URL, model: NSManagedObjectModel, options: [String: any Sendable]? = nil) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  /// A further context of the same coordinator, on a queue of its own.
  func backgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    return context
  }

  func close() throws {
    context.reset()
    try coordinator.remove(store)
  }
}
