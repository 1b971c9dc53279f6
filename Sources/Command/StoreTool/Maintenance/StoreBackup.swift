import CoreData

/// The folders of backups: beside the file, and for a store on a server in the user's state folder.
package enum StoreBackup {
  /// The value of `XDG_STATE_HOME`, which a task can override.
  @TaskLocal package static var states = ProcessInfo.processInfo.environment["XDG_STATE_HOME"]

  static func folder(of store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(store.lastPathComponent + ".backups")
  }

  /// Named after the UUID, since a store may have several addresses.
  static func folder(ofServersStore metadata: [String: Any]) -> URL {
    // Required by the XDG base directory specification of freedesktop.org.
    let states = states.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      states.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
    let uuid = metadata[NSStoreUUIDKey] as? String ?? "unknown"
    return base.appendingPathComponent("coredata/\(uuid).backups")
  }

  /// Makes the folder, with permissions for this user only: the store may be private.
  static func makeFolder(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Copies a whole store; one on a server into a SQLite file.
  static func make(of store: URL, _ format: StoreFormat) throws -> URL {
    let folder: URL
    if format.isFile {
      folder = Self.folder(of: store)
    } else {
      folder = Self.folder(
        ofServersStore: try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: format.storeType, at: store))
    }
    try makeFolder(folder)
    let name = ISODate.text(Date()).replacing(":", with: "-")
    let form = format.isFile ? store.pathExtension : "sqlite"
    let backup = folder.appendingPathComponent("\(name).\(form)")
    try StoreCopying.copy(store, format: format, to: backup)
    return backup
  }
}
