/// A lock of a folder, between processes and between threads: `flock` on the folder itself, which
/// needs no file. Held until the last reference is released, or the process ends.
final class FolderLock {
  enum Kind {
    /// Waits while another holder has the folder exclusively.
    case shared
    /// Exclusive; waits until there is no other holder.
    case alone
    /// Exclusive; the initialiser returns nil if there is another holder.
    case aloneAtOnce
  }

  private let descriptor: Int32

  /// Nil if the folder does not exist or cannot be locked.
  init?(_ folder: URL, kind: Kind) {
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
    // Unlocked explicitly: a child process that is just starting has a copy of the descriptor until
    // its exec, and would keep the lock as long.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  func synchronise() { fsync(descriptor) }
}
