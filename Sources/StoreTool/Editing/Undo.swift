import CoreData

/// Takes back the last save of this tool: what others changed meanwhile stays.
///
/// Objects that were inserted go, updated ones get the values back that they had, and deleted ones come again, under new
/// keys, since keys are not used twice. It is a save like every other, and is noted in the history.
package enum Undo {
  package static func run(in store: OpenedStore, isDryRun: Bool) throws -> EditReport {
    guard let (journal, backup) = try UndoJournal.newest(of: store) else {
      throw ToolError(
        .noInput,
        "There is nothing to undo: this tool has made no change with a backup to \(store.place)."
      )
    }
    let report = try take(back: journal, backup, in: store, isDryRun)
    if !isDryRun { try UndoJournal.remove(backup) }
    return report
  }

  private static func take(
    back journal: UndoJournal, _ backup: URL, in store: OpenedStore, _ isDryRun: Bool
  ) throws -> EditReport {
    guard store.format.isFile else {
      return try take(back: journal, in: store, from: .journal(journal.former ?? [:]), isDryRun)
    }
    var request = StoreRequest(store: backup)
    if case .file(let path, let version) = store.origin {
      request.model = URL(fileURLWithPath: path)
      request.modelVersion = version
    }
    let former = try OpenedStore(request)
    defer { former.close() }
    return try former.withContext {
      try take(back: journal, in: store, from: .copy(former, $0), isDryRun)
    }
  }

  private static func take(
    back journal: UndoJournal, in store: OpenedStore, from former: FormerObjects, _ isDryRun: Bool
  ) throws -> EditReport {
    try store.withContext { context in
      var taking = TakingBack(store: store, context: context, former: former)
      try taking.run(journal)
      context.processPendingChanges()
      let report = try Saving.save(
        context, of: store, as: "undo", isDryRun: isDryRun, makesBackup: false)
      if !isDryRun {
        try UndoJournal.note(
          renamed: taking.returned.mapValues { CellText.name(of: $0.objectID) }, of: store)
      }
      return report
    }
  }
}

/// Where objects are found as they were.
private enum FormerObjects {
  case copy(OpenedStore, NSManagedObjectContext)
  case journal([String: ExchangedObject])
}

private struct TakingBack {
  let store: OpenedStore
  let context: NSManagedObjectContext
  let former: FormerObjects
  /// Deleted objects that came again, by their former names.
  private(set) var returned: [String: NSManagedObject] = [:]
  /// What objects are called now that came again since, by their former names.
  private var renamed: [String: String] = [:]

  init(store: OpenedStore, context: NSManagedObjectContext, former: FormerObjects) {
    self.store = store
    self.context = context
    self.former = former
  }

  mutating func run(_ journal: UndoJournal) throws {
    renamed = journal.renamed ?? [:]
    for name in journal.deleted {
      let entity = try store.entity(named: String(name.prefix { $0 != "/" }))
      returned[name] = NSManagedObject(entity: entity, insertInto: context)
    }
    for name in journal.deleted + journal.updated {
      // Whoever deleted an updated object meanwhile has the last word.
      guard let target = counterpart(name) else { continue }
      switch former {
      case .copy(let copy, let context): restore(try copy.object(name, in: context), to: target)
      case .journal(let objects):
        if let object = objects[name] { try restore(object, to: target) }
      }
    }
    for name in journal.inserted {
      // It may be gone already.
      if let object = counterpart(name) { context.delete(object) }
    }
  }

  private func restore(_ source: NSManagedObject, to target: NSManagedObject) {
    for property in source.entity.properties where !property.isTransient {
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

  private func restore(_ source: ExchangedObject, to target: NSManagedObject) throws {
    let now = ExchangedObject(target)
    for key in Set(source.attributes.keys).union(now.attributes.keys)
    where source.attributes[key] != now.attributes[key] {
      let text = source.attributes[key]
      let assignment = text.map { Assignment(setting: key, to: $0) } ?? Assignment(clearing: key)
      try assignment.apply(to: target, in: store)
    }
    for relationship in target.entity.relationshipsByName.values where !relationship.isTransient {
      restore(relationship, source.relationships[relationship.name] ?? [], target)
    }
  }

  private func restore(
    _ relationship: NSRelationshipDescription, _ names: [String], _ target: NSManagedObject
  ) {
    let members = names.compactMap(counterpart)
    if !relationship.isToMany {
      if members.first !== target.value(forKey: relationship.name) as? NSManagedObject {
        target.setValue(members.first, forKey: relationship.name)
      }
    } else if relationship.isOrdered {
      target.setValue(NSOrderedSet(array: members), forKey: relationship.name)
    } else {
      target.setValue(NSSet(array: members), forKey: relationship.name)
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
    counterpart(CellText.name(of: object.objectID))
  }

  private func counterpart(_ name: String) -> NSManagedObject? {
    // It may have been deleted by others.
    returned[name] ?? (try? store.object(renamed[name] ?? name, in: context))
  }
}
