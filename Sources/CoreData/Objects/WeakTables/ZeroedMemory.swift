/// Memory for a table that begins as zeros and is looked at all over.
///
/// A large table is asked for in huge pages, where the system has them: a table of 4 MB would else fault a thousand
/// times while it fills, and most look-ups in a larger one would miss the processor's list of pages.
enum ZeroedMemory {
  /// A huge page of the processors that Swift runs on.
  private static var hugePage: Int { 2 << 20 }

  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    #if os(Linux)
      if byteCount >= hugePage { return map(byteCount) }
    #endif
    guard let memory = calloc(1, byteCount) else { noMemory(byteCount) }
    return memory
  }

  static func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    #if os(Linux)
      if byteCount >= hugePage {
        munmap(memory, byteCount)
        return
      }
    #endif
    free(memory)
  }

  #if os(Linux)
    private static func map(_ byteCount: Int) -> UnsafeMutableRawPointer {
      let access = PROT_READ | PROT_WRITE
      guard let memory = mmap(nil, byteCount, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        memory != MAP_FAILED
      else { noMemory(byteCount) }
      // A wish: without huge pages everything works in small ones.
      _ = madvise(memory, byteCount, MADV_HUGEPAGE)
      return memory
    }
  #endif

  private static func noMemory(_ byteCount: Int) -> Never {
    fatalError("CoreData has no memory for a table of \(byteCount) bytes")
  }
}
