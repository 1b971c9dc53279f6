import Foundation

/// A lock beside a store: one engine at a time has it, in whatever process. It ends with the
/// process.
final class EngineLock {
  private let descriptor: Int32

  init(at url: URL) throws {
    descriptor = open(url.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw SyncError.store("The lock \(url.lastPathComponent) cannot be opened.")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw SyncError.locked
    }
  }

  deinit { close(descriptor) }
}
