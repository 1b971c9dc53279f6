#if THREAD_SANITIZER
  import KeyValueCoding

  /// Replaces `Synchronization.Mutex`, whose locking the thread sanitiser cannot see.
  typealias Mutex = VisibleMutex
#endif
