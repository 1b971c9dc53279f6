import CoreData

/// The Core Data stack: a model, one store, and contexts on it.
///
/// Sendable: constant.
package final class PersistentStack: @unchecked Sendable {
  package let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// Waits for other programs that write.
  package let lock: StoreLock

  /// What other processes save; nil for a store that somebody else follows, or nobody.
  private let remoteChanges: RemoteChanges?

  /// Opens the store, and makes it if there is none; waits for others who write to it, as long as `timeout` says.
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

  /// On stores that are open already.
  ///
  /// - Parameters:
  ///   - name: of the store, as people are told.
  ///   - timeout: of the store, in seconds.
  package init(_ coordinator: NSPersistentStoreCoordinator, name: String, timeout: TimeInterval) {
    persistentStoreCoordinator = coordinator
    lock = StoreLock(coordinator, name: name, timeout: timeout)
    remoteChanges = nil
  }

  static func model(at url: URL) throws -> NSManagedObjectModel {
    if let model = NSManagedObjectModel(contentsOf: url) { return model }
    throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// A main-queue context with an undo manager of its own, which follows the saves of the others, in this process and
  /// elsewhere.
  package func makeContext() -> NSManagedObjectContext {
    let context = WindowContext(persistentStoreCoordinator, lock: lock)
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = WindowMergePolicy()
    context.undoManager = UndoManager()
    remoteChanges?.add(context)
    return context
  }

  /// A context on a queue of its own, for work beside the windows.
  package func makeBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    context.transactionAuthor = remoteChanges?.author
    return context
  }
}
