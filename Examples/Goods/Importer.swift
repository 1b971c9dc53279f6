import CoreData

/// Adds made-up goods on a background context, while lists are open: what it saves is merged into
/// their contexts.
///
/// A share is saved when the lists have that before it, so that windows answer meanwhile, however many rows come.
struct Importer: Sendable {
  /// A context on a queue of its own.
  let context: NSManagedObjectContext

  /// So many rows at a time; who wants more imports again.
  static let mostRows = 100_000
  /// How many rows are saved, and so appear, at a time, at first and at least.
  private static let shares = (first: 250, least: 25)
  /// How long merging a share may keep the windows from answering.
  private static let patience = Duration.milliseconds(60)

  /// Ends within a share when its task is cancelled; what was saved stays.
  ///
  /// - Parameter progress: told on the main queue how many rows there are so far.
  func run(
    _ count: Int, progress: @escaping @MainActor @Sendable (Int) -> Void = { _ in }
  ) async throws {
    let first = try await context.perform { try context.count(for: Goods.fetchRequest()) }
    var (done, size) = (0, Self.shares.first)
    while done < count {
      try Task.checkCancellation()
      let numbers = (first + done)..<(first + min(done + size, count))
      try await add(numbers)
      done += numbers.count
      let soFar = done
      let merged = await Self.turnOfMainQueue { progress(soFar) }
      size =
        merged > Self.patience
        ? max(Self.shares.least, size / 2) : min(size + 25, Self.shares.first)
      // What was clicked meanwhile comes first.
      try await Task.sleep(for: max(merged, .milliseconds(1)))
    }
  }

  private func add(_ numbers: Range<Int>) async throws {
    try await context.perform {
      for number in numbers { Catalogue.insert(number, in: context) }
      try context.save()
      // What is saved is of no more use here.
      context.reset()
    }
  }

  /// Runs `body` on the main queue once everything that waits there is done, the merging of what was saved before
  /// among it; returns how long that took.
  private static func turnOfMainQueue(
    _ body: @escaping @MainActor @Sendable () -> Void
  ) async -> Duration {
    await ContinuousClock().measure {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          MainActor.assumeIsolated(body)
          continuation.resume()
        }
      }
    }
  }
}
