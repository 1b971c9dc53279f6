import CoreData

/// The Core Data stack: a model, one store, and contexts on it.
///
/// `@unchecked Sendable` is sound: all properties are constants, and their types are thread-safe.
package final class PersistentStack: @unchecked Sendable {
  package let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// Waits until other processes have finished writing.
  package let lock: StoreLock

  /// Merges saves of other processes; nil if the store is not followed by this stack.
  private let remoteChanges: RemoteChanges?
  /// Lets windows take over the saves of this process.
  private let pace = MergePace()

  /// Opens the store, creating it if there is none. Waits up to `timeout` seconds for other
  /// processes that are writing to it.
  package init(
    modelURL: URL, place: StorePlace, timeout: TimeInterval = StorePlace.timeout
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try Self.model(at: modelURL))
    try coordinator.addPersistentStore(
      ofType: place.type, configurationName: nil, at: place.url,
      options: place.options(timeout: timeout))
    persistentStoreCoordinator = coordinator
    lock = StoreLock(coordinator, name: place.name, timeout: timeout)
    remoteChanges = RemoteChanges(coordinator)
  }

  /// Creates a stack on stores that are open already.
  ///
  /// - Parameters:
  ///   - name: the store's name in messages.
  ///   - timeout: the store's timeout, in seconds.
  package init(_ coordinator: NSPersistentStoreCoordinator, name: String, timeout: TimeInterval) {
    persistentStoreCoordinator = coordinator
    lock = StoreLock(coordinator, name: name, timeout: timeout)
    remoteChanges = nil
  }

  /// Closes the stores. The last connection to a SQLite file copies the write-ahead log into it.
  package func close() async {
    await remoteChanges?.close()
    for store in persistentStoreCoordinator.persistentStores {
      // The store of a file that is gone cannot be closed; nothing is lost that was there.
      try? persistentStoreCoordinator.remove(store)
    }
  }

  static func model(at url: URL) throws -> NSManagedObjectModel {
    if let model = NSManagedObjectModel(contentsOf: url) { return model }
    throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// Creates a main-queue context with an undo manager. Saves of other contexts, in this process
  /// and others, are merged into it: when its turn comes, and before its user does anything.
  package func makeContext() -> NSManagedObjectContext {
    let context = WindowContext(persistentStoreCoordinator, lock: lock)
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = WindowMergePolicy()
    context.undoManager = UndoManager()
    pace.add(context)
    remoteChanges?.add(context)
    return context
  }

  /// Creates a private-queue context for work beside the windows.
  package func makeBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    context.transactionAuthor = remoteChanges?.author
    return context
  }
}
