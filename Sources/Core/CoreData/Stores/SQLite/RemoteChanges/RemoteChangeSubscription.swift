/// The subscription of a store to changes of its file, for its coordinator's notifications. Ends
/// with ``cancel()`` or its last reference.
///
/// Sendable: constant.
final class RemoteChangeSubscription: Sendable {
  private let hub: RemoteChangeHub
  private let listener: RemoteChangeListener

  /// Throws `persistentStoreOpen` if the store's files cannot be watched.
  init(_ store: SQLiteStore, location: StoreLocation, storeUUID: String) throws {
    listener = RemoteChangeListener(store, storeUUID: storeUUID)
    switch location {
    case .file(let url):
      let path = url.resolvingSymlinksInPath().path
      hub = try .join(listener, key: path, path: path)
    case .sharedMemory(let name): hub = try .join(listener, key: "memory:\(name)", path: nil)
    case .privateMemory: hub = try .join(listener, key: "memory:/\(UUID())", path: nil)
    }
  }

  deinit { cancel() }

  /// Ends the subscription; further calls do nothing.
  func cancel() { hub.leave(listener) }

  /// - Parameter number: of the transaction in the history; nil without history.
  func didCommit(_ number: Int64?) { hub.didCommit(number) }
}

/// The listener for one store of a ``RemoteChangeHub``.
///
/// Sendable: constant, and weak references are read atomically.
final class RemoteChangeListener: @unchecked Sendable {
  private weak var store: SQLiteStore?
  private let storeUUID: String

  init(_ store: SQLiteStore, storeUUID: String) {
    self.store = store
    self.storeUUID = storeUUID
  }

  func post(_ number: Int64?) {
    guard let store, let coordinator = store.persistentStoreCoordinator else { return }
    var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: storeUUID]
    userInfo[NSPersistentStoreURLKey] = store.url
    userInfo[NSPersistentHistoryTokenKey] = number.map { NSPersistentHistoryToken([storeUUID: $0]) }
    NotificationCenter.default.post(
      name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
  }
}
