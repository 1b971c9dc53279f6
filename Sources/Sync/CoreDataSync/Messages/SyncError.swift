import Foundation

/// What keeps an engine from working until somebody does something.
public enum SyncError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Another engine has the store.
  case locked
  /// The store tracks no history.
  case noHistory
  /// The container has no store, or several.
  case store(String)
  /// So many objects are gone from the store, with its history, that it may be another one: nothing
  /// was deleted anywhere. `acceptDeletions()` says that they were deleted.
  case missingObjects(Int)
  /// The server does not let this key see the zone.
  case zone(String)
  /// The store is synced in another zone, which the error names.
  case otherZone(String)
  /// The store has objects of another one, and sync's own store is of a third.
  case otherStore
  /// Sync's own store, beside the application's, cannot be opened or read; its path, and why.
  case ownStore(String, String)
  /// The store is always changed while sync is about to save.
  case busy
  /// The store may only be read.
  case readOnly
  /// The engine was closed, or its store removed from the coordinator.
  case ended

  /// Whether the engine can do nothing more about it: not even somebody elsewhere could.
  var isFinal: Bool { self == .ended || self == .readOnly }

  /// The description.
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .locked: "Another engine syncs this store."
    case .noHistory:
      """
      The store tracks no history: set NSPersistentHistoryTrackingKey. Stores of the types in memory, \
      binary and XML have none: use SQLite.
      """
    case .store(let text): text
    case .missingObjects(let count):
      """
      \(count) objects that sync knows are not in the store, and its history does not say what has \
      become of them; nothing was deleted elsewhere. If they were deleted, say so by \
      acceptDeletions().
      """
    case .otherStore:
      """
      The store was made of another one, with its objects, and the files beside it whose names \
      contain “-sync” are not of it; nothing was changed here or elsewhere. Move these files away: \
      the store joins with its objects as a new device then.
      """
    case .zone(let zone): "The server does not show the zone \(zone)."
    case .otherZone(let zone):
      "The store is synced in the zone \(zone): open it with that one, or sync another store."
    case .ownStore(let path, let reason):
      """
      Sync's own store \(path) cannot be used: \(reason). Nothing was changed. If it is damaged, move \
      it away with the files whose names begin with its own: sync then learns from the server and \
      from the store's history which object is which.
      """
    case .busy: "The store is changed by others faster than it can be saved."
    case .readOnly:
      """
      The store is open read only (NSReadOnlyPersistentStoreOption, or its file may not be written): \
      sync writes into it what others have done. Open it for writing, or without sync.
      """
    case .ended:
      """
      Sync of this store has ended: its engine was closed, or the store removed from its \
      coordinator. What was saved and not sent is sent by the next engine of the store: make one, \
      or load the store again.
      """
    }
  }
}
