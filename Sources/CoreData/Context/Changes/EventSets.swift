/// The sets of what one event has changed: what its notification says, and what that of a save says too that has
/// nothing else to tell. A set of a hundred thousand objects takes a good part of the time that writing them does.
struct EventSets {
  struct Part {
    let objects: Set<NSManagedObject>
    /// The ``ObjectRoster/version`` with which these objects were all that the roster had; nil if they were not.
    let version: Int?

    fileprivate init?(
      _ objects: [NSManagedObject], _ roster: ObjectRoster, isIn: (NSManagedObject) -> Bool
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

  /// What a save may say again. It keeps no object that the context does not keep anyway.
  var reusable: EventSets {
    func reusable(_ part: Part?) -> Part? { part?.version == nil ? nil : part }
    return EventSets(
      inserted: reusable(inserted), updated: reusable(updated), deleted: reusable(deleted))
  }
}

extension EventSets {
  /// Of what has just happened in a context, each object in one of its lists at most once.
  init(_ changes: ContextChanges, in context: NSManagedObjectContext) {
    inserted = Part(changes.inserted, context.inserted) { $0.lifecycle == .inserted }
    updated = Part(changes.updated, context.updated) { $0.flags.contains(.updated) }
    let deleted = changes.passing.isEmpty ? changes.deleted : changes.deleted + changes.passing
    self.deleted = Part(deleted, context.deleted) { $0.lifecycle == .deleted }
  }
}

extension EventSets.Part? {
  /// The set of what a roster has with this version.
  func set(of objects: [NSManagedObject], version: Int) -> Set<NSManagedObject> {
    if let self, self.version == version { return self.objects }
    return Set(uncounted: objects)
  }
}
