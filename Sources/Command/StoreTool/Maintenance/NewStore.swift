import CoreData

/// Makes an empty store of a model: SQLite, XML or binary by the file's extension, or on a server.
package enum NewStore {
  package static func make(at url: URL, model file: URL, version: String?) throws {
    do {
      let model = try ModelSource.version(at: file, named: version).model
      model.forgetClasses()
      if isTaken(url) {
        throw ToolError(
          .cannotCreate,
          description:
            "There is something at \(url.isFileURL ? url.path : "that address") already; name another place, or remove it."
        )
      }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: StoreFormat(ofNew: url).storeType, configurationName: nil, at: url, options: nil)
      try coordinator.remove(store)
    } catch { throw ToolError(error) }
  }

  private static func isTaken(_ url: URL) -> Bool {
    if url.isFileURL { return FileManager.default.fileExists(atPath: url.path) }
    // If the server cannot be reached, making the store fails with the reason.
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: StoreFormat(ofNew: url).storeType, at: url)
    return metadata != nil
  }
}

extension StoreFormat {
  /// The format of a new store: that of the server, or by the file's extension.
  init(ofNew url: URL) {
    if !url.isFileURL {
      self = .postgreSQL
    } else {
      switch url.pathExtension.lowercased() {
      case "xml": self = .xml
      case "binary", "bin": self = .binary
      default: self = .sqlite
      }
    }
  }
}
