/// The sets of the objects that one event has changed, as its notification has them. The
/// notification of a save with the same changes reuses them: making a set of a hundred thousand
/// objects takes a good part of the time that writing the objects does.
struct EventSets {
  struct Part {
    let objects: Set<NSManagedObject>
    /// The ``ObjectRoster/version`` at which the roster had exactly these objects; nil if it had
    /// others too.
    let version: Int?

    fileprivate init?(
      _ objects: [NSManagedObject], roster: ObjectRoster, isIn: (NSManagedObject) -> Bool
    ) {
      if objects.isEmpty { return nil }
      self.objects = Set(uncounted: objects)
      let areAll = objects.count == roster.count && objects.allSatisfyUncounted(isIn)
      version = areAll ? roster.version : nil
    }
  }

  let inserted: Part?
  let updated: Part?
  let deleted: Part?

  static var none: EventSets { EventSets(inserted: nil, updated: nil, deleted: nil) }

  /// The sets that a save may reuse. They retain no object that the context does not retain anyway.
  var reusable: EventSets {
    func reusable(_ part: Part?) -> Part? { part?.version == nil ? nil : part }
    return EventSets(
      inserted: reusable(inserted), updated: reusable(updated), deleted: reusable(deleted))
  }
}

extension EventSets {
  /// The sets of changes that have just happened in a context, each object in one list at most.
  init(_ changes: ContextChanges, in context: NSManagedObjectContext) {
    inserted = Part(changes.inserted, roster: context.inserted) { $0.lifecycle == .inserted }
    updated = Part(changes.updated, roster: context.updated) { $0.flags.contains(.updated) }
    let deleted = changes.passing.isEmpty ? changes.deleted : changes.deleted + changes.passing
    self.deleted = Part(deleted, roster: context.deleted) { $0.lifecycle == .deleted }
  }
}

extension EventSets.Part? {
  /// The set of a roster's objects at this version: reused if it fits, else made.
  func set(of objects: [NSManagedObject], version: Int) -> Set<NSManagedObject> {
    if let self, self.version == version { return self.objects }
    return Set(uncounted: objects)
  }
}
