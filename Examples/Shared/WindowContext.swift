import CoreData

/// A window's context. A save that finds the store locked by another program does not wait on the main queue: it
/// returns, the changes stay, and the window's scene saves them when the lock is gone, before the user's deed counts
/// as done.
final class WindowContext: NSManagedObjectContext, @unchecked Sendable {
  let lock: StoreLock
  /// Whether what it has changed is to be saved at once, by whoever comes by.
  var savesEachEvent = false
  /// Called when a save has to be made up for; nil: such a save fails.
  var onLocked: (@MainActor () -> Void)?

  init(_ coordinator: NSPersistentStoreCoordinator, lock: StoreLock) {
    self.lock = lock
    super.init(concurrencyType: .mainQueueConcurrencyType)
    persistentStoreCoordinator = coordinator
  }

  override func save() throws {
    do { try super.save() } catch  where StoreLock.isCause(of: error) {
      guard let onLocked else { throw error }
      MainActor.assumeIsolated { onLocked() }
    }
  }

  /// As the name says: for who makes up for it.
  func saveOrThrow() throws { try super.save() }
}
