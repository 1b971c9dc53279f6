#if THREAD_SANITIZER
  import KeyValueCoding

  /// Replacement of `Synchronization.Mutex` whose locking the thread sanitizer can see.
  typealias Mutex = VisibleMutex
#endif
