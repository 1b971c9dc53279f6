/// Passes the conflicts of a save to the context's merge policy, for as long as that makes
/// progress.
struct ConflictResolver {
  let context: NSManagedObjectContext
  /// The objects whose version conflicts the policy has resolved.
  private(set) var settled: Set<NSManagedObject> = []
  private var attempts = 0

  init(context: NSManagedObjectContext) { self.context = context }

  /// The number of attempts after which a save gives up: other writers are faster than the merges.
  private static let mostAttempts = 100

  /// Resolves the conflicts of an error. Throws the error of the policy, and every other error.
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
    try resolve(list, code: .managedObjectMerge)
  }

  private mutating func resolve(_ violation: ConstraintViolation) throws {
    let list = try ConstraintFinder(context: context).conflicts()
    if list.isEmpty { throw violation.error }
    try resolve(list, code: .managedObjectConstraintMerge)
  }

  private mutating func resolve(_ list: [NSObject], code: CocoaError.Code) throws {
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
      // The rows that were read again may refer to objects that are deleted here.
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
  /// The policy that resolves this context's conflicts. A child with the error policy, the default,
  /// uses the policy of the context that it saves into.
  fileprivate var decidingPolicy: NSMergePolicy {
    let own = mergePolicy as? NSMergePolicy ?? .error
    guard own === NSMergePolicy.error, let parent else { return own }
    return parent.confinement.performAndWait { parent.decidingPolicy }
  }

  /// Announces the resolved objects, as a merge does: no edit announces their new values, which are
  /// the store's, and the save removes these objects from the merges that the context has still to
  /// do.
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
