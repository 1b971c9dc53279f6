import CoreData

/// Validates, makes a backup, saves, and writes the journal for ``Undo``.
enum Saving {
  static func save(
    _ context: NSManagedObjectContext, of store: OpenedStore, as title: String, isDryRun: Bool,
    makesBackup: Bool, resolvesConflicts: Bool = false
  ) throws -> EditReport {
    try validate(context)
    if isDryRun, !resolvesConflicts { try UniqueValues(context: context).check() }
    let changed = Array(context.updatedObjects.filter { !$0.changedValues().isEmpty })
    let changedKeys = changed.map { (object: $0, keys: Optional(Set($0.changedValues().keys))) }
    let (inserted, deleted) = (Array(context.insertedObjects), Array(context.deletedObjects))
    let before =
      changed.map { change($0, kind: "update") } + deleted.map { change($0, kind: "delete") }
    guard !isDryRun, !(inserted.isEmpty && changed.isEmpty && deleted.isEmpty) else {
      return EditReport(
        isSaved: false, backup: nil, changes: before + inserted.map { change($0, kind: "insert") })
    }
    var journal = UndoJournal(
      title: title, updated: changed.map { CellText.name(of: $0.objectID) },
      deleted: deleted.map { CellText.name(of: $0.objectID) })
    let backup = makesBackup ? try UndoJournal.makeBackup(of: store) : nil
    if makesBackup { try journal.keep(journal.updated + journal.deleted, of: store) }
    let written = WrittenObjects(context)
    do { try context.save() } catch {
      // No change was saved: the backup is not needed.
      if let backup { try? UndoJournal.remove(backup) }
      throw error
    }
    // With unique constraints, the merge policy may have merged an inserted object into an existing
    // one.
    let more = written.updated.filter { !changed.contains($0) }
    journal.inserted = written.inserted.map { CellText.name(of: $0.objectID) }
    journal.updated += more.map { CellText.name(of: $0.objectID) }
    if backup != nil {
      journal.noteLeft(
        inserted: written.inserted,
        updated: changedKeys.filter {
          $0.object.managedObjectContext != nil && !$0.object.isDeleted
        }
          + more.map { ($0, nil) })
    }
    if let backup { try journal.write(beside: backup) }
    let changes = inserted.isEmpty ? before : naming(before, of: changed)
    return EditReport(
      isSaved: true, backup: backup?.path,
      changes: changes + inserted.map { change($0, kind: "insert") })
  }

  /// The changes of updated objects with the names that the save has given to inserted ones.
  private static func naming(
    _ changes: [EditReport.Change], of objects: [NSManagedObject]
  ) -> [EditReport.Change] {
    let updates = zip(objects, changes).map { object, change in
      guard object.managedObjectContext != nil, !object.isDeleted else { return change }
      var named = change
      for (key, texts) in change.values {
        guard let relationship = object.entity.relationshipsByName[key] else { continue }
        named.values[key] = [texts[0], ObjectReport.text(object, property: relationship)]
      }
      return named
    }
    return updates + changes.dropFirst(updates.count)
  }

  /// Validates all changed objects as a save does. Throws one error with up to 20 messages.
  private static func validate(_ context: NSManagedObjectContext) throws {
    var errors: [any Error] = []
    func collect(_ check: () throws -> Void) {
      do { try check() } catch { errors.append(error) }
    }
    for object in context.insertedObjects { collect { try object.validateForInsert() } }
    for object in context.updatedObjects { collect { try object.validateForUpdate() } }
    for object in context.deletedObjects { collect { try object.validateForDelete() } }
    guard !errors.isEmpty else { return }
    let texts = Set(errors.map { ToolError($0).description }).sorted()
    throw ToolError(
      .badData,
      description:
        "Nothing was saved: \(errors.count == 1 ? "a value is" : "values are") not valid.\n"
        + texts.prefix(20).joined(separator: "\n"))
  }

  private static func change(_ object: NSManagedObject, kind: String) -> EditReport.Change {
    var values: [String: [String?]] = [:]
    if kind != "delete" {
      let keys =
        kind == "update"
        ? Array(object.changedValues().keys) : Array(object.entity.propertiesByName.keys)
      let old = kind == "update" ? object.committedValues(forKeys: keys) : [:]
      for key in keys {
        guard let property = object.entity.propertiesByName[key],
          !(property is NSFetchedPropertyDescription)
        else { continue }
        let new = ObjectReport.text(object, property: property)
        if kind == "insert", new == nil || new == "" { continue }
        values[key] = [former(old[key], property: property), new]
      }
    }
    return EditReport.Change(object: ObjectLabel.name(of: object), kind: kind, values: values)
  }

  private static func former(_ value: Any?, property: NSPropertyDescription) -> String? {
    switch value {
    case nil, is NSNull: nil
    case let object as NSManagedObject: ObjectLabel.name(of: object)
    case let set as NSSet:
      names(set.allObjects).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        .joined(separator: ",")
    case let set as NSOrderedSet: names(set.array).joined(separator: ",")
    case let value?: CellText.text(of: value, property)
    }
  }

  private static func names(_ members: [Any]) -> [String] {
    members.compactMap { ($0 as? NSManagedObject).map(ObjectLabel.name) }
  }
}

/// The objects that a save has actually written.
///
/// Sendable: written by the notification, which is posted synchronously on the thread that saves,
/// and read by that thread after the save.
private final class WrittenObjects: @unchecked Sendable {
  private(set) var inserted: [NSManagedObject] = []
  private(set) var updated: [NSManagedObject] = []
  private var observer: (any NSObjectProtocol)?

  init(_ context: NSManagedObjectContext) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { [weak self] notification in
      guard let self else { return }
      inserted += Self.objects(NSInsertedObjectsKey, notification: notification)
      updated += Self.objects(NSUpdatedObjectsKey, notification: notification)
    }
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  private static func objects(_ key: String, notification: Notification) -> [NSManagedObject] {
    Array(notification.userInfo?[key] as? Set<NSManagedObject> ?? [])
  }
}
