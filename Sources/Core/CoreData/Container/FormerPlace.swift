import Foundation

/// A store in the directory of all programs, where default stores were made before each program had
/// a folder of its own.
///
/// The first program whose model has all of the store's entities moves the store into its folder,
/// with its write-ahead log and its external data. Any other program leaves it alone, starts with a
/// new store, and writes a note to the error stream.
package struct FormerPlace {
  private let former: URL
  private let url: URL
  private let type: String

  package init(former: URL, url: URL, type: String) {
    self.former = former
    self.url = url
    self.type = type
  }

  /// Moves the store, unless the program already has one or nothing is at the former place.
  package func moveIn(of model: NSManagedObjectModel) throws {
    guard isWaiting else { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Of two processes that start at once, the second finds the store moved.
    let lock = try MigrationLock(of: url, timeout: StoreOptions.defaultTimeout)
    try withExtendedLifetime(lock) {
      guard isWaiting, let stored = storedEntities else { return }
      let missing = stored.subtracting(model.entitiesByName.keys)
      guard missing.isEmpty else { return tell(of: missing) }
      try move()
    }
  }

  private var isWaiting: Bool {
    let manager = FileManager.default
    return former.standardizedFileURL.path != url.standardizedFileURL.path
      && !manager.fileExists(atPath: url.path) && manager.fileExists(atPath: former.path)
  }

  /// The names of the store's entities; nil for a file that is no store, and for an emptied store.
  private var storedEntities: Set<String>? {
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: type), at: former)
    let hashes = metadata.flatMap(NSManagedObjectModel.versionHashes(inStoreMetadata:))
    return hashes.flatMap { $0.isEmpty ? nil : Set($0.keys) }
  }

  private func move() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    let type = NSPersistentStore.StoreType(rawValue: type)
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: former, type: type)
    try coordinator.destroyPersistentStore(at: former, type: type)
    // The emptied files would only be examined again at the next start.
    for path in ["", "-wal", "-shm"].map({ former.path + $0 }) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private func tell(of missing: Set<String>) {
    ModelReport.write(
      "note: the store \(former.path) is of another program, or of an older version of this one: it has "
        + "\(missing.sorted().joined(separator: ", ")), which this program's model lacks. It was left there, and a "
        + "new one is made: \(url.path)")
  }
}
