#if THREAD_SANITIZER
  import Foundation

  /// Stands in for `Synchronization.Mutex` in builds with the thread sanitiser, which cannot see how that
  /// one waits for another thread (the waiting is in the standard library, which is not instrumented) and
  /// would report what it guards. A lock of the system is seen.
  ///
  /// Sendable: `storage` is read and written under its lock.
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
