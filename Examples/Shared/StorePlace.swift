import CoreData

/// Where an application keeps its objects: in a SQLite file, or in a schema on a PostgreSQL server.
package enum StorePlace {
  case file(URL)
  case server(URL)

  /// Of what was typed: a path, or an address with a scheme.
  ///
  /// Throws for an address of another kind, and where the program was built without a client for servers.
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
    // Registered by the product CoreDataPostgreSQL, where that is linked.
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

  /// How long another program that writes to the store is waited for, seconds.
  package static let timeout: TimeInterval = 60

  /// As people are told: the name of the file, or the server's.
  package var name: String {
    switch self {
    case .file(let url): url.lastPathComponent
    case .server(let url): url.host() ?? "the server"
    }
  }

  /// The store notes its history and tells of it: others write there too.
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

  /// Puts the objects of another store here, unless there is a store already.
  package func fill(withStoreAt source: URL, modelURL: URL) throws {
    switch self {
    case .file(let url):
      if FileManager.default.fileExists(atPath: url.path) { return }
      // The copy gets its name when it is whole, and if nobody has been quicker: a process that is killed leaves no
      // half of a store, and none takes the store of another one away.
      let copy = url.appendingPathExtension("\(UUID())")
      try FileManager.default.copyItem(at: source, to: copy)
      defer { unlink(copy.path) }
      guard link(copy.path, url.path) != 0, errno != EEXIST else { return }
      // Without links to files there is no other way.
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
