import Foundation

/// Puts a migrated store in the place of the old one, which stays beside it as `X~.sqlite`.
struct StoreReplacement {
  let url: URL
  let type: String

  /// What the program has noted about the old store.
  func keepMetadata(of old: URL, in new: URL) throws {
    let storeClass = try StoreRegistry.storeClass(ofType: type)
    var metadata = try storeClass.metadataForPersistentStore(with: new)
    metadata.merge(try storeClass.metadataForPersistentStore(with: old)) { own, _ in own }
    try storeClass.setMetadata(metadata, forPersistentStoreAt: new)
  }

  func put(_ new: URL) throws {
    let backup = backupURL
    if type == NSSQLiteStoreType {
      // Under SQLite's locks, and each in one transaction: others may have the file open.
      try StoreFiles(backup).replace(with: StoreFiles(url))
      try StoreFiles(url).replace(with: StoreFiles(new))
    } else {
      remove(backup)
      try FileManager.default.copyItem(at: url, to: backup)
      guard rename(new.path, url.path) == 0 else {
        throw CoreDataError.file(
          .migrationManagerDestinationStore, url: url,
          reason: "The migrated store could not be put at \(url.path); the old one is there still.",
          underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
      }
    }
  }

  /// `X~.sqlite` beside `X.sqlite`.
  private var backupURL: URL {
    let name = url.deletingPathExtension().lastPathComponent + "~"
    let folder = url.deletingLastPathComponent()
    return url.pathExtension.isEmpty
      ? folder.appendingPathComponent(name)
      : folder.appendingPathComponent(name).appendingPathExtension(url.pathExtension)
  }

  /// Removes a store's files; that some are not there is no error, and what cannot be removed is no store that
  /// anybody would open.
  func remove(_ store: URL) {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? manager.removeItem(atPath: store.path + suffix)
    }
    if type == NSSQLiteStoreType {
      try? manager.removeItem(at: StoreLocation.supportFolder(of: store))
    }
  }
}
