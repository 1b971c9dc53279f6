internal import CSQLite

/// A virtual file system of SQLite's that reads a database together with its write-ahead log
/// without making a file: the index of the log, usually in `X.sqlite-shm`, is in the memory of each
/// connection.
///
///     SQLite ─► PrivateLogFileSystem ─► the system's own
///                 │ opens database and log for reading only
///                 └ pages of the log's index: memory
///
/// Only for files that no process writes: connections do not see each other's locks.
enum PrivateLogFileSystem {
  static let name = "OpenCoreDataPrivateLog"

  /// The name of the file system; nil if SQLite has no file system to build on.
  static func register() -> String? { isRegistered ? name : nil }

  private static let isRegistered: Bool = {
    guard let system = sqlite3_vfs_find(nil) else { return false }
    // Never freed: SQLite keeps both until the process ends.
    let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    made.initialize(to: system.pointee)
    made.pointee.pNext = nil
    made.pointee.zName = UnsafePointer(strdup(name))
    made.pointee.szOsFile = Int32(OpenFile.size) + system.pointee.szOsFile
    made.pointee.pAppData = UnsafeMutableRawPointer(system)
    made.pointee.xOpen = { system, path, file, flags, outFlags in
      OpenFile.open(system, path: path, file: file, flags: flags, outFlags: outFlags)
    }
    return sqlite3_vfs_register(made, 0) == SQLITE_OK
  }()
}

/// An open file as SQLite sees it, in memory that SQLite allocates:
///
///     ┌ methods ┬ pages of the log's index ┬ the system's file ┐
///
/// Used by the thread that has the connection.
private struct OpenFile {
  var methods: UnsafePointer<sqlite3_io_methods>?
  /// The pages of the log's index; nil before the first page. `Unmanaged` is sound: the file
  /// retains the index until SQLite closes the file or unmaps the index.
  var index: Unmanaged<LogIndex>?

  static var size: Int { MemoryLayout<OpenFile>.stride }

  private typealias File = UnsafeMutablePointer<sqlite3_file>

  private static func own(_ file: File) -> UnsafeMutablePointer<OpenFile> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self)
  }

  /// The system's file, which follows ours in memory.
  private static func system(_ file: File?) -> File? {
    file.map { (UnsafeMutableRawPointer($0) + size).assumingMemoryBound(to: sqlite3_file.self) }
  }

  private static func systemMethods(_ file: File?) -> sqlite3_io_methods? {
    system(file)?.pointee.pMethods?.pointee
  }

  static func open(
    _ own: UnsafeMutablePointer<sqlite3_vfs>?, path: sqlite3_filename?,
    file: UnsafeMutablePointer<sqlite3_file>?, flags: Int32,
    outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let system = own?.pointee.pAppData else { return SQLITE_CANTOPEN }
    let vfs = system.assumingMemoryBound(to: sqlite3_vfs.self)
    UnsafeMutableRawPointer(file).initializeMemory(as: OpenFile.self, to: OpenFile())
    let lasting = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL
    let writing = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let allowed = flags & lasting == 0 ? flags : flags & ~writing | SQLITE_OPEN_READONLY
    let code = vfs.pointee.xOpen(vfs, path, Self.system(file), allowed, outFlags)
    if code == SQLITE_OK { Self.own(file).pointee.methods = table }
    return code
  }

  /// `nonisolated(unsafe)` is sound: initialised once, before any use, and never changed or freed.
  private nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    setPlain(&methods)
    setLocks(&methods)
    setIndex(&methods)
    table.initialize(to: methods)
    return UnsafePointer(table)
  }()

  private static func setPlain(_ methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      guard let file else { return SQLITE_OK }
      OpenFile.own(file).pointee.index?.release()
      OpenFile.own(file).pointee.index = nil
      return OpenFile.systemMethods(file)?.xClose(OpenFile.system(file)) ?? SQLITE_OK
    }
    methods.xRead = { OpenFile.systemMethods($0)?.xRead(OpenFile.system($0), $1, $2, $3) ?? 1 }
    methods.xWrite = { OpenFile.systemMethods($0)?.xWrite(OpenFile.system($0), $1, $2, $3) ?? 1 }
    methods.xTruncate = { OpenFile.systemMethods($0)?.xTruncate(OpenFile.system($0), $1) ?? 1 }
    methods.xSync = { OpenFile.systemMethods($0)?.xSync(OpenFile.system($0), $1) ?? 1 }
    methods.xFileSize = { OpenFile.systemMethods($0)?.xFileSize(OpenFile.system($0), $1) ?? 1 }
    methods.xFileControl = {
      OpenFile.systemMethods($0)?.xFileControl(OpenFile.system($0), $1, $2) ?? SQLITE_NOTFOUND
    }
    methods.xSectorSize = { OpenFile.systemMethods($0)?.xSectorSize(OpenFile.system($0)) ?? 4096 }
    methods.xDeviceCharacteristics = {
      OpenFile.systemMethods($0)?.xDeviceCharacteristics(OpenFile.system($0)) ?? 0
    }
  }

  private static func setLocks(_ methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      // A connection that may write would, when it closes, copy the log into the database.
      if level > SQLITE_LOCK_SHARED { return SQLITE_BUSY }
      return OpenFile.systemMethods(file)?.xLock(OpenFile.system(file), level) ?? SQLITE_OK
    }
    methods.xUnlock = { OpenFile.systemMethods($0)?.xUnlock(OpenFile.system($0), $1) ?? 0 }
    methods.xCheckReservedLock = {
      OpenFile.systemMethods($0)?.xCheckReservedLock(OpenFile.system($0), $1) ?? 0
    }
  }

  private static func setIndex(_ methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, page, size, extend, target in
      guard let file, let target else { return SQLITE_IOERR }
      let own = OpenFile.own(file)
      if own.pointee.index == nil { own.pointee.index = .passRetained(LogIndex()) }
      let index = own.pointee.index?.takeUnretainedValue()
      target.pointee = index?.page(Int(page), size: Int(size), isMade: extend != 0)
      return SQLITE_OK
    }
    methods.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, _ in
      guard let file else { return SQLITE_OK }
      OpenFile.own(file).pointee.index?.release()
      OpenFile.own(file).pointee.index = nil
      return SQLITE_OK
    }
  }
}

/// The pages of a log's index, at fixed addresses.
private final class LogIndex {
  private var pages: [UnsafeMutableRawPointer] = []

  deinit { pages.forEach { $0.deallocate() } }

  /// The page's address; nil if it does not exist and is not to be made.
  func page(_ number: Int, size: Int, isMade: Bool) -> UnsafeMutableRawPointer? {
    while isMade, pages.count <= number {
      let page = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      memset(page, 0, size)
      pages.append(page)
    }
    return pages.indices.contains(number) ? pages[number] : nil
  }
}
