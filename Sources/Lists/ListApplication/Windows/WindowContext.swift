import CoreData

/// A window's context. A save that finds the store locked by another process does not wait on the
/// main queue: it returns with the changes still pending, and the window's scene saves them when
/// the lock is released, before the user's action counts as done.
///
/// `@unchecked Sendable` is inherited; the added properties are used on the main queue only.
final class WindowContext: NSManagedObjectContext, @unchecked Sendable {
  let lock: StoreLock
  /// Whether pending changes may be saved at any time, as before changes of other processes are
  /// merged.
  var savesEachEvent = false
  /// Called when a save has to be repeated later; if nil, such a save throws.
  var onLocked: (@MainActor () -> Void)?
  /// Called when the context may merge what others have saved; merges, and draws the window.
  var onTurn: (@MainActor () -> Void)?
  /// Called before what other processes have saved is merged.
  var onRemoteChanges: (@MainActor () -> Void)?
  /// Asks for a turn.
  var askForTurn: (@Sendable () -> Void)?

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

  /// Merges what others have saved.
  @MainActor
  func takeTurn() {
    guard let onTurn else { return mergeWaitingSaves() }
    onTurn()
  }

  /// Saves, and throws if the store is locked. For callers that repeat the save.
  func saveOrThrow() throws { try super.save() }
}
