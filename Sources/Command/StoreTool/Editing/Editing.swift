import CoreData

/// Carries a change out on a store. If nothing changes, no byte of the store's files is written.
///
/// The change is first tried on the store opened read-only. Errors end the command there, and so
/// does a dry run. Otherwise the change is repeated on the store opened for writing.
package enum Editing {
  /// Runs an edit.
  ///
  /// - Parameters:
  ///   - whenNothingChanges: called with the read-only store if the edit changes nothing; not
  ///     called in a dry run.
  ///   - edit: called once with the read-only store and `isDryRun` set, then, for the real change,
  ///     with a store open for writing; again after a merge conflict.
  package static func run(
    _ request: StoreRequest, isDryRun: Bool,
    whenNothingChanges: (OpenedStore) throws -> Void = { _ in },
    edit: (_ store: OpenedStore, _ isDryRun: Bool) throws -> EditReport
  ) throws -> EditReport {
    let looked = try OpenedStore(request, isForTrial: true)
    let plan: EditReport
    do {
      defer { looked.close() }
      plan = try edit(looked, true)
      if !isDryRun, plan.changes.isEmpty { try whenNothingChanges(looked) }
    }
    guard !isDryRun, !plan.changes.isEmpty else { return plan }
    return try againAfterConflicts {
      let store = try OpenedStore(request, isWriting: true)
      defer { store.close() }
      return try edit(store, false)
    }
  }

  /// The maximum number of attempts against conflicting saves of other processes.
  private static let mostConflicts = 50

  /// Repeats an edit after a merge conflict: a command applies to the objects as they are when it
  /// is carried out.
  private static func againAfterConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 1..<mostConflicts {
      do { return try body() } catch let error as ToolError where error.isMergeConflict {
        // A random pause, so that two processes do not collide again.
        Thread.sleep(forTimeInterval: .random(in: 0.005...0.05))
      }
    }
    return try body()
  }
}
