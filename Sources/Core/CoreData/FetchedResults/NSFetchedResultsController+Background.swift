import Foundation

extension NSFetchedResultsController {
  /// Fetches as ``performFetch()`` does, without blocking the main queue: another queue reads the
  /// store, and the controller then adopts the list in one step.
  ///
  /// For a main-queue context. Changes that the context merges or makes meanwhile are in the list
  /// too. The fetch runs on the main queue at once, as ``performFetch()``, if the context has
  /// unsaved changes, a parent or a query generation, or if it is reset during three attempts. The
  /// request's predicate must name objects by their IDs. Blocks in the predicate, and section names
  /// that a class computes, run on the other queue, with objects of another context.
  ///
  /// A long list can show its beginning early: a first fetch finds `count` rows, which the list has
  /// until the second fetch is done. There is no second fetch if the first finds all rows.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the first fetch; 0 for a single fetch. Ignored if the request
  ///     has a fetch limit.
  ///   - show: called when the list has the first rows, unless these are all.
  /// - Throws: the errors of ``performFetch()``; `CancellationError` if the task is cancelled. The
  ///   list then stays unchanged, and a running query ends soon after.
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

  /// Fetches on another queue and adopts the list. Returns the number of rows found; nil if the
  /// list could not be adopted.
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
    // The copied request has looked up the entity by its name; this request needs it as well.
    engine.request.settings.entity = made.engine.request.settings.entity
    try engine.inTurn { try engine.adopt(list, missing: missed) }
    return count
  }
}
