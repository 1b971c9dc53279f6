#if THREAD_SANITIZER
  import Foundation

  /// Replaces `Synchronization.Mutex` in builds with the thread sanitiser. The waiting of that
  /// mutex happens in the standard library, which is not instrumented, so the sanitiser would
  /// report the guarded value. It sees a lock of the system.
  ///
  /// Unchecked: `storage` is read and written under its lock.
  package struct VisibleMutex<Value>: ~Copyable, @unchecked Sendable {
    private final class Storage {
      let lock = NSLock()
      var value: Value
      init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      storage.lock.lock()
      defer { storage.lock.unlock() }
      return try body(&storage.value)
    }
  }

  typealias Mutex = VisibleMutex
#endif
