import CoreData

/// Adds sample goods on a background context while lists are open; each save is merged into the
/// lists' contexts.
///
/// A batch is saved after the lists have merged the one before it, so that windows stay responsive
/// however many rows are imported.
struct Importer: Sendable {
  /// The context, with a private queue.
  let context: NSManagedObjectContext

  /// The largest import, in rows.
  static let mostRows = 100_000
  /// The number of rows in a batch, which is saved and shown at once: the first and the least.
  private static let shares = (first: 250, least: 25)
  /// How long the merging of a batch may block the windows.
  private static let patience = Duration.milliseconds(60)

  /// Imports rows. A cancellation of its task takes effect within a batch; saved rows stay.
  ///
  /// - Parameter progress: called on the main queue with the number of rows so far.
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
      // Lets the main queue handle input in between.
      try await Task.sleep(for: max(merged, .milliseconds(1)))
    }
  }

  private func add(_ numbers: Range<Int>) async throws {
    try await context.perform {
      for number in numbers { Catalogue.insert(number, in: context) }
      try context.save()
      // Saved objects are not needed any more.
      context.reset()
    }
  }

  /// Runs `body` on the main queue behind the work that is waiting there, which includes the
  /// merging of the last batch. Returns the time that took.
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
