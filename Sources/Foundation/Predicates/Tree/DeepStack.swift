import Foundation

/// Runs a recursion over a tree on a stack that is large enough for it. Trees of formats are
/// shallow; a program that builds a tree in a loop can make it deep.
enum DeepStack {
  #if ADDRESS_SANITIZER
    // The sanitizer puts guard zones around each variable of a frame.
    static let ordinaryDepth = 100
    private static let bytesPerLevel = 102_400
  #else
    /// The depth for which the stack of any thread suffices.
    static let ordinaryDepth = 1_000
    /// More than the frames of one level in a build without optimisation.
    private static let bytesPerLevel = 10_240
  #endif
  /// The maximum depth of a tree; bounds the stack to a gigabyte.
  static let deepest = 100_000

  /// The depth of a tree. Traps if it is beyond ``deepest``.
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

  /// A key in the dictionary of a thread with a large stack.
  private static let mark = "OpenCoreData.DeepStack"

  /// Work of a thread for which its starter waits.
  ///
  /// Unchecked Sendable: the thread writes before it signals, the starter reads after that.
  private final class Work<Result>: @unchecked Sendable {
    private var body: (() -> Result)?
    private var value: Result?
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping () -> Result) { self.body = body }

    func run() {
      Thread.current.threadDictionary[mark] = true
      value = body?()
      // Released before the starter continues: the body does not escape beyond the starter's wait.
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
