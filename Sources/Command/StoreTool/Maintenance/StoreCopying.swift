import CoreData

/// Copies stores with their external data, even while they are in use. A store on a server is
/// copied into a SQLite file.
package enum StoreCopying {
  package static func copy(_ source: URL, format: StoreFormat, to copy: URL) throws {
    guard !FileManager.default.fileExists(atPath: copy.path) else {
      throw ToolError(
        .cannotCreate,
        description: "There is a file at \(copy.path) already; name another one, or remove it.")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: copy, withPersistentStoreFrom: source, ofType: format.storeType)
    guard format.isFile || FileManager.default.fileExists(atPath: copy.path) else {
      throw ToolError(.noInput, description: "There is no store at \(source.place) to be copied.")
    }
  }
}
