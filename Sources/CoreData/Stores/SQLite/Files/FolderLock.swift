/// The lock of a folder, between processes and between threads: `flock` on the folder itself, so that no
/// file has to be made for it. Held until the last reference goes, or the process ends.
final class FolderLock {
  enum Kind {
    /// Waits while somebody has the folder alone.
    case shared
    /// Waits until nobody else has the folder.
    case alone
    /// Nil when somebody else has the folder.
    case aloneAtOnce
  }

  private let descriptor: Int32

  /// Nil when there is no such folder, or when it cannot be had.
  init?(_ folder: URL, _ kind: Kind) {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let operation =
      switch kind {
      case .shared: LOCK_SH
      case .alone: LOCK_EX
      case .aloneAtOnce: LOCK_EX | LOCK_NB
      }
    while flock(descriptor, operation) != 0 {
      if errno == EINTR { continue }
      close(descriptor)
      return nil
    }
  }

  deinit {
    // Said, not left to closing: a child process that is just being started has a copy of the descriptor until
    // its exec, and the lock would last as long.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  func synchronise() { fsync(descriptor) }
}
