internal import CSQLite

extension SQLiteStore {
  /// What tells one state of the store's files from another, from one run of the program to the next.
  ///
  ///     file          part        says
  ///     STORE         size, date  whether anything was moved into it
  ///     STORE         24 … 27     SQLite's change counter, for stores without a log
  ///     STORE-wal     size        whether there are transactions in the log; if so:
  ///     STORE-shm     16 … 39     the log's last frame, its checksum, and the log's salt
  ///
  /// nil for a store that is in no file, and when the files cannot be read.
  var fileState: String? {
    guard let url, url.isFileURL, let main = QuietReading.FileState(url.path) else { return nil }
    let log = QuietReading.FileState(url.path + "-wal")
    // A state that cannot be read is one that cannot be relied on.
    let bytes = try? contents.database.read { $0.stateBytes(withLog: (log?.size ?? 0) > 0) }
    guard let bytes else { return nil }
    let text = bytes.map { String($0, radix: 16) }.joined(separator: ".")
    return "\(identifier ?? "") \(main.size) \(main.seconds) \(main.nanoseconds) \(text)"
  }
}

extension SQLiteConnection {
  /// Read from the files that SQLite has open; see ``openFile``.
  fileprivate func stateBytes(withLog hasLog: Bool) -> [UInt8]? {
    guard let file = openFile, let methods = file.pointee.pMethods?.pointee else { return nil }
    var counter = [UInt8](repeating: 0, count: 4)
    guard methods.xRead(file, &counter, 4, 24) == SQLITE_OK else { return nil }
    guard hasLog else { return counter }
    var index: UnsafeMutableRawPointer?
    guard methods.iVersion >= 2,
      withUnsafeMutablePointer(to: &index, { methods.xShmMap(file, 0, 32_768, 0, $0) })
        == SQLITE_OK,
      let index
    else { return nil }
    return counter + UnsafeRawBufferPointer(start: index + 16, count: 24)
  }
}

extension NSPersistentStore {
  /// Differs once anybody has committed to the store's file; nil for a store that is in no file of SQLite, or whose file
  /// cannot be read.
  package var committedState: String? { (self as? SQLiteStore)?.fileState }
}
