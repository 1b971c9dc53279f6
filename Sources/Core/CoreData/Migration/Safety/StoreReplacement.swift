import Foundation

/// Makes a new store in a temporary file beside the old one and replaces the old one by it:
/// completely, or not at all.
///
///     X.sqlite ──copy──► X~.sqlite                             backup, if wanted
///        ▲
///        └──────────── .X.sqlite.migrationdestination_<hex>    removed at the end, or by the next
///                                                              migration
///
/// If others write to the old store meanwhile, the new store is incomplete and is made again.
struct StoreReplacement {
  private static let attempts = 3

  let url: URL
  let type: String
  /// The maximum time to wait for other writers of the store, in seconds; nil for the default.
  var timeout: TimeInterval?
  /// Whether a copy of the old store is kept as `X~.sqlite`, as Apple's framework does.
  var keepsBackup = false

  /// Replaces the store by the one that `make` makes at the given URL. Throws 134110 if others
  /// wrote to the old store in each attempt.
  func run(_ make: (URL) throws -> Void) throws {
    for _ in 0..<Self.attempts {
      let beside = newDraft()
      defer { remove(beside) }
      let watch = try StoreWatch(url, type: type)
      try make(beside)
      if try backingUp({ try put(beside, unlessChanged: watch) }) { return }
    }
    throw CoreDataError.file(
      .migration, url: url,
      reason: "The store at \(url.path) was written to during each of \(Self.attempts) attempts to "
        + "migrate it; it was left as it is. End what writes to it, and add it again.")
  }

  /// Makes a store where there is none yet; it appears completely or not at all.
  func make(_ make: (URL) throws -> Void) throws {
    let draft = newDraft()
    defer { remove(draft) }
    try make(draft)
    guard type == NSSQLiteStoreType else { return try name(draft) }
    try StoreFiles(url).takeExternalFiles(of: StoreFiles(draft)) { try name(draft) }
  }

  /// Gives the draft its final name, without replacing a store made meanwhile if the file system
  /// can tell.
  private func name(_ draft: URL) throws {
    let calls = FileCalls.current
    guard
      calls.link(draft.path, url.path) == 0
        || errno == EPERM && calls.rename(draft.path, url.path) == 0
    else {
      throw CoreDataError.file(
        .migrationManagerDestinationStore, url: url,
        reason: "The migrated store could not be put at \(url.path).",
        underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
  }

  private func newDraft() -> URL {
    let name = UUID().uuidString.filter { $0 != "-" }.lowercased()
    return url.deletingLastPathComponent().appendingPathComponent("\(draftPrefix)\(name)")
  }

  private var draftPrefix: String { ".\(url.lastPathComponent).migrationdestination_" }

  /// Copies the metadata that the program has set from the old store to a new one.
  func keepMetadata(in new: URL) throws {
    let storeClass = try StoreRegistry.storeClass(ofType: type)
    var metadata = try storeClass.metadataForPersistentStore(with: new)
    let old = try storeClass.metadataForPersistentStore(with: url)
    metadata.merge(old) { own, _ in own }
    FormerVersions.note(old, in: &metadata)
    try storeClass.setMetadata(metadata, forPersistentStoreAt: new)
  }

  /// Copies the old store. A new copy is complete or not made at all.
  func copy(to place: URL) throws {
    let isNew = !FileManager.default.fileExists(atPath: place.path)
    do {
      if type == NSSQLiteStoreType {
        try StoreFiles(place).replace(with: StoreFiles(url))
      } else {
        let bytes = try Data(contentsOf: url)
        try FileReplacement.write(to: place) { try $0.write(bytes, for: place) }
      }
    } catch {
      if isNew { remove(place) }
      throw error
    }
  }

  /// Runs `body` with a backup of the old store; keeps the backup if `body` succeeds.
  private func backingUp(_ body: () throws -> Bool) throws -> Bool {
    guard keepsBackup else { return try body() }
    let isNew = !FileManager.default.fileExists(atPath: backupURL.path)
    try copy(to: backupURL)
    var isDone = false
    defer { if isNew, !isDone { remove(backupURL) } }
    isDone = try body()
    return isDone
  }

  /// Replaces the old store; returns false if others have written to it since.
  private func put(_ new: URL, unlessChanged watch: StoreWatch) throws -> Bool {
    if type == NSSQLiteStoreType {
      // Under SQLite's locks and in one transaction, since others may have the file open.
      return try StoreFiles(url).replace(with: StoreFiles(new), timeout: timeout) {
        try watch.isUnchanged
      }
    }
    guard try watch.isUnchanged else { return false }
    guard FileCalls.current.rename(new.path, url.path) == 0 else {
      throw CoreDataError.file(
        .migrationManagerDestinationStore, url: url,
        reason: "The migrated store could not be put at \(url.path); the old one is there still.",
        underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
    return true
  }

  /// The URL of the backup: `X~.sqlite` beside `X.sqlite`.
  private var backupURL: URL {
    let name = url.deletingPathExtension().lastPathComponent + "~"
    let folder = url.deletingLastPathComponent()
    return url.pathExtension.isEmpty
      ? folder.appendingPathComponent(name)
      : folder.appendingPathComponent(name).appendingPathExtension(url.pathExtension)
  }

  // MARK: - Removing

  /// Removes a store's files. Errors are ignored: some files may not exist, and a draft that cannot
  /// be removed is never opened.
  func remove(_ store: URL) {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? manager.removeItem(atPath: store.path + suffix)
    }
    if type == NSSQLiteStoreType {
      try? manager.removeItem(at: StoreLocation.supportFolder(of: store))
    }
  }

  /// Removes the files of migrations of this store whose processes ended during them. The caller
  /// must hold the lock.
  func removeLeftovers() {
    let folder = url.deletingLastPathComponent()
    // A folder that cannot be listed is reported when the store is opened.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let prefix = draftPrefix.drop { $0 == "." }
    for name in names where name.hasPrefix(".") && name.drop(while: { $0 == "." }).hasPrefix(prefix)
    {
      remove(folder.appendingPathComponent(name))
    }
  }

  /// Removes the files of an unfinished migration when a store is opened without one. The file of
  /// the lock shows that a migration has not ended.
  func removeLeftoversOfEndedProcess() {
    guard MigrationLock.mayBeTaken(url), let lock = try? MigrationLock(of: url, timeout: 0) else {
      return
    }
    withExtendedLifetime(lock) { removeLeftovers() }
  }
}
