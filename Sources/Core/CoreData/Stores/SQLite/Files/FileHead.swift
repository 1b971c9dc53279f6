internal import CSQLite

/// The first bytes of a database's file, read through SQLite's own file access.
///
/// POSIX locks belong to a process: when it opens a file beside SQLite and closes it again, it
/// loses all its locks on that file, those of SQLite's connections included. SQLite knows its
/// connections, and defers closing the file until they hold no lock.
///
/// Source: sqlite.org/howtocorrupt.html, section 2.2
enum FileHead {
  /// The number of bytes that ``usesLog(_:)`` needs.
  static let length = 20

  /// Whether the file is in write-ahead mode: byte 19, the version for reading, is 2.
  static func usesLog(_ head: Data) -> Bool { head.count >= length && head[19] == 2 }

  /// The first `count` bytes, or fewer if the file is shorter; nil if it cannot be opened and read.
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
    // A failing `xOpen` sets the methods too, if there is anything to close.
    defer { _ = file.pointee.pMethods.map { $0.pointee.xClose(file) } }
    return code == SQLITE_OK ? read(count, of: file) : nil
  }

  /// The first bytes of the file that a connection has open; nil if it has none.
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
  /// The file that SQLite has open. Opening and closing it by other means would lose the locks of
  /// the whole process.
  var openFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }
}
