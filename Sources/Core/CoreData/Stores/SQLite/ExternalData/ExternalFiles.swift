import Synchronization

/// The external files of a store: `.X_SUPPORT/_EXTERNAL_DATA/<UUID>` beside `X.sqlite`.
///
/// A file is written before the transaction whose rows name it, and removed after the transaction
/// that drops its last reference. A process that dies in between leaves an orphan, a file without a
/// reference, which the next opening for writing removes (``OrphanRemoval``). The folder's lock is
/// held shared while files are written or removed, and exclusively while orphans are searched or
/// the folder is copied.
///
/// Sendable: mutable state has its locks, the rest is constant.
final class ExternalFiles: ExternalFolder {
  /// Values of more bytes than this are kept in a file.
  static let threshold = 100 << 10

  private struct Link {
    weak var data: ExternalData?
  }

  /// Computed when first needed: most stores have no external data, and Foundation's URLs are slow.
  var folder: URL {
    foundFolder.withLock { found in
      if let found { return found }
      let folder = StoreLocation.externalFolder(of: store)
      found = folder
      return folder
    }
  }
  private let store: URL
  private let foundFolder: Mutex<URL?>
  /// Whether files must be on the disk before their transaction is.
  private let synchronises: Bool
  private let alive = Mutex<[UUID: Link]>([:])

  init(ofStoreAt store: URL, synchronises: Bool) {
    self.store = store
    foundFolder = Mutex(nil)
    self.synchronises = synchronises
  }

  init(folder: URL, synchronises: Bool) {
    store = folder
    foundFolder = Mutex(folder)
    self.synchronises = synchronises
  }

  func url(of name: UUID) -> URL { folder.appendingPathComponent(name.uuidString) }

  // MARK: - Values

  /// The value that represents a file; there is one instance while it is in use.
  func data(named name: UUID) -> ExternalData {
    alive.withLock { alive in
      if let known = alive[name]?.data { return known }
      let made = ExternalData(name: name, in: self)
      alive[name] = Link(data: made)
      return made
    }
  }

  /// Called by the value's `deinit`; a new instance of that name may exist by then, and stays.
  func forget(_ name: UUID) {
    alive.withLock { if $0[name]?.data == nil { $0[name] = nil } }
  }

  // MARK: - Files

  /// Writes a file with a new name. The caller holds the folder's lock.
  func write(_ data: Data) throws -> ExternalData {
    let name = UUID()
    let file = url(of: name)
    do { try write(data, to: file) } catch {
      unlink(file.path)
      throw failure(error, file: file)
    }
    return self.data(named: name)
  }

  private func write(_ data: Data, to file: URL) throws(POSIXError) {
    let calls = FileCalls.current
    let descriptor = calls.create(file.path)
    guard descriptor >= 0 else { throw Self.posixError }
    defer { close(descriptor) }
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { calls.write(descriptor, $0) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.posixError }
      rest = rest.dropFirst(count)
    }
    if synchronises, calls.synchronise(descriptor) != 0 { throw Self.posixError }
  }

  private static var posixError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  private func failure(_ error: POSIXError, file: URL) -> NSError {
    let (code, advice): (CocoaError.Code, String) =
      switch error.code {
      case .ENOSPC, .EDQUOT, .EFBIG:
        (.fileWriteOutOfSpace, "The disk is full; free some space and save again.")
      case .EACCES, .EROFS, .EPERM:
        (.fileWriteNoPermission, "Make the folder \(folder.path) writable.")
      default: (.persistentStoreSave, "Check the disk and the folder \(folder.path).")
      }
    return CoreDataError.file(
      code, url: file, reason: "The file of an external value could not be written. \(advice)",
      underlying: error)
  }

  /// Copies the files of another folder that are missing here. A file never changes, so one with
  /// the same name and size is the same. The caller holds both folders' locks.
  func copy(from other: URL, _ lock: FolderLock) throws {
    for name in ExternalFiles(folder: other, synchronises: false).names() {
      let (source, target) = (other.appendingPathComponent(name.uuidString), url(of: name))
      guard Self.size(target) != Self.size(source) else { continue }
      // A copy under a new name first: one that stays incomplete is an orphan.
      let draft = url(of: UUID())
      do {
        try FileCalls.current.copy(source.path, draft.path)
        try Self.synchronise(draft)
      } catch {
        unlink(draft.path)
        throw (error as? POSIXError).map { failure($0, file: target) } ?? error
      }
      guard FileCalls.current.rename(draft.path, target.path) == 0 else {
        defer { unlink(draft.path) }
        throw failure(Self.posixError, file: target)
      }
    }
    synchronise(lock)
  }

  private static func size(_ file: URL) -> Int? { QuietReading.FileState(file.path)?.size }

  private static func synchronise(_ file: URL) throws {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw posixError }
    defer { close(descriptor) }
    if FileCalls.current.synchronise(descriptor) != 0 { throw posixError }
  }

  /// Removes files that no row references any more. Values in use keep their bytes.
  func remove(_ names: some Sequence<UUID>) {
    for name in names {
      alive.withLock { $0[name]?.data }?.keep()
      // A file that cannot be removed now becomes an orphan.
      unlink(url(of: name).path)
    }
  }

  /// Makes the folder if it is missing, and locks it shared until the lock is released. Throws
  /// `persistentStoreSave` if it cannot be opened.
  func lockMaking() throws -> FolderLock {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let lock = FolderLock(folder, kind: .shared) else {
      throw CoreDataError.file(
        .persistentStoreSave, url: folder,
        reason: "The folder of external data at \(folder.path) cannot be opened.")
    }
    return lock
  }

  /// The names of all files in the folder.
  func names() -> [UUID] {
    // Without a folder there are no files.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap(UUID.init(uuidString:))
  }

  /// Flushes the folder, so that the names of new files are on the disk.
  func synchronise(_ lock: FolderLock) {
    if synchronises { lock.synchronise() }
  }
}
