import Foundation

/// A lock beside a store: one engine at a time has it, in whatever process. It ends with the
/// process.
///
/// A lock is of a file, not of a name: if somebody removes the file, the next engine makes another
/// one. So who has it looks again before each step.
final class EngineLock {
  private let url: URL
  private var descriptor: Int32

  /// Takes the lock. Throws ``SyncError/locked`` if another engine has it.
  init(at url: URL) throws {
    self.url = url
    descriptor = -1
    try take()
  }

  deinit { close(descriptor) }

  /// Takes the lock once more if its file is gone. Throws ``SyncError/locked`` if another engine
  /// has done so before.
  func check() throws {
    guard !isCurrent else { return }
    close(descriptor)
    descriptor = -1
    try take()
  }

  private func take() throws {
    // More than once only if somebody removes the file meanwhile.
    for _ in 0..<100 {
      descriptor = open(url.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        throw SyncError.store(
          """
          The lock \(url.path) cannot be opened: \(String(cString: strerror(errno))). Sync needs to \
          write in the folder of the store.
          """)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        descriptor = -1
        throw SyncError.locked
      }
      // Between the two calls its file may have been removed, and another one locked.
      if isCurrent { return }
      close(descriptor)
    }
    descriptor = -1
    throw SyncError.store(
      """
      The lock \(url.path) is never the file that was locked: the folder's file system cannot tell \
      its files apart, or something removes the file again and again. Keep the store elsewhere.
      """)
  }

  /// Whether the file with the lock's name is the one that is locked.
  private var isCurrent: Bool {
    var (own, named) = (stat(), stat())
    return descriptor >= 0 && fstat(descriptor, &own) == 0 && stat(url.path, &named) == 0
      && own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Refuses a store that has other names than this one: by each of them it has another log, and
  /// other files of sync beside it.
  static func refuseSecondNames(of url: URL) throws {
    var file = stat()
    guard stat(url.path, &file) == 0, file.st_nlink > 1 else { return }
    throw SyncError.store(
      """
      The store \(url.path) has \(file.st_nlink) names (hard links): SQLite and sync keep files \
      beside it for each of them, and would damage it. Remove the other names, or copy the file.
      """)
  }
}
