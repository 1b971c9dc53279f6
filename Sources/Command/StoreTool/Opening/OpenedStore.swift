import CoreData

/// The store to open, and the model to read it with.
package struct StoreRequest: Sendable {
  package var store: URL
  package var model: URL?
  package var modelVersion: String?
  package var ignoresVersion = false

  package init(store: URL) { self.store = store }
}

/// An open store, with the model that it is read with.
///
/// Opening for reading makes and changes no file, and the store may be in use.
package final class OpenedStore {
  /// The URL; of a server without the password.
  package let url: URL
  package let format: StoreFormat
  package let origin: ModelOrigin
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore
  package private(set) var warnings: [String] = []
  /// Whether the store records changes in its history.
  let tracksHistory: Bool

  package var model: NSManagedObjectModel { coordinator.managedObjectModel }
  package var metadata: [String: Any] { store.metadata ?? [:] }

  /// The store's location for messages: a path, or an address without the password.
  package var place: String { url.place }

  /// The time to wait for a lock of another process, or for a server, in seconds.
  package static let timeout = 10

  /// The size of a reading connection's page cache, as `PRAGMA cache_size` takes it: 32 MB, which
  /// are used only if that many pages are read. Members of relationships lie anywhere in the file:
  /// with SQLite's two megabytes an export reads most pages many times.
  private static let pageCache = "-32768"

  /// The author of this tool's transactions in a store's history.
  package static let author = "coredata"

  /// Opens a store. Throws a ``ToolError`` that says what was expected, what was found, and what to
  /// do.
  ///
  /// - Parameters:
  ///   - isWriting: whether the store is opened for writing.
  ///   - isForTrial: whether a later change is tried on the store opened read-only: throws if the
  ///     change could not be written.
  ///   - mainQueueTimeout: the time that a save on the main queue waits for a lock of another
  ///     process, in seconds; nil for the default.
  package init(
    _ request: StoreRequest, isWriting: Bool = false, isForTrial: Bool = false,
    mainQueueTimeout: TimeInterval? = nil
  ) throws {
    let server = NSPersistentStoreCoordinator.server(at: request.store)
    let address = server == nil ? request.store.standardizedFileURL : request.store
    url = server?.storeClass.withoutSecrets(address) ?? address
    format = try StoreFormat(at: address)
    do {
      let finder = ModelFinder(request: request, url: address, format: format)
      let found = try finder.find()
      (origin, warnings) = (found.origin, found.warnings)
      if isWriting || isForTrial { try found.checkWritable() }
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: found.model)
      var options: [AnyHashable: Any] = [:]
      if !isWriting {
        options[NSReadOnlyPersistentStoreOption] = true
        if format == .sqlite { options[NSSQLitePragmasOption] = ["cache_size": Self.pageCache] }
      }
      if found.ignoresVersion { options[NSIgnorePersistentStoreVersioningOption] = true }
      // Some queries take a server longer than a process holds the lock of a file.
      if server == nil { options[NSPersistentStoreTimeoutOption] = Self.timeout }
      options[OpenCoreDataMainQueueTimeoutOption] = mainQueueTimeout
      // Lists in other processes are notified.
      if isWriting, server != nil {
        options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true
      }
      // A server's history can be read only with this option.
      if try server?.storeClass.tracksHistory(at: address)
        ?? (isWriting && format == .sqlite && Self.tracksHistory(address))
      {
        options[NSPersistentHistoryTrackingKey] = true
      }
      tracksHistory = options[NSPersistentHistoryTrackingKey] != nil
      store = try coordinator.addPersistentStore(
        ofType: format.storeType, configurationName: nil, at: address, options: options)
    } catch {
      throw ToolError(error)
    }
  }

  private static func tracksHistory(_ url: URL) throws -> Bool {
    try !StoreInspector(url: url).rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'")
      .isEmpty
  }

  /// Makes a context with a private queue.
  package func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = Self.author
    context.undoManager = nil
    return context
  }

  /// Runs `body` on the queue of a new context. Its errors are converted to ``ToolError``.
  package func withContext<Result>(
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = makeContext()
    do { return try context.performAndWait { try body(context) } } catch { throw ToolError(error) }
  }

  /// The entity of a name; case is ignored if the result is unique. Throws a usage error that lists
  /// the entities for an unknown name.
  package func entity(named name: String) throws -> NSEntityDescription {
    if let entity = model.entitiesByName[name] { return entity }
    let similar = model.entities.filter { $0.name?.lowercased() == name.lowercased() }
    if similar.count == 1 { return similar[0] }
    let names = model.entitiesByName.keys.sorted().joined(separator: ", ")
    throw ToolError(.usage, description: "The model has no entity “\(name)”; it has: \(names).")
  }

  /// Closes the store.
  // The error is ignored: the store is closed in any case.
  package func close() { try? coordinator.remove(store) }
}

/// Finds the model of a store: the given one, the store's own, or a guessed one.
private struct ModelFinder {
  struct Found {
    let model: NSManagedObjectModel
    let origin: ModelOrigin
    var warnings: [String] = []
    var ignoresVersion = false

    func checkWritable() throws {
      if origin == .guessed {
        throw ToolError(
          .usage,
          description:
            "The store keeps no model of itself, and a guessed one is not enough to write by: name the real one with "
            + "--model.")
      }
    }
  }

  let request: StoreRequest
  let url: URL
  let format: StoreFormat

  func find() throws -> Found {
    var found = try request.model.map(named) ?? ownModel()
    found.model.forgetClasses()
    if request.ignoresVersion { found.ignoresVersion = true }
    return found
  }

  // MARK: - Named

  private func named(_ file: URL) throws -> Found {
    if let name = request.modelVersion {
      return found(try ModelSource.version(at: file, named: name), file: file)
    }
    let versions = try ModelSource.versions(at: file)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: format.storeType, at: url)
    let hasHashes = metadata[NSStoreModelVersionHashesKey] != nil
    if hasHashes,
      let fitting = versions.first(where: {
        $0.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
    {
      return found(fitting, file: file)
    }
    let current = try ModelSource.version(at: file, named: nil)
    // Opening the store checks more: hashes by earlier rules, and those of derived attributes.
    if !hasHashes || request.ignoresVersion || current.model.hasUnknownHashes {
      return found(current, file: file)
    }
    throw ToolError(
      .badData,
      description:
        "The store at \(url.place) was made by another model than \(file.path), none of whose versions has its hashes: "
        + "\(difference(current.model, metadata: metadata)). Name the model that made it, leave --model out to use the store's "
        + "own, migrate it with “coredata migrate”, or read it all the same with --ignore-version.")
  }

  private func found(_ version: ModelSource.Version, file: URL) -> Found {
    Found(model: version.model, origin: .file(path: file.path, version: version.name))
  }

  private func difference(_ model: NSManagedObjectModel, metadata: [String: Any]) -> String {
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let own = model.entityVersionHashesByName
    let missing = stored.keys.filter { own[$0] == nil }.sorted()
    let other = stored.keys.filter { own[$0] != nil && own[$0] != stored[$0] }.sorted()
    let new = own.keys.filter { stored[$0] == nil }.sorted()
    let parts = [("different", other), ("only in the store", missing), ("only in the model", new)]
    return parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
      .joined(separator: "; ")
  }

  // MARK: - The store's own

  private func ownModel() throws -> Found {
    if format == .postgreSQL {
      let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
      return Found(model: model, origin: .server)
    }
    guard format == .sqlite else { return try guessed([]) }
    do {
      let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
      return Found(model: model, origin: .cache)
    } catch let error as NSError where error.code == CocoaError.Code.persistentStoreOpen.rawValue {
      return try guessed([])
    } catch {
      // Throws if the file is damaged, rather than just the model in it.
      _ = try StoreInspector(url: url).rows("SELECT Z_NAME FROM Z_PRIMARYKEY")
      return try guessed(["The model that the store keeps cannot be read: \(ToolError(error))"])
    }
  }

  private func guessed(_ warnings: [String]) throws -> Found {
    let warnings = warnings + ["The model is guessed; name the real one with --model."]
    switch format {
    case .sqlite:
      return Found(
        model: try GuessedModel(url).make(), origin: .guessed, warnings: warnings,
        ignoresVersion: true)
    case .xml:
      return Found(
        model: try GuessedModel.ofXML(url), origin: .guessed, warnings: warnings,
        ignoresVersion: true)
    case .binary, .postgreSQL:
      throw ToolError(
        .usage,
        description:
          "A binary store keeps no model of itself: name the one that made it with --model.")
    }
  }
}

extension NSManagedObjectModel {
  fileprivate var hasUnknownHashes: Bool {
    entities.contains { entity in
      entity.properties.contains {
        $0 is NSDerivedAttributeDescription || $0 is NSCompositeAttributeDescription
      }
    }
  }
}
