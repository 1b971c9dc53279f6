import CoreData

/// Where backups are: beside a file, and for a store on a server in this user's folder of states.
package enum StoreBackup {
  /// What `XDG_STATE_HOME` says, unless a task says otherwise.
  @TaskLocal package static var states = ProcessInfo.processInfo.environment["XDG_STATE_HOME"]

  static func folder(of store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(store.lastPathComponent + ".backups")
  }

  /// By the UUID, since several addresses may lead to one store.
  static func folder(ofServersStore metadata: [String: Any]) -> URL {
    // The specification of freedesktop.org has relative paths ignored.
    let states = states.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      states.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
    let uuid = metadata[NSStoreUUIDKey] as? String ?? "unknown"
    return base.appendingPathComponent("coredata/\(uuid).backups")
  }

  /// What a server has may be nobody else's business on this machine.
  static func makeFolder(_ folder: URL, for format: StoreFormat) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: format.isFile ? nil : [.posixPermissions: 0o700])
  }

  /// Copies a whole store, one on a server into a file of SQLite.
  static func make(of store: URL, _ format: StoreFormat) throws -> URL {
    let folder: URL
    if format.isFile {
      folder = Self.folder(of: store)
    } else {
      folder = Self.folder(
        ofServersStore: try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: format.storeType, at: store))
    }
    try makeFolder(folder, for: format)
    let name = ISODate.text(Date()).replacing(":", with: "-")
    let form = format.isFile ? store.pathExtension : "sqlite"
    let backup = folder.appendingPathComponent("\(name).\(form)")
    try StoreCopying.copy(store, format, to: backup)
    return backup
  }
}
