import CoreData

/// A store in a file of SQLite that nobody else knows of, on the way between a file and a server.
///
/// Used by one thread.
struct DraftStore {
  let url: URL
  let model: NSManagedObjectModel
  let rows: any RowStore
  /// Of every entity that it has a table for.
  let layouts: [EntityLayout]
  private let coordinator: NSPersistentStoreCoordinator

  /// Runs `body` with a place for a file, which goes afterwards with all that is in its folder.
  static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-\(UUID().uuidString)")
    // What a store has may be nobody else's business on this machine.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // What is left in a temporary folder harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appendingPathComponent("draft.sqlite"))
  }

  /// Opens the store, or makes it.
  ///
  /// - Parameter metadata: of the store that this is a copy of, or is to become.
  init(_ url: URL, _ model: NSManagedObjectModel, copyOf metadata: [String: Any]) throws {
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
      // A copy that may be followed, so that it may be written to.
      options: [NSPersistentHistoryTrackingKey: FileManager.default.fileExists(atPath: url.path)])
    guard let rows = store.rowStore else {
      throw CoreDataError.unsupported("A store of class \(type(of: store))")
    }
    self.rows = rows
    let coordinator = coordinator
    layouts = coordinator.layouts.filter { layout in
      // A table has the whole tree of entities, whichever of them the configuration names.
      coordinator.layouts.contains {
        $0.rootNumber == layout.rootNumber && coordinator.holds($0.entity, in: store)
      }
    }
  }

  /// The number of the last transaction of its history.
  var lastTransaction: Int64 {
    let token = coordinator.currentPersistentHistoryToken(fromStores: [rows])
    return token?.numbers[rows.identities.storeUUID] ?? 0
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
