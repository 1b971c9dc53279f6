import Synchronization

/// Lets a thread's reads of SQLite stores end when nobody wants their results any more.
///
/// Sendable: the flag is atomic.
final class ReadCancellation: Sendable {
  /// What the current thread's reads ask.
  @TaskLocal static var current: ReadCancellation?
  // Spares every read the look at `current` while nothing can be cancelled.
  private static let watched = Atomic(0)

  static var isAnyWatched: Bool { watched.load(ordering: .relaxed) > 0 }

  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }

  func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs reads that end with an error soon after ``cancel()``.
  func watching<Result>(_ body: () throws -> Result) throws -> Result {
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
