internal import CSQLite

/// The first bytes of a database's file, read through SQLite's own access to files.
///
/// A process that opens a file beside SQLite and closes it again gives up every lock that it has on that file, those
/// of SQLite's connections with them. SQLite knows its connections, and closes such a file when their locks are gone.
/// Source: sqlite.org/howtocorrupt.html, section 2.2
enum FileHead {
  /// Enough for ``usesLog(_:)``.
  static let length = 20

  /// Byte 19 says how the file is read; 2 is with a log.
  static func usesLog(_ head: Data) -> Bool { head.count >= length && head[19] == 2 }

  /// Up to `count` bytes, fewer where the file is shorter; nil when it cannot be opened and read.
  static func read(_ count: Int, ofFileAt path: String) -> Data? {
    errno = 0
    guard let vfs = sqlite3_vfs_find(nil), let open = vfs.pointee.xOpen,
      let name = sqlite3_create_filename(path, "", "", 0, nil)
    else { return nil }
    defer { sqlite3_free_filename(name) }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(vfs.pointee.szOsFile), alignment: MemoryLayout<Int>.alignment * 2)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
    let file = memory.assumingMemoryBound(to: sqlite3_file.self)
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
    let code = open(vfs, name, file, flags, nil)
    // Set also by an `xOpen` that fails, if there is anything to close.
    defer { _ = file.pointee.pMethods.map { $0.pointee.xClose(file) } }
    return code == SQLITE_OK ? read(count, of: file) : nil
  }

  /// The same from the file that a connection has open; nil where it has none.
  static func read(of connection: SQLiteConnection) -> Data? {
    errno = 0
    return connection.openFile.flatMap { read(length, of: $0) }
  }

  private static func read(_ count: Int, of file: UnsafeMutablePointer<sqlite3_file>) -> Data? {
    guard let methods = file.pointee.pMethods?.pointee else { return nil }
    var size: sqlite3_int64 = 0
    guard methods.xFileSize(file, &size) == SQLITE_OK else { return nil }
    var bytes = Data(count: min(count, Int(size)))
    if bytes.isEmpty { return bytes }
    let code = bytes.withUnsafeMutableBytes {
      methods.xRead(file, $0.baseAddress, Int32($0.count), 0)
    }
    return code == SQLITE_OK ? bytes : nil
  }
}

extension SQLiteConnection {
  /// The file that SQLite has open: whoever opens it once more and closes it gives up the locks of the whole process.
  var openFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }
}
