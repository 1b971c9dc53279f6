internal import CSQLite

/// A store's file before SQLite opens it: it is checked first, so that a wrong file stays
/// untouched.
struct StoreFile {
  enum State {
    case missing
    /// A file without bytes, which SQLite opens as a new database.
    case empty
    case database
  }

  /// The first 16 bytes of every database.
  private static let signature = Data("SQLite format 3\0".utf8)

  let url: URL
  /// Stored, since a URL computes its path anew at each call.
  let path: String

  init(url: URL) {
    self.url = url
    path = url.path
  }

  /// The file's state. Throws for a folder (`fileReadUnknown`), a file of another format
  /// (`fileReadCorruptFile`) and an unreadable file (`fileReadNoPermission`).
  func state() throws -> State {
    let state = try stateOfAnyFormat()
    if state == .database {
      try checkFormat(FileHead.read(Self.signature.count, ofFileAt: path))
    }
    return state
  }

  /// The file's state without a check of its format, which ``checkFormat(_:)`` does once SQLite has
  /// opened the file.
  func stateOfAnyFormat() throws -> State {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw failure(.fileReadUnknown, reason: "A file was expected at \(path), but it is a folder.")
    }
    guard access(path, R_OK) == 0 else { throw unreadable(errno) }
    return status.st_size == 0 ? .empty : .database
  }

  /// Throws `fileReadCorruptFile` if the file is not a database.
  ///
  /// - Parameter head: the file's first bytes; nil if they cannot be read.
  func checkFormat(_ head: Data?) throws {
    guard let head else { throw unreadable(errno) }
    guard head.prefix(Self.signature.count) == Self.signature else {
      throw failure(
        .fileReadCorruptFile,
        reason:
          "The file \(url.path) is not a SQLite database: its first bytes are of another format. It "
          + "was left as it is; choose another file, or remove this one.",
        resultCode: SQLITE_NOTADB)
    }
  }

  private func unreadable(_ code: Int32) -> NSError {
    failure(
      .fileReadNoPermission,
      reason: "The file \(url.path) could not be read; check its permissions.",
      underlying: code == 0 ? nil : NSError(domain: NSPOSIXErrorDomain, code: Int(code)))
  }

  /// Whether the file has a log with transactions beside it.
  var hasLog: Bool {
    // A missing log has no transactions.
    QuietReading.FileState(path + "-wal")?.size ?? 0 > 0
  }

  /// The page size in the file's header; nil for a file that is not a database.
  var pageSize: Int? {
    guard let header = FileHead.read(18, ofFileAt: url.path), header.count == 18 else { return nil }
    let size = Int(header[16]) << 8 | Int(header[17])
    return size == 1 ? 65536 : size
  }

  /// Throws unless the file can be written or created, and the log beside it too.
  func checkWritable(_ state: State) throws {
    let folder = path.parentFolder
    guard state != .missing || isFolder(folder) else {
      throw failure(
        .fileWriteUnknown,
        reason:
          "Failed to create file: there is no folder \(folder); make it before adding the store.")
    }
    guard access(folder, W_OK) == 0 else {
      throw failure(
        .fileWriteNoPermission,
        reason:
          "No permissions to create file in \(folder); make the folder writable, or open the store "
          + "with NSReadOnlyPersistentStoreOption.")
    }
    if state != .missing, access(path, W_OK) != 0 {
      throw failure(
        .fileWriteNoPermission,
        reason:
          "The file \(url.path) may not be written; change its permissions, or open the store with "
          + "NSReadOnlyPersistentStoreOption.")
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  func checkExists(_ state: State) throws {
    guard state != .database else { return }
    throw failure(
      .fileReadNoSuchFile,
      reason: "There is no store at \(url.path) that could be read.")
  }

  /// - Parameter resultCode: SQLite's code for this failure.
  private func failure(
    _ code: CocoaError.Code, reason: String, underlying: (any Error)? = nil,
    resultCode: Int32? = nil
  ) -> NSError {
    var userInfo: [String: Any] = [
      NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: reason,
    ]
    userInfo[NSSQLiteErrorDomain] = resultCode.map { Int($0) }
    return CoreDataError.make(code, reason: reason, underlying: underlying, userInfo: userInfo)
  }
}
