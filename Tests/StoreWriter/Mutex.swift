#if THREAD_SANITIZER
  import KeyValueCoding

  /// What the thread sanitiser can see, in place of `Synchronization.Mutex`.
  typealias Mutex = VisibleMutex
#endif
