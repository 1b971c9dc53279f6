import CoreData

/// A private store in a SQLite file, as an intermediate step between a file and a server.
///
/// Used by one thread.
struct DraftStore {
  let url: URL
  let model: NSManagedObjectModel
  let rows: any RowStore
  /// The layouts of all entities that have a table.
  let layouts: [EntityLayout]
  private let coordinator: NSPersistentStoreCoordinator

  /// Runs `body` with the URL for a file in a new folder, and deletes the folder afterwards.
  static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-\(UUID().uuidString)")
    // Accessible to this user only, as the store may be confidential.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // `try?`: a file left in the temporary folder does no harm.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appendingPathComponent("draft.sqlite"))
  }

  /// Opens the store, or creates it.
  ///
  /// - Parameter metadata: the metadata of the store that this is, or will be, a copy of.
  init(_ url: URL, model: NSManagedObjectModel, copyOf metadata: [String: Any]) throws {
    (self.url, self.model) = (url, model)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let names = [nil] + model.configurations.map(Optional.some)
    let configuration = names.first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    guard let configuration else {
      throw CoreDataError.make(
        .persistentStoreIncompatibleVersionHash,
        reason: "The model that the store keeps of itself is of another version than its tables: "
          + "open it with its model once, and replace then.")
    }
    let store = try coordinator.addPersistentStore(
      type: .sqlite, configuration: configuration, at: url,
      // With history tracking for an existing file: a store with a history is read-only without it.
      options: [NSPersistentHistoryTrackingKey: FileManager.default.fileExists(atPath: url.path)])
    guard let rows = store.rowStore else {
      throw CoreDataError.unsupported("A store of class \(type(of: store))")
    }
    self.rows = rows
    let coordinator = coordinator
    layouts = coordinator.layouts.filter { layout in
      // A table has the whole tree of entities, even if the configuration names only some of them.
      coordinator.layouts.contains {
        $0.rootNumber == layout.rootNumber && coordinator.holds($0.entity, in: store)
      }
    }
  }

  /// The number of the last transaction in the store's history.
  var lastTransaction: Int64 {
    let token = coordinator.currentPersistentHistoryToken(fromStores: [rows])
    return token?.numbers[rows.identities.storeUUID] ?? 0
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
