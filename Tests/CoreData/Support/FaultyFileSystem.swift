import CSQLite
import Foundation

/// SQLite's file system with a fault to order: under the folders that somebody injects into, the n-th
/// operation that writes fails. Everything else goes to the system's own.
enum FaultyFileSystem {
  enum Fault: CaseIterable {
    /// One operation fails, the next ones work.
    case once
    /// The disk is full from then on.
    case fullDisk

    // The first is SQLITE_IOERR_WRITE, which C spells so.
    fileprivate var code: Int32 { self == .once ? SQLITE_IOERR | 3 << 8 : SQLITE_FULL }
  }

  /// Counts the operations on the files of a folder.
  ///
  /// Sendable: `lock` guards the state.
  final class Injector: @unchecked Sendable {
    private let lock = NSLock()
    private var fault: Fault?
    private var countdown = 0
    private var fired = false

    /// Lets the operation with this number, from 1, fail.
    func arm(_ fault: Fault, at number: Int) {
      lock.withLock { (self.fault, countdown, fired) = (fault, number, false) }
    }

    /// Returns whether an operation has failed.
    func disarm() -> Bool {
      lock.withLock {
        fault = nil
        return fired
      }
    }

    /// What an operation that comes now answers; nil for those that work.
    func failure() -> Int32? {
      lock.withLock {
        guard let fault else { return nil }
        countdown -= 1
        guard countdown == 0 || countdown < 0 && fault == .fullDisk else { return nil }
        fired = true
        return fault.code
      }
    }
  }

  private static let lock = NSLock()
  // Unsafe only in name: `lock` guards it.
  private nonisolated(unsafe) static var injectors: [String: Injector] = [:]

  /// Files of the folder that are opened from now on can be made to fail.
  static func inject(into folder: URL) -> Injector {
    _ = isRegistered
    let injector = Injector()
    lock.withLock { injectors[folder.lastPathComponent] = injector }
    return injector
  }

  fileprivate static func injector(for path: String) -> Injector? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
    return lock.withLock { injectors[folder] }
  }

  private static let isRegistered: Bool = {
    guard let system = sqlite3_vfs_find(nil) else { return false }
    // Never freed: SQLite keeps both for as long as the process runs.
    let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    made.initialize(to: system.pointee)
    made.pointee.pNext = nil
    made.pointee.zName = UnsafePointer(strdup("Faulty"))
    made.pointee.szOsFile = Int32(FaultyFile.size) + system.pointee.szOsFile
    made.pointee.pAppData = UnsafeMutableRawPointer(system)
    made.pointee.xOpen = { FaultyFile.open($0, $1, $2, $3, $4) }
    made.pointee.xDelete = { own, path, synchronises in
      if let path, let code = FaultyFileSystem.injector(for: String(cString: path))?.failure() {
        return code
      }
      guard let system = own?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self) else {
        return SQLITE_ERROR
      }
      return system.pointee.xDelete(system, path, synchronises)
    }
    return sqlite3_vfs_register(made, 1) == SQLITE_OK
  }()
}

/// What SQLite sees as an open file, with the system's file behind it.
private struct FaultyFile {
  var methods: UnsafePointer<sqlite3_io_methods>?
  /// Retained until the file is closed.
  var injector: Unmanaged<FaultyFileSystem.Injector>?

  static var size: Int { MemoryLayout<FaultyFile>.stride }

  private typealias File = UnsafeMutablePointer<sqlite3_file>

  private static func own(_ file: File?) -> UnsafeMutablePointer<FaultyFile>? {
    file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: FaultyFile.self) }
  }

  private static func system(_ file: File?) -> File? {
    file.map { (UnsafeMutableRawPointer($0) + size).assumingMemoryBound(to: sqlite3_file.self) }
  }

  private static func real(_ file: File?) -> sqlite3_io_methods? {
    system(file)?.pointee.pMethods?.pointee
  }

  private static func failure(_ file: File?) -> Int32? {
    own(file)?.pointee.injector?.takeUnretainedValue().failure()
  }

  static func open(
    _ own: UnsafeMutablePointer<sqlite3_vfs>?, _ path: sqlite3_filename?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let data = own?.pointee.pAppData else { return SQLITE_CANTOPEN }
    let vfs = data.assumingMemoryBound(to: sqlite3_vfs.self)
    UnsafeMutableRawPointer(file).initializeMemory(as: FaultyFile.self, to: FaultyFile())
    let code = vfs.pointee.xOpen(vfs, path, system(file), flags, outFlags)
    guard code == SQLITE_OK else { return code }
    Self.own(file)?.pointee.methods = table
    if let path, let injector = FaultyFileSystem.injector(for: String(cString: path)) {
      Self.own(file)?.pointee.injector = .passRetained(injector)
    }
    return code
  }

  // Unsafe only in name: written once, before anybody has it.
  private nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    setWriting(&methods)
    setReading(&methods)
    setSharing(&methods)
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods)
    return UnsafePointer(table)
  }()

  private static func setWriting(_ methods: inout sqlite3_io_methods) {
    methods.xWrite = { file, bytes, count, offset in
      FaultyFile.failure(file)
        ?? FaultyFile.real(file)?.xWrite(FaultyFile.system(file), bytes, count, offset) ?? 1
    }
    methods.xTruncate = { file, size in
      FaultyFile.failure(file)
        ?? FaultyFile.real(file)?.xTruncate(FaultyFile.system(file), size) ?? 1
    }
    methods.xSync = { file, flags in
      FaultyFile.failure(file) ?? FaultyFile.real(file)?.xSync(FaultyFile.system(file), flags) ?? 1
    }
  }

  private static func setReading(_ methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      FaultyFile.own(file)?.pointee.injector?.release()
      FaultyFile.own(file)?.pointee.injector = nil
      return FaultyFile.real(file)?.xClose(FaultyFile.system(file)) ?? 0
    }
    methods.xRead = { FaultyFile.real($0)?.xRead(FaultyFile.system($0), $1, $2, $3) ?? 1 }
    methods.xFileSize = { FaultyFile.real($0)?.xFileSize(FaultyFile.system($0), $1) ?? 1 }
    methods.xLock = { FaultyFile.real($0)?.xLock(FaultyFile.system($0), $1) ?? 1 }
    methods.xUnlock = { FaultyFile.real($0)?.xUnlock(FaultyFile.system($0), $1) ?? 1 }
    methods.xCheckReservedLock = {
      FaultyFile.real($0)?.xCheckReservedLock(FaultyFile.system($0), $1) ?? 1
    }
    methods.xFileControl = {
      FaultyFile.real($0)?.xFileControl(FaultyFile.system($0), $1, $2) ?? SQLITE_NOTFOUND
    }
    methods.xSectorSize = { FaultyFile.real($0)?.xSectorSize(FaultyFile.system($0)) ?? 4096 }
    methods.xDeviceCharacteristics = {
      FaultyFile.real($0)?.xDeviceCharacteristics(FaultyFile.system($0)) ?? 0
    }
  }

  private static func setSharing(_ methods: inout sqlite3_io_methods) {
    methods.xShmMap = { FaultyFile.real($0)?.xShmMap(FaultyFile.system($0), $1, $2, $3, $4) ?? 1 }
    methods.xShmLock = { FaultyFile.real($0)?.xShmLock(FaultyFile.system($0), $1, $2, $3) ?? 1 }
    methods.xShmBarrier = { FaultyFile.real($0)?.xShmBarrier(FaultyFile.system($0)) }
    methods.xShmUnmap = { FaultyFile.real($0)?.xShmUnmap(FaultyFile.system($0), $1) ?? 1 }
  }
}
