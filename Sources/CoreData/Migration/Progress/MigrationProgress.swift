import Synchronization

/// Counts a migration's steps in a `Progress`, and asks it whether the migration is to go on.
///
/// Belongs to the thread that migrates. The `Progress` may be shared by several migrations, each of which has a
/// share of its units; it may be read and cancelled by any thread.
///
/// Sendable: handed to the one thread that migrates.
package final class MigrationProgress: @unchecked Sendable {
  /// The units of one store.
  static let units: Int64 = 1000
  /// What a container, or whoever adds a store, has set for the migrations that this leads to.
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

  /// That of who adds a store or migrates one: what a container has set, else a child of the thread's current
  /// `Progress`; nil when nobody wants to know.
  static var ofCaller: MigrationProgress? {
    if let current { return current }
    guard Progress.current() != nil else { return nil }
    return MigrationProgress(Progress(totalUnitCount: units))
  }

  /// Notes that a `Progress` has so many stores more.
  static func expect(_ stores: Int, in progress: Progress) {
    lock.withLock { _ in
      progress.totalUnitCount = max(progress.totalUnitCount, 0) + units * Int64(stores)
    }
  }

  /// Notes how much of the store's share is done, from 0 to 1. What was done stays done.
  func report(_ fraction: Double) {
    let now = Int64(Double(Self.units) * min(max(fraction, 0), 1))
    guard now > done else { return }
    Self.lock.withLock { _ in progress.completedUnitCount += now - done }
    done = now
    didChange()
  }

  var isCancelled: Bool { progress.isCancelled }

  /// Throws 134120.
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

    /// One of a number of equal parts.
    package func part(_ index: Int, of count: Int) -> Part {
      let length = (range.upperBound - range.lowerBound) / Double(max(count, 1))
      let start = range.lowerBound + length * Double(index)
      return Part(progress: progress, range: start...max(start, start + length))
    }
  }
}
