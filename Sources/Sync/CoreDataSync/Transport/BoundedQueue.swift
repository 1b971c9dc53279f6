import Foundation

/// The delegate queue of a session: whoever hands on bytes waits while many wait to be looked at,
/// so that a fast sender fills the connection and not the memory.
///
/// What runs on it must not wait for the session in turn: it would wait for itself.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  // Sendable: as its superclass, and with a semaphore and a lock.
  private let room = DispatchSemaphore(value: 32)
  private let lock = NSLock()
  private var isBounded = true

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    guard lock.withLock({ isBounded }) else { return block() }
    room.wait()
    super.addOperation { [room] in
      block()
      room.signal()
    }
  }

  /// Lets nobody wait any more: what is added runs at once, for nobody looks at the bytes.
  func letEverythingThrough() { lock.withLock { isBounded = false } }
}
