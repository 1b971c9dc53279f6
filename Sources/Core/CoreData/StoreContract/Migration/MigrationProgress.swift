import Synchronization

/// Reports a migration's steps to a `Progress`, and checks it for cancellation.
///
/// Several migrations may share the `Progress`; each has a share of its units. Any thread may read
/// and cancel it.
///
/// Unchecked Sendable: only the one thread that migrates uses the object.
package final class MigrationProgress: @unchecked Sendable {
  /// The units of one store.
  static let units: Int64 = 1000
  /// The progress that a container, or another caller that adds a store, sets for its migrations.
  @TaskLocal static var current: MigrationProgress?
  /// Guards the counts of every `Progress`, which does not guard them itself on this platform.
  private static let lock = Mutex(())

  private let progress: Progress
  private let didChange: () -> Void
  private var done: Int64 = 0

  init(_ progress: Progress, didChange: @escaping () -> Void = {}) {
    self.progress = progress
    self.didChange = didChange
  }

  /// The progress of the current caller: the one set by a container, or else a child of the
  /// thread's current `Progress`; nil if there is neither.
  static var ofCaller: MigrationProgress? {
    if let current { return current }
    guard Progress.current() != nil else { return nil }
    return MigrationProgress(Progress(totalUnitCount: units))
  }

  /// Adds the units of further stores to a `Progress`.
  static func expect(_ stores: Int, in progress: Progress) {
    lock.withLock { _ in
      progress.totalUnitCount = max(progress.totalUnitCount, 0) + units * Int64(stores)
    }
  }

  /// Reports the completed fraction of the store's share, from 0 to 1. Ignores a fraction below the
  /// last one.
  func report(_ fraction: Double) {
    let now = Int64(Double(Self.units) * min(max(fraction, 0), 1))
    guard now > done else { return }
    Self.lock.withLock { _ in progress.completedUnitCount += now - done }
    done = now
    didChange()
  }

  var isCancelled: Bool { progress.isCancelled }

  /// Throws 134120 if the `Progress` is cancelled.
  func checkCancelled() throws {
    if isCancelled { throw Self.cancellation() }
  }

  static func cancellation(underlying: (any Error)? = nil) -> NSError {
    CoreDataError.make(
      .migrationCancelled,
      reason: "The migration was cancelled; the store is as it was.", underlying: underlying)
  }

  /// A part of a migration, such as one step of several.
  package struct Part {
    let progress: MigrationProgress?
    var range: ClosedRange<Double> = 0...1

    package func report(_ fraction: Double) {
      progress?.report(range.lowerBound + fraction * (range.upperBound - range.lowerBound))
    }

    package func checkCancelled() throws { try progress?.checkCancelled() }

    /// One of `count` equal parts.
    package func part(_ index: Int, of count: Int) -> Part {
      let length = (range.upperBound - range.lowerBound) / Double(max(count, 1))
      let start = range.lowerBound + length * Double(index)
      return Part(progress: progress, range: start...max(start, start + length))
    }
  }
}
