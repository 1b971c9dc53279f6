import Foundation

extension NSFetchedResultsController {
  /// Fetches as ``performFetch()`` does, while the main queue goes on with other things: the store is
  /// read on a queue of its own, and the list taken over in one moment.
  ///
  /// For a main-queue context. What it merges or changes meanwhile is in the list too. Where it has
  /// unsaved changes, a parent or a query generation, or where it is reset during three attempts, the
  /// fetch is carried out at once as by ``performFetch()``. The
  /// request's predicate must name objects by their IDs; blocks in it, and section names that a class
  /// computes, run on the other queue, with objects of another context.
  ///
  /// A long list can show its beginning before all of it is known: a first fetch finds as many rows as
  /// asked for, which the list has until the second one is done. There is no second one when these are
  /// all.
  ///
  /// - Parameters:
  ///   - count: how many rows are fetched first; 0 for all at once. Not used with a fetch limit.
  ///   - show: called when the list has the first rows, if others are still to come.
  /// - Throws: as ``performFetch()``; `CancellationError` when the task was cancelled, and the list
  ///   stays as it was then. The query that is under way ends soon after.
  @MainActor
  public final func performFetchInBackground(
    firstRows count: Int = 0, _ show: @MainActor () -> Void = {}
  ) async throws {
    if count > 0, engine.request.fetchLimit == 0, let found = try await fetchElsewhere(limit: count)
    {
      if found < count { return }
      show()
    }
    for _ in 0..<3 where engine.canFetchElsewhere {
      if try await fetchElsewhere(limit: 0) != nil { return }
    }
    try Task.checkCancellation()
    try performFetch()
  }

  /// How many rows a fetch on another queue has found, whose list was taken over; nil when it could not
  /// be.
  @MainActor
  private func fetchElsewhere(limit: Int) async throws -> Int? {
    guard engine.canFetchElsewhere else { return nil }
    let missed = MissedChanges()
    engine.missed.append(missed)
    defer { engine.missed.removeAll { $0 === missed } }
    let made = try await engine.makeElsewhere(limit: limit).run()
    try Task.checkCancellation()
    engine.inTurn { engine.context.processPendingChanges() }
    guard !missed.isReset, let list = made.list else { return nil }
    let count = list.count
    // The entity of a name, as a fetch finds it.
    engine.request.settings.entity = made.engine.request.settings.entity
    try engine.inTurn { try engine.adopt(list, missing: missed) }
    return count
  }
}
