import Synchronization

/// The registered classes of stores on servers, by type.
enum ServerStores {
  private static let classes = Mutex<[String: any ServerStore.Type]>([:])

  /// Called for each class that is registered, or removed from its type by nil.
  static func note(_ storeClass: NSPersistentStore.Type?, type: String) {
    let server = storeClass.flatMap { $0 as? any ServerStore.Type }
    classes.withLock { $0[type] = server }
  }

  static func storeClass(ofType type: String) -> (any ServerStore.Type)? {
    classes.withLock { $0[type] }
  }

  /// The type of the stores to whose URLs this one belongs, by its scheme; nil if no such type is
  /// registered.
  static func type(at url: URL) -> String? {
    let scheme = url.scheme?.lowercased() ?? ""
    return classes.withLock { $0 }.first { $0.value.schemes.contains(scheme) }?.key
  }

  /// The URL of a store as errors may show it, without secrets. A server's URL is recognised even
  /// if it was given to a store of another type by mistake.
  static func shown(_ url: URL, ofType type: String) -> URL {
    storeClass(ofType: Self.type(at: url) ?? type)?.withoutSecrets(url) ?? url
  }
}

extension NSPersistentStore {
  /// The model that is stored in the store at a URL, on a server or in a file.
  static func keptModel(at url: URL) throws -> NSManagedObjectModel {
    if let server = self as? any ServerStore.Type { return try server.storedModel(at: url) }
    return try cachedModel(at: url)
  }

  /// Whether there is something at a URL that a new store would meet, on a server or in a file.
  static func meetsSomething(at url: URL, options: StoreOptions) throws -> Bool {
    if let server = self as? any ServerStore.Type {
      return try server.hasStore(at: url, options: options)
    }
    return try isTaken(url, options: options)
  }
}
