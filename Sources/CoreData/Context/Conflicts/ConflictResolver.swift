/// Asks the context's merge policy about the conflicts of a save, for as long as it makes progress.
struct ConflictResolver {
  let context: NSManagedObjectContext
  /// The objects about whose row versions the policy has been asked.
  private(set) var settled: Set<NSManagedObject> = []
  private var attempts = 0

  init(context: NSManagedObjectContext) { self.context = context }

  /// Saves that fail this often over changed rows are given up: others write faster than we merge.
  private static let mostAttempts = 100

  /// Throws what the policy throws, and every error that is no conflict.
  mutating func resolve(_ error: any Error) throws {
    switch error {
    case let conflicts as SaveConflicts: try resolve(conflicts)
    case let violation as ConstraintViolation: try resolve(violation)
    default: throw error
    }
  }

  private mutating func resolve(_ conflicts: SaveConflicts) throws {
    let list = conflicts.conflicts.compactMap { conflict -> NSMergeConflict? in
      guard let object = context.registry.object(conflict.identity.packed) else { return nil }
      return NSMergeConflict(source: object, conflict)
    }
    try resolve(list, .managedObjectMerge)
  }

  private mutating func resolve(_ violation: ConstraintViolation) throws {
    let list = try ConstraintFinder(context: context).conflicts()
    if list.isEmpty { throw violation.error }
    try resolve(list, .managedObjectConstraintMerge)
  }

  private mutating func resolve(_ list: [NSObject], _ code: CocoaError.Code) throws {
    attempts += 1
    guard attempts < Self.mostAttempts, !list.isEmpty else {
      throw CoreDataError.make(
        code, reason: "The save met conflicts \(attempts) times in a row.",
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    let policy = context.decidingPolicy
    let concerned = list.compactMap { ($0 as? NSMergeConflict)?.sourceObject }
    let present = Set(concerned.filter(\.lifecycle.isPresent))
    let constrained = list.compactMap { $0 as? NSConstraintConflict }
      .flatMap { $0.conflictingObjects + [$0.databaseObject].compactMap(\.self) }
    try context.telling(concerned + constrained) {
      try context.keepingInverses(of: concerned) { try policy.resolve(mergeConflicts: list) }
    }
    if !context.deleted.isEmpty {
      // What has been read anew may lead to objects that are deleted here.
      for object in concerned where object.lifecycle == .live {
        object.snapshot.map(context.leaveDeleted)
      }
    }
    settled.formUnion(concerned)
    if context.hasUndoSteps { concerned.forEach(context.noteChangeElsewhere) }
    context.propagateDeletions()
    context.processPendingChanges()
    context.tellOfSettled(concerned, present: present)
  }
}

extension NSManagedObjectContext {
  /// The policy that settles this context's conflicts. A child that has the error policy, as every context has
  /// to begin with, leaves them to the policy of the context that it saves into.
  fileprivate var decidingPolicy: NSMergePolicy {
    let own = mergePolicy as? NSMergePolicy ?? .error
    guard own === NSMergePolicy.error, let parent else { return own }
    return parent.confinement.performAndWait { parent.decidingPolicy }
  }

  /// What the store has of these objects is news here, as with a merge: no edit says so, and by the save's
  /// end they stand above what the context has still to merge.
  fileprivate func tellOfSettled(_ objects: [NSManagedObject], present: Set<NSManagedObject>) {
    var changes = ContextChanges()
    for object in objects {
      switch (present.contains(object), object.lifecycle.isPresent) {
      case (true, true): changes.refreshed.append(object)
      case (true, false): changes.deleted.append(object)
      case (false, true): changes.inserted.append(object)
      case (false, false): continue
      }
    }
    if !changes.isEmpty { tellOfOthers(changes) }
  }
}
