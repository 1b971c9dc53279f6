import CoreData

/// The location of an application's store: a SQLite file, or a schema on a PostgreSQL server.
package enum StorePlace {
  case file(URL)
  case server(URL)

  /// Parses a typed location: a path, or an address with a scheme.
  /// - Throws: an error with the code `NSPersistentStoreOpenError` for an address of another kind,
  ///   or if the program was built without the PostgreSQL store.
  package init(_ text: String) throws {
    guard let scheme = text.firstMatch(of: /^([A-Za-z][A-Za-z0-9+.-]*):\/\//)?.1.lowercased() else {
      self = .file(URL(fileURLWithPath: text))
      return
    }
    guard ["postgresql", "postgres"].contains(scheme), let url = URL(string: text) else {
      throw Self.error(
        "--store takes a file, or an address such as postgresql://user@host/database; what was given "
          + "is neither.")
    }
    // Registered by the product CoreDataPostgreSQL, if that is linked.
    guard NSPersistentStoreCoordinator.registeredStoreTypes[Self.serverType] != nil else {
      throw Self.error(
        "This program was built without PostgreSQL. Build it with the trait of that name: "
          + "swift build --traits Web,PostgreSQL.")
    }
    self = .server(url)
  }

  private static let serverType = "PostgreSQL"

  private static func error(_ reason: String) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
      userInfo: [NSLocalizedDescriptionKey: reason])
  }

  package var url: URL {
    switch self {
    case .file(let url), .server(let url): url
    }
  }

  var type: String {
    switch self {
    case .file: NSSQLiteStoreType
    case .server: Self.serverType
    }
  }

  /// How long to wait for another process that is writing to the store, in seconds.
  package static let timeout: TimeInterval = 60

  /// The name in messages: the file's or the server's.
  package var name: String {
    switch self {
    case .file(let url): url.lastPathComponent
    case .server(let url): url.host() ?? "the server"
    }
  }

  /// The options for opening the store: it records its history and posts notifications about it,
  /// since other processes write too.
  func options(timeout: TimeInterval = Self.timeout) -> [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    if case .file = self {
      options[NSPersistentStoreTimeoutOption] = timeout
      options[OpenCoreDataMainQueueTimeoutOption] = StoreLock.mainQueueTimeout
    }
    return options
  }

  /// Copies another store to this location, unless there is a store already.
  package func fill(withStoreAt source: URL, modelURL: URL) throws {
    switch self {
    case .file(let url):
      if FileManager.default.fileExists(atPath: url.path) { return }
      // The copy is linked to its final name when it is complete, unless another process was
      // faster. A killed process leaves no partial store, and none replaces another's store.
      let copy = url.appendingPathExtension("\(UUID())")
      try FileManager.default.copyItem(at: source, to: copy)
      defer { unlink(copy.path) }
      // A copy has the permissions of its source, which everybody may read.
      chmod(copy.path, 0o600)
      guard link(copy.path, url.path) != 0, errno != EEXIST else { return }
      // Some file systems have no hard links.
      try FileManager.default.moveItem(at: copy, to: url)
    case .server(let url):
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: try PersistentStack.model(at: modelURL))
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: source,
        options: [NSReadOnlyPersistentStoreOption: true])
      do {
        try coordinator.migratePersistentStore(
          store, to: url, options: options(), withType: type)
      } catch CocoaError.fileWriteFileExists {}
    }
  }
}
