import CoreData

/// Reverts the last save of this tool. Changes that other processes made meanwhile are kept and
/// reported.
///
/// Inserted objects are deleted, unless they have been changed since. Changed properties of updated
/// objects get their former values, unless their values have been changed since; members that
/// others have added to or removed from a relationship stay so. Deleted objects are inserted again
/// under new keys, since keys are never reused. The undo is an ordinary save, recorded in the
/// history.
package enum Undo {
  package static func run(in store: OpenedStore, isDryRun: Bool) throws -> EditReport {
    guard let (journal, backup) = try UndoJournal.newest(of: store) else {
      throw ToolError(
        .noInput,
        description:
          "There is nothing to undo: this tool has made no change with a backup to \(store.place)."
      )
    }
    let report = try take(back: journal, backup, in: store, isDryRun: isDryRun)
    if !isDryRun { try UndoJournal.remove(backup) }
    return report
  }

  /// Removes the newest journal, of which nothing is left to revert: the next undo reverts the save
  /// before it.
  package static func forgetNewest(of store: OpenedStore) throws {
    if let (_, backup) = try UndoJournal.newest(of: store) { try UndoJournal.remove(backup) }
  }

  private static func take(
    back journal: UndoJournal, _ backup: URL, in store: OpenedStore, isDryRun: Bool
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
      var report = try Saving.save(
        context, of: store, as: "undo", isDryRun: isDryRun, makesBackup: false)
      if !taking.kept.isEmpty { report.kept = taking.kept }
      if !isDryRun {
        try UndoJournal.note(
          renamed: taking.returned.mapValues { CellText.name(of: $0.objectID) }, of: store)
      }
      return report
    }
  }
}

/// The source of former values: a copy of the store, or the journal.
private enum FormerObjects {
  case copy(OpenedStore, NSManagedObjectContext)
  case journal([String: ExchangedObject])
}

/// The properties of an object to restore.
private struct Plan {
  let name: String
  let target: NSManagedObject
  /// The attributes, and paths of elements of composites; nil for all.
  var keys: Set<String>?
  /// The relationships to merge with later changes of others, by name; nil for all, of a
  /// re-inserted object.
  var relationships: [String: Members]?

  struct Members {
    /// The members as the save left them.
    let after: [NSManagedObject]
    /// The members before the undo.
    let now: [NSManagedObject]
  }
}

private struct TakingBack {
  let store: OpenedStore
  let context: NSManagedObjectContext
  let former: FormerObjects
  /// Re-inserted objects, by their former names.
  private(set) var returned: [String: NSManagedObject] = [:]
  /// The current names of objects that later undos have re-inserted, by their former names.
  private var renamed: [String: String] = [:]
  /// The names of objects and properties that others have changed since.
  private(set) var kept: [String] = []
  /// The former members of ordered relationships whose members come back by their own ends.
  private var orders: [(NSManagedObject, NSRelationshipDescription, [NSManagedObject])] = []

  init(store: OpenedStore, context: NSManagedObjectContext, former: FormerObjects) {
    self.store = store
    self.context = context
    self.former = former
  }

  mutating func run(_ journal: UndoJournal) throws {
    renamed = journal.renamed ?? [:]
    let inserted = objectsToGo(journal)
    for name in journal.deleted {
      let entity = try store.entity(named: String(name.prefix { $0 != "/" }))
      returned[name] = NSManagedObject(entity: entity, insertInto: context)
    }
    // Planned before anything is changed: changing one end of a relationship changes the other.
    let plans = (journal.deleted + journal.updated).compactMap { plan($0, journal: journal) }
    for plan in plans {
      switch former {
      case .copy(let copy, let context):
        try restore(copy.object(plan.name, in: context), plan: plan)
      case .journal(let objects):
        if let object = objects[plan.name] { try restore(object, plan: plan) }
      }
    }
    for (owner, relationship, former) in orders {
      restoreOrder(relationship, former: former, of: owner)
    }
    inserted.forEach(context.delete)
  }

  /// Members in the order that they had; those that others have added come last. Where the owner
  /// was there all the time, only members that come back are placed: others may have moved the
  /// rest.
  private func restoreOrder(
    _ relationship: NSRelationshipDescription, former: [NSManagedObject],
    of owner: NSManagedObject
  ) {
    let now = members(of: relationship, owner)
    var ordered = former.filter(now.contains) + now.filter { !former.contains($0) }
    if !isReturned(owner) {
      ordered = now.filter { !isReturned($0) }
      for (index, member) in former.enumerated() where isReturned(member) && now.contains(member) {
        let before = former[..<index].last(where: ordered.contains)
        ordered.insert(member, at: before.flatMap(ordered.firstIndex).map { $0 + 1 } ?? 0)
      }
      ordered += now.filter { !ordered.contains($0) }
    }
    guard ordered != now else { return }
    owner.setValue(NSOrderedSet(array: ordered), forKey: relationship.name)
  }

  /// The objects to delete: those that the save has inserted and that have not been changed since,
  /// except those that a remaining object leads to. Some may have been deleted already.
  private mutating func objectsToGo(_ journal: UndoJournal) -> [NSManagedObject] {
    var going: [NSManagedObject] = []
    var staying: [NSManagedObject] = []
    for name in journal.inserted {
      guard let object = counterpart(name) else { continue }
      let left = journal.left?[name]
      let isUntouched =
        left?.isSame(as: LeftValues(object), rename: { renamed[$0] ?? $0 }) ?? true
      if isUntouched { going.append(object) } else { staying.append(object) }
    }
    var next = 0
    while next < staying.count {
      let ends = staying[next].entity.relationshipsByName.values
        .filter { !$0.isTransient && !$0.isToMany }
        .flatMap { members(of: $0, staying[next]) }
      staying += going.filter(ends.contains)
      going.removeAll(where: ends.contains)
      next += 1
    }
    kept += staying.map { CellText.name(of: $0.objectID) }
    return going
  }

  /// The properties of an object to restore; nil if others have deleted it, which is respected.
  private mutating func plan(_ name: String, journal: UndoJournal) -> Plan? {
    guard let target = counterpart(name) else {
      kept.append(name)
      return nil
    }
    guard returned[name] == nil, let left = journal.left?[name] else {
      return Plan(name: name, target: target)
    }
    let place = CellText.name(of: target.objectID)
    let keys = left.untouchedAttributes(LeftValues(target))
    kept += left.attributeKeys.subtracting(keys).sorted().map { "\(place) \($0)" }
    var plan = Plan(name: name, target: target, keys: keys, relationships: [:])
    for (key, names) in left.relationships {
      guard let relationship = target.entity.relationshipsByName[key] else { continue }
      let inverse = relationship.inverseRelationship
      // The members of a one-to-many relationship are restored by their own to-one ends.
      if relationship.isToMany, inverse?.isToMany == false, inverse?.isTransient == false {
        continue
      }
      let (after, now) = (names.compactMap(counterpart), members(of: relationship, target))
      if !relationship.isToMany, Set(after) != Set(now) {
        kept.append("\(place) \(key)")
      } else {
        plan.relationships?[key] = Plan.Members(after: after, now: now)
      }
    }
    return plan
  }

  private mutating func restore(_ source: NSManagedObject, plan: Plan) throws {
    let (target, keys) = (plan.target, plan.keys)
    for property in source.entity.properties where !property.isTransient {
      switch property {
      case is NSDerivedAttributeDescription, is NSFetchedPropertyDescription: continue
      case let relationship as NSRelationshipDescription:
        let names = members(of: relationship, source).map { CellText.name(of: $0.objectID) }
        restore(relationship, names: names, plan: plan)
      case let composite as NSCompositeAttributeDescription:
        for path in composite.valuePaths where keys?.contains(path) ?? true {
          let value = source.value(forKeyPath: path)
          if !Self.areEqual(value, target.value(forKeyPath: path)) {
            target.setValue(value, forKeyPath: path)
          }
        }
      default:
        guard keys?.contains(property.name) ?? true else { continue }
        let value = source.value(forKey: property.name)
        if !Self.areEqual(value, target.value(forKey: property.name)) {
          target.setValue(value, forKey: property.name)
        }
      }
    }
  }

  private mutating func restore(_ source: ExchangedObject, plan: Plan) throws {
    let (target, keys) = (plan.target, plan.keys)
    let now = ExchangedObject(target)
    for key in Set(source.attributes.keys).union(now.attributes.keys)
    where source.attributes[key] != now.attributes[key] && keys?.contains(key) ?? true {
      let text = source.attributes[key]
      let assignment = text.map { Assignment(setting: key, to: $0) } ?? Assignment(clearing: key)
      try assignment.apply(to: target, in: store)
    }
    for relationship in target.entity.relationshipsByName.values where !relationship.isTransient {
      restore(relationship, names: source.relationships[relationship.name] ?? [], plan: plan)
    }
  }

  private mutating func restore(
    _ relationship: NSRelationshipDescription, names: [String], plan: Plan
  ) {
    let target = plan.target
    var members = names.compactMap(counterpart)
    let now = self.members(of: relationship, target)
    if let relationships = plan.relationships {
      guard let met = relationships[relationship.name] else {
        if relationship.isOrdered { orders.append((target, relationship, members)) }
        return
      }
      members = Self.put(members, in: met)
    } else if let inverse = relationship.inverseRelationship, !inverse.isToMany,
      !inverse.isTransient
    {
      if relationship.isOrdered { orders.append((target, relationship, members)) }
      // Existing members keep their own to-one ends, which others may have changed. In files of
      // Apple's applications a one-to-one relationship may be stored at this end alone.
      members = members.filter {
        isReturned($0) || !relationship.isToMany && $0.value(forKey: inverse.name) == nil
      }
      if relationship.isToMany || members.isEmpty { return }
    }
    guard members != now else { return }
    if !relationship.isToMany {
      target.setValue(members.first, forKey: relationship.name)
    } else if relationship.isOrdered {
      target.setValue(NSOrderedSet(array: members), forKey: relationship.name)
    } else if Set(members) != Set(now) {
      target.setValue(NSSet(array: members), forKey: relationship.name)
    }
  }

  private func isReturned(_ object: NSManagedObject) -> Bool {
    returned.values.contains { $0 === object }
  }

  /// Merges the former members with later changes: removes members that the save added, reinserts
  /// those that it removed at their former positions, and keeps the order that others have made.
  private static func put(
    _ former: [NSManagedObject], in met: Plan.Members
  ) -> [NSManagedObject] {
    if met.after == met.now { return former }
    let gone = Set(met.after).subtracting(former)
    var members = met.now.filter { !gone.contains($0) }
    for (index, member) in former.enumerated()
    where !met.after.contains(member) && !members.contains(member) {
      let before = former[..<index].last(where: members.contains)
      let place = before.flatMap(members.firstIndex).map { $0 + 1 } ?? 0
      members.insert(member, at: place)
    }
    return members
  }

  private func members(
    of relationship: NSRelationshipDescription, _ object: NSManagedObject
  ) -> [NSManagedObject] {
    let name = relationship.name
    let members: [Any] =
      !relationship.isToMany
      ? [object.value(forKey: name)].compactMap { $0 }
      : relationship.isOrdered
        ? object.mutableOrderedSetValue(forKey: name).array
        : object.mutableSetValue(forKey: name).allObjects
    return members.compactMap { $0 as? NSManagedObject }
  }

  private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left as AnyHashable, let right as AnyHashable): left == right
    default: false
    }
  }

  private func counterpart(_ name: String) -> NSManagedObject? {
    // The object may have been deleted by others.
    returned[name] ?? (try? store.object(renamed[name] ?? name, in: context))
  }
}
