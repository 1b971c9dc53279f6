internal import CSQLite

extension SQLiteStore {
  /// A text that identifies the state of the store's files, also across runs of the program.
  ///
  ///     file          part        shows
  ///     STORE         size, date  whether the log was copied into it
  ///     STORE         24 … 27     SQLite's change counter, for stores without a log
  ///     STORE-wal     size        whether there are transactions in the log; if so:
  ///     STORE-shm     16 … 39     the log's last frame, its checksum, and the log's salt
  ///
  /// Nil for a store that is not in a file, and if the files cannot be read.
  var fileState: String? {
    guard let url, url.isFileURL, let main = QuietReading.FileState(url.path) else { return nil }
    let log = QuietReading.FileState(url.path + "-wal")
    // Nil after an error of reading: the state is unknown then.
    let bytes = try? contents.database.read { $0.stateBytes(withLog: (log?.size ?? 0) > 0) }
    guard let bytes else { return nil }
    let text = bytes.map { String($0, radix: 16) }.joined(separator: ".")
    return "\(identifier ?? "") \(main.size) \(main.seconds) \(main.nanoseconds) \(text)"
  }
}

extension SQLiteConnection {
  /// The change counter and, if there is a log, the part of its index, read from the files that
  /// SQLite has open; see ``openFile``.
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
  /// A text that changes with each commit to the store's file; nil for a store that is not in an
  /// SQLite file, or if the file cannot be read.
  package var committedState: String? { (self as? SQLiteStore)?.fileState }
}
