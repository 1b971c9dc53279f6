import Foundation

/// Lets one thread at a time, across processes, migrate a store: a lock on a file
/// `.X.sqlite.migrating` beside it, which exists only while it is held. The system releases the
/// lock when a process ends.
final class MigrationLock {
  private let path: String
  private let descriptor: Int32

  /// Acquires the lock, waiting for its holder. Throws 134090 if that takes longer than `timeout`
  /// seconds.
  init(of store: URL, timeout: TimeInterval) throws {
    path = Self.path(store)
    let deadline = Date(timeIntervalSinceNow: timeout)
    while true {
      if let descriptor = try Self.lock(path, store: store) {
        self.descriptor = descriptor
        return
      }
      guard Date() < deadline else {
        throw CoreDataError.file(
          .persistentStoreTimeout, url: store,
          reason: "Another process or thread has been migrating the store at \(store.path) for "
            + "\(Int(timeout)) seconds; wait for it, or set NSPersistentStoreTimeoutOption.")
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  private static func path(_ store: URL) -> String {
    var path = store.path
    var status = stat()
    // Beside the target of a symbolic link, so that all paths to the store share one lock.
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      path = store.resolvingSymlinksInPath().path
    }
    return "\(path.parentFolder)/.\(path.lastPathName).migrating"
  }

  /// Returns whether the lock is held, or its holder has ended while holding it.
  static func mayBeTaken(_ store: URL) -> Bool { access(path(store), F_OK) == 0 }

  /// Tries to acquire the lock; nil if another thread or process has it.
  private static func lock(_ path: String, store: URL) throws -> Int32? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(store) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(descriptor) }
      guard [EWOULDBLOCK, EINTR].contains(errno) else { throw failure(store) }
      return nil
    }
    // The previous holder may have removed the file meanwhile; then the lock protects nothing.
    var (own, present) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &present) == 0, own.st_ino == present.st_ino
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func failure(_ store: URL) -> NSError {
    let number = errno
    let code: CocoaError.Code =
      switch number {
      case EACCES, EPERM: .fileWriteNoPermission
      case EROFS: .fileWriteVolumeReadOnly
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      case ENOENT, ENOTDIR: .fileNoSuchFile
      default: .migration
      }
    return CoreDataError.file(
      code, url: store,
      reason: "The store at \(store.path) cannot be migrated: no file can be made beside it "
        + "(\(String(cString: strerror(number)))). Nothing was changed.",
      underlying: NSError(domain: NSPOSIXErrorDomain, code: Int(number)))
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
