import CoreData

/// Carries a change out on a store, and leaves every byte of its files where there is none.
///
/// The change is tried on the store opened for reading alone. Whatever is refused is refused there, and a dry run ends
/// there; only what is to be saved is done once more on the store opened for writing.
package enum Editing {
  package static func run(
    _ request: StoreRequest, isDryRun: Bool,
    _ edit: (_ store: OpenedStore, _ isDryRun: Bool) throws -> EditReport
  ) throws -> EditReport {
    let looked = try OpenedStore(request, isForTrial: true)
    let plan: EditReport
    do {
      defer { looked.close() }
      plan = try edit(looked, true)
    }
    guard !isDryRun, !plan.changes.isEmpty else { return plan }
    let store = try OpenedStore(request, isWriting: true)
    defer { store.close() }
    return try edit(store, false)
  }
}
