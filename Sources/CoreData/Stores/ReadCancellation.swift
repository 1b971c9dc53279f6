import Synchronization

/// Lets a thread's reads of stores end when nobody wants their results any more.
///
/// Sendable: the flag is atomic, and the question is asked from any thread.
package final class ReadCancellation: Sendable {
  /// What the current thread's reads ask.
  @TaskLocal private static var current: ReadCancellation?
  // Spares every read the look at `current` while nothing can be cancelled.
  private static let watched = Atomic(0)

  static var isAnyWatched: Bool { watched.load(ordering: .relaxed) > 0 }

  /// What this thread's read has to ask now and then; nil when nothing can cancel it.
  package static var ofThisRead: ReadCancellation? { isAnyWatched ? current : nil }

  private let flag = Atomic(false)
  private let question: (@Sendable () -> Bool)?

  /// - Parameter question: another way to be cancelled, asked from any thread.
  package init(or question: (@Sendable () -> Bool)? = nil) { self.question = question }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) || question?() == true }

  package func cancel() { flag.store(true, ordering: .relaxed) }

  package func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs reads that end with an error soon after ``cancel()``.
  package func watching<Result>(_ body: () throws -> Result) throws -> Result {
    try check()
    Self.watched.wrappingAdd(1, ordering: .relaxed)
    defer { Self.watched.wrappingSubtract(1, ordering: .relaxed) }
    do {
      return try Self.$current.withValue(self, operation: body)
    } catch {
      // What the store says about it is not what happened.
      try check()
      throw error
    }
  }
}
