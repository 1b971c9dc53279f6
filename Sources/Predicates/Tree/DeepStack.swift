import Foundation

/// Runs what goes down a tree to its leaves on a stack that is large enough for it. Formats are never
/// that deep; trees that a program builds in a loop may be.
enum DeepStack {
  #if ADDRESS_SANITIZER
    // Around each variable of a frame there is room that nobody may touch.
    static let ordinaryDepth = 100
    private static let bytesPerLevel = 102_400
  #else
    /// Down to here any thread's stack will do.
    static let ordinaryDepth = 1_000
    /// Larger than a level's frames in a build without optimisation.
    private static let bytesPerLevel = 10_240
  #endif
  /// The deepest tree there can be, which bounds the stack to a gigabyte.
  static let deepest = 100_000

  /// The depth of a tree; ends the program where it is beyond ``deepest``.
  static func checked(_ depth: Int) -> Int {
    if depth > deepest {
      fatalError("NSPredicate: a tree of predicates is nested deeper than \(deepest) levels")
    }
    return depth
  }

  static func run<Result>(depth: Int, _ body: () -> Result) -> Result {
    if depth <= ordinaryDepth || Thread.current.threadDictionary[mark] != nil { return body() }
    return withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = depth * bytesPerLevel + 1 << 20
      thread.start()
      return work.result()
    }
  }

  /// In the dictionary of a thread whose stack is large.
  private static let mark = "OpenCoreData.DeepStack"

  /// What a thread does while its starter waits.
  ///
  /// Sendable: the thread writes before it signals, the starter reads after that.
  private final class Work<Result>: @unchecked Sendable {
    private var body: (() -> Result)?
    private var value: Result?
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping () -> Result) { self.body = body }

    func run() {
      Thread.current.threadDictionary[mark] = true
      value = body?()
      // Gone before the starter goes on: it lent the body only while it waits.
      body = nil
      end.signal()
    }

    func result() -> Result {
      end.wait()
      guard let value else { fatalError("NSPredicate: work on a large stack gave no result") }
      return value
    }
  }
}
