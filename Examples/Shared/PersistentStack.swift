import CoreData

/// The Core Data stack: a model, one SQLite store, and contexts on it.
package final class PersistentStack {
  package let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of an application with one window.
  package private(set) lazy var managedObjectContext = makeContext()

  /// Opens the store, and makes it if there is none.
  package init(modelURL: URL, storeURL: URL) throws {
    guard let model = NSManagedObjectModel(contentsOf: modelURL) else {
      throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: modelURL.path])
    }
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try persistentStoreCoordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL)
  }

  /// On stores that are open already.
  package init(_ coordinator: NSPersistentStoreCoordinator) {
    persistentStoreCoordinator = coordinator
  }

  /// A main-queue context with an undo manager of its own, which follows the saves of the others.
  package func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = WindowMergePolicy()
    context.undoManager = UndoManager()
    return context
  }
}
