#if THREAD_SANITIZER
  import KeyValueCoding

  /// A mutex that the thread sanitiser can see, in place of `Synchronization.Mutex`.
  typealias Mutex = VisibleMutex
#endif
