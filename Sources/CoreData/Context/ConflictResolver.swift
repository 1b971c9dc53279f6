/// Asks the context's merge policy about the conflicts of a save, for as long as it makes progress.
struct ConflictResolver {
  let context: NSManagedObjectContext
  private var attempts = 0

  init(context: NSManagedObjectContext) { self.context = context }

  /// Saves that fail this often over changed rows are given up: others write faster than we merge.
  private static let mostAttempts = 100

  mutating func resolve(_ conflicts: SaveConflicts) throws {
    attempts += 1
    let list = conflicts.conflicts.compactMap { conflict -> NSMergeConflict? in
      guard let object = context.registry.object(conflict.identity.packed) else { return nil }
      return NSMergeConflict(source: object, stored: conflict.stored)
    }
    guard attempts < Self.mostAttempts, !list.isEmpty else {
      throw CoreDataError.make(
        .managedObjectMerge, reason: "The save met conflicts \(attempts) times in a row.",
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    let policy = context.mergePolicy as? NSMergePolicy ?? .error
    try policy.resolve(mergeConflicts: list)
  }
}
