import Synchronization

/// A flag that ends a thread's reads of stores once their results are not needed any more.
///
/// Sendable: the flag is atomic; `question` may be called from any thread.
package final class ReadCancellation: Sendable {
  /// The cancellation that the current thread's reads check.
  @TaskLocal private static var current: ReadCancellation?
  // The number of running `watching` calls: while it is 0, reads skip the look-up of `current`.
  private static let watched = Atomic(0)

  static var isAnyWatched: Bool { watched.load(ordering: .relaxed) > 0 }

  /// The cancellation that this thread's read has to check repeatedly; nil if the read cannot be
  /// cancelled.
  package static var ofThisRead: ReadCancellation? { isAnyWatched ? current : nil }

  private let flag = Atomic(false)
  private let question: (@Sendable () -> Bool)?

  /// - Parameter question: a second condition that cancels; called from any thread.
  package init(or question: (@Sendable () -> Bool)? = nil) { self.question = question }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) || question?() == true }

  package func cancel() { flag.store(true, ordering: .relaxed) }

  package func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs reads, which end with an error soon after ``cancel()``. Throws `CancellationError` then.
  package func watching<Result>(_ body: () throws -> Result) throws -> Result {
    try check()
    Self.watched.wrappingAdd(1, ordering: .relaxed)
    defer { Self.watched.wrappingSubtract(1, ordering: .relaxed) }
    do {
      return try Self.$current.withValue(self, operation: body)
    } catch {
      // An interrupted store reports an error of its own: the cancellation replaces it.
      try check()
      throw error
    }
  }
}
