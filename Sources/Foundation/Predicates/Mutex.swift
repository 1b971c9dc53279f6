#if THREAD_SANITIZER
  import KeyValueCoding

  /// Replaces `Synchronization.Mutex`, which the thread sanitiser cannot see.
  typealias Mutex = VisibleMutex
#endif
