import CoreData

/// Our side's stack: a model in code, one store, one context on the main queue.
struct Stack {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  private let store: NSPersistentStore

  init(_ url: URL, hasOrderIndex: Bool = false) throws {
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: ItemModel.make(hasOrderIndex: hasOrderIndex))
    store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  func close() throws {
    context.reset()
    try coordinator.remove(store)
  }
}
