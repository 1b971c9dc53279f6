import CoreData

/// Carries a change out on a store, and leaves every byte of its files where there is none.
///
/// The change is tried on the store opened for reading alone. Whatever is refused is refused there, and a dry run ends
/// there; only what is to be saved is done once more on the store opened for writing.
package enum Editing {
  ///
  /// - Parameter whenNothingChanges: called with the store opened for reading, but not by a dry run.
  package static func run(
    _ request: StoreRequest, isDryRun: Bool,
    whenNothingChanges: (OpenedStore) throws -> Void = { _ in },
    _ edit: (_ store: OpenedStore, _ isDryRun: Bool) throws -> EditReport
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

  /// How often others may change, between reading and saving, what an edit has to do with.
  private static let mostConflicts = 50

  /// Whoever uses a command means what is there when it is carried out: it is read and changed anew.
  private static func againAfterConflicts<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 1..<mostConflicts {
      do { return try body() } catch let error as ToolError where error.isMergeConflict {
        // Two that are in step would meet again.
        Thread.sleep(forTimeInterval: .random(in: 0.005...0.05))
      }
    }
    return try body()
  }
}
