import CoreData

/// The Core Data stack: a model, one store, and contexts on it.
package final class PersistentStack {
  package let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of an application with one window.
  package private(set) lazy var managedObjectContext = makeContext()

  /// What other processes save; nil for a store that is this process's alone.
  private let remoteChanges: RemoteChanges?

  /// Opens the store, and makes it if there is none.
  package init(modelURL: URL, place: StorePlace) throws {
    persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try Self.model(at: modelURL))
    try persistentStoreCoordinator.addPersistentStore(
      ofType: place.type, configurationName: nil, at: place.url, options: place.options)
    remoteChanges =
      if case .server = place { try RemoteChanges(persistentStoreCoordinator) } else { nil }
  }

  /// On stores that are open already.
  package init(_ coordinator: NSPersistentStoreCoordinator) {
    persistentStoreCoordinator = coordinator
    remoteChanges = nil
  }

  static func model(at url: URL) throws -> NSManagedObjectModel {
    if let model = NSManagedObjectModel(contentsOf: url) { return model }
    throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// A main-queue context with an undo manager of its own, which follows the saves of the others.
  package func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = WindowMergePolicy()
    context.undoManager = UndoManager()
    remoteChanges?.add(context)
    return context
  }
}
