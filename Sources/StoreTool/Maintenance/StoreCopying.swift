import CoreData

/// Copies of stores, also of those that are in use, with their external data. What a server has is written into a file
/// of SQLite, under new keys.
package enum StoreCopying {
  package static func copy(_ source: URL, _ format: StoreFormat, to copy: URL) throws {
    guard !FileManager.default.fileExists(atPath: copy.path) else {
      throw ToolError(
        .cannotCreate, "There is a file at \(copy.path) already; name another one, or remove it.")
    }
    guard format.isFile else { return try move(source, to: copy) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: copy, withPersistentStoreFrom: source, ofType: format.storeType)
  }

  private static func move(_ source: URL, to copy: URL) throws {
    let opened = try OpenedStore(StoreRequest(store: source))
    _ = try opened.coordinator.migratePersistentStore(
      opened.store, to: copy, withType: StoreFormat.sqlite.storeType)
    for store in opened.coordinator.persistentStores { try opened.coordinator.remove(store) }
  }
}
