import CoreData

/// Takes back the last save of this tool: what others changed meanwhile stays.
///
/// Objects that were inserted go, updated ones get the values back that they had, and deleted ones come again, under new
/// keys, since keys are not used twice. It is a save like every other, and is noted in the history.
package enum Undo {
  package static func run(in store: OpenedStore, isDryRun: Bool) throws -> EditReport {
    guard let (journal, backup) = try UndoJournal.newest(of: store.url) else {
      throw ToolError(
        .noInput,
        "There is nothing to undo: this tool has made no change with a backup to \(store.url.path)."
      )
    }
    var request = StoreRequest(store: backup)
    if case .file(let path, let version) = store.origin {
      request.model = URL(fileURLWithPath: path)
      request.modelVersion = version
    }
    let former = try OpenedStore(request)
    let report = try store.withContext { context in
      try former.withContext { formerContext in
        var taking = TakingBack(
          store: store, context: context, former: former, formerContext: formerContext)
        try taking.run(journal)
        context.processPendingChanges()
        return try Saving.save(
          context, of: store, as: "undo", isDryRun: isDryRun, makesBackup: false)
      }
    }
    former.close()
    if !isDryRun { try UndoJournal.remove(backup) }
    return report
  }
}

private struct TakingBack {
  let store: OpenedStore
  let context: NSManagedObjectContext
  let former: OpenedStore
  let formerContext: NSManagedObjectContext
  /// Deleted objects that came again, by their former names.
  private var returned: [String: NSManagedObject] = [:]

  init(
    store: OpenedStore, context: NSManagedObjectContext, former: OpenedStore,
    formerContext: NSManagedObjectContext
  ) {
    self.store = store
    self.context = context
    self.former = former
    self.formerContext = formerContext
  }

  mutating func run(_ journal: UndoJournal) throws {
    for name in journal.deleted {
      let entity = try store.entity(named: String(name.prefix { $0 != "/" }))
      returned[name] = NSManagedObject(entity: entity, insertInto: context)
    }
    for name in journal.deleted + journal.updated {
      let source = try former.object(name, in: formerContext)
      // Whoever deleted an updated object meanwhile has the last word.
      guard let target = returned[name] ?? (try? store.object(name, in: context)) else { continue }
      restore(source, to: target)
    }
    for name in journal.inserted {
      // It may be gone already.
      if let object = try? store.object(name, in: context) { context.delete(object) }
    }
  }

  private func restore(_ source: NSManagedObject, to target: NSManagedObject) {
    for property in source.entity.properties {
      switch property {
      case is NSDerivedAttributeDescription, is NSFetchedPropertyDescription: continue
      case let relationship as NSRelationshipDescription: restore(relationship, source, target)
      default:
        let value = source.value(forKey: property.name)
        if !Self.areEqual(value, target.value(forKey: property.name)) {
          target.setValue(value, forKey: property.name)
        }
      }
    }
  }

  private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left as AnyHashable, let right as AnyHashable): left == right
    default: false
    }
  }

  private func restore(
    _ relationship: NSRelationshipDescription, _ source: NSManagedObject, _ target: NSManagedObject
  ) {
    let name = relationship.name
    guard relationship.isToMany else {
      let value = (source.value(forKey: name) as? NSManagedObject).flatMap(counterpart)
      if value !== target.value(forKey: name) as? NSManagedObject {
        target.setValue(value, forKey: name)
      }
      return
    }
    if relationship.isOrdered {
      let members = source.mutableOrderedSetValue(forKey: name).array
        .compactMap { ($0 as? NSManagedObject).flatMap(counterpart) }
      return target.setValue(NSOrderedSet(array: members), forKey: name)
    }
    let members = source.mutableSetValue(forKey: name).allObjects
      .compactMap { ($0 as? NSManagedObject).flatMap(counterpart) }
    target.setValue(NSSet(array: members), forKey: name)
  }

  private func counterpart(_ object: NSManagedObject) -> NSManagedObject? {
    let name = CellText.name(of: object.objectID)
    // It may have been deleted by others.
    return returned[name] ?? (try? store.object(name, in: context))
  }
}
