import Foundation

/// Has a store made anew beside the old one, in a file that nobody knows, and puts it into its place: at once and
/// whole, or not at all.
///
///     X.sqlite ──copy──► X~.sqlite                                     what it was, if that is to be kept
///        ▲
///        └──────────── .X.sqlite.migrationdestination_<hex>            removed at the end, or by the next one
///
/// Meanwhile others may write to the old store. What is made from it then lacks something, and is made again.
struct StoreReplacement {
  private static let attempts = 3

  let url: URL
  let type: String
  /// How long to wait for others that write to the store, in seconds; nil when nothing was said.
  var timeout: TimeInterval?
  /// Whether the old store stays as `X~.sqlite`, as Apple's does.
  var keepsBackup = false

  /// `make` gets the place of the new store.
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

  /// Makes the store where there is none yet: it appears whole or not at all.
  func make(_ make: (URL) throws -> Void) throws {
    let draft = newDraft()
    defer { remove(draft) }
    try make(draft)
    guard type == NSSQLiteStoreType else { return try name(draft) }
    try StoreFiles(url).takeExternalFiles(of: StoreFiles(draft)) { try name(draft) }
  }

  /// Not in the place of one that somebody has made meanwhile, where the file system can tell.
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

  /// What the program has noted about the old store.
  func keepMetadata(in new: URL) throws {
    let storeClass = try StoreRegistry.storeClass(ofType: type)
    var metadata = try storeClass.metadataForPersistentStore(with: new)
    let old = try storeClass.metadataForPersistentStore(with: url)
    metadata.merge(old) { own, _ in own }
    FormerVersions.note(old, in: &metadata)
    try storeClass.setMetadata(metadata, forPersistentStoreAt: new)
  }

  /// A copy of the old store, whole or not at all where there was none.
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

  /// A copy of the old store stays where `body` has succeeded.
  private func backingUp(_ body: () throws -> Bool) throws -> Bool {
    guard keepsBackup else { return try body() }
    let isNew = !FileManager.default.fileExists(atPath: backupURL.path)
    try copy(to: backupURL)
    var isDone = false
    defer { if isNew, !isDone { remove(backupURL) } }
    isDone = try body()
    return isDone
  }

  /// False when others have written to the old store since.
  private func put(_ new: URL, unlessChanged watch: StoreWatch) throws -> Bool {
    if type == NSSQLiteStoreType {
      // Under SQLite's locks, and in one transaction: others may have the file open.
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

  /// `X~.sqlite` beside `X.sqlite`.
  private var backupURL: URL {
    let name = url.deletingPathExtension().lastPathComponent + "~"
    let folder = url.deletingLastPathComponent()
    return url.pathExtension.isEmpty
      ? folder.appendingPathComponent(name)
      : folder.appendingPathComponent(name).appendingPathExtension(url.pathExtension)
  }

  // MARK: - Removing

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

  /// What migrations of this store have left whose processes have ended in their midst. For who holds the lock.
  func removeLeftovers() {
    let folder = url.deletingLastPathComponent()
    // A folder that cannot be listed is for who opens the store to report.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let prefix = draftPrefix.drop { $0 == "." }
    for name in names where name.hasPrefix(".") && name.drop(while: { $0 == "." }).hasPrefix(prefix)
    {
      remove(folder.appendingPathComponent(name))
    }
  }

  /// The same when the store is opened as it is: the lock's file tells that a migration has not come to its end.
  func removeLeftoversOfEndedProcess() {
    guard MigrationLock.mayBeTaken(url), let lock = try? MigrationLock(of: url, timeout: 0) else {
      return
    }
    withExtendedLifetime(lock) { removeLeftovers() }
  }
}
