import Synchronization

/// The classes of stores by type: the built-in ones and those that the program has registered.
enum StoreRegistry {
  private static let classes = Mutex<[String: NSPersistentStore.Type]>([
    NSInMemoryStoreType: InMemoryStore.self, NSSQLiteStoreType: SQLiteStore.self,
    NSBinaryStoreType: BinaryStore.self, NSXMLStoreType: XMLStore.self,
  ])

  static var all: [String: NSPersistentStore.Type] { classes.withLock { $0 } }

  static func register(_ storeClass: NSPersistentStore.Type?, type: String) {
    classes.withLock { $0[type] = storeClass }
    ServerStores.note(storeClass, type: type)
  }

  /// The class for a type. Throws 134000 for an unregistered type.
  static func storeClass(ofType type: String) throws -> NSPersistentStore.Type {
    let classes = all
    if let found = classes[type] { return found }
    let known = classes.keys.sorted().joined(separator: ", ")
    throw CoreDataError.make(
      .persistentStoreInvalidType,
      reason: "No store class is registered for type \(type); there are \(known).")
  }
}

extension NSPersistentStoreCoordinator {
  /// The type and class of the stores on a server that a URL addresses; nil for files, and if no
  /// such type is registered.
  package final class func server(
    at url: URL
  ) -> (type: String, storeClass: any ServerStore.Type)? {
    guard let type = ServerStores.type(at: url),
      let storeClass = ServerStores.storeClass(ofType: type)
    else { return nil }
    return (type, storeClass)
  }

  /// The registered types, with pointers to their classes as numbers: Foundation's `NSValue` cannot
  /// hold pointers on this platform.
  public final class var registeredStoreTypes: [String: NSValue] {
    StoreRegistry.all.mapValues { storeClass in
      // Sound: a class metatype is one pointer, to metadata that are never freed.
      var pointer = unsafeBitCast(storeClass, to: UnsafeRawPointer.self)
      return NSValue(bytes: &pointer, objCType: "Q")
    }
  }

  /// Registers a subclass of ``NSPersistentStore`` for a type; nil removes the registration. Traps
  /// for any other class.
  public final class func registerStoreClass(
    _ storeClass: AnyClass?, forStoreType storeType: String
  ) {
    guard let storeClass else { return StoreRegistry.register(nil, type: storeType) }
    guard let storeClass = storeClass as? NSPersistentStore.Type else {
      fatalError("\(storeClass) cannot be a store: it is no subclass of NSPersistentStore")
    }
    StoreRegistry.register(storeClass, type: storeType)
  }

  /// Registers a class of stores for a type.
  public final class func registerStoreClass(
    _ storeClass: NSPersistentStore.Type, type storeType: NSPersistentStore.StoreType
  ) {
    StoreRegistry.register(storeClass, type: storeType.rawValue)
  }
}
