import CoreData

/// A change of a store: one validated save, after a backup.
package struct Edit: Sendable {
  package enum Action: Sendable {
    case insert
    case set
    case delete
  }

  package var action: Action
  package var entity: String
  /// A predicate for the objects to change; nil for all of the entity.
  package var condition: String?
  /// One object, `Entity/p7`, instead of a condition.
  package var object: String?
  package var assignments: [Assignment] = []
  package var isDryRun = false
  package var makesBackup = true

  package init(_ action: Action, entity: String) {
    self.action = action
    self.entity = entity
  }

  /// Carries the change out. Throws for values that cannot be parsed or are invalid; nothing is
  /// changed then.
  package func run(in store: OpenedStore) throws -> EditReport {
    try store.withContext { context in
      for object in try objects(in: store, context) {
        if action == .delete {
          context.delete(object)
        } else {
          for assignment in assignments { try assignment.apply(to: object, in: store) }
        }
      }
      context.processPendingChanges()
      if action == .delete { try LooseEnds.cut(in: context, of: store.model) }
      return try Saving.save(
        context, of: store, as: "\(action) \(entity)", isDryRun: isDryRun, makesBackup: makesBackup)
    }
  }

  private func objects(
    in store: OpenedStore, _ context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let description = try store.entity(named: entity)
    if action == .insert {
      if description.isAbstract {
        throw ToolError(
          .usage, description: "\(entity) is abstract: insert an object of a subentity.")
      }
      return [NSManagedObject(entity: description, insertInto: context)]
    }
    if let object { return [try store.object(object, in: context)] }
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = description
    request.predicate = try condition.map(Condition(of: description).option)
    do { return try context.fetch(request) } catch {
      let told = ToolError(error)
      throw (error as NSError).code == CocoaError.Code.coreData.rawValue
        ? ToolError(.usage, description: told.description) : told
    }
  }
}

/// The changes of a save, or of a dry run.
package struct EditReport: Codable, Sendable {
  package struct Change: Codable, Sendable {
    /// `Book/p7`; `new Book “Emma”` where it is not saved.
    package let object: String
    package let kind: String
    /// The old and the new value of each changed property.
    package var values: [String: [String?]]
  }

  package let isSaved: Bool
  package let backup: String?
  package let changes: [Change]
  /// The changes that an undo has skipped because other processes have changed the values since:
  /// `Book/p7 title`, or `Book/p7` for a whole object.
  package var kept: [String]?

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let signs = ["insert": "+", "update": "~", "delete": "−"]
    var lines: [String] = changes.prefix(100).flatMap { change in
      ["\(signs[change.kind] ?? "?") \(change.object)"]
        + change.values.sorted { $0.key < $1.key }.map { key, values in
          let (old, new) = (Self.shown(values[0]), Self.shown(values[1]))
          return change.kind == "update" ? "    \(key): \(old) → \(new)" : "    \(key): \(new)"
        }
    }
    if changes.count > 100 { lines.append("… and \(changes.count - 100) more") }
    let count = changes.count == 1 ? "1 object" : "\(changes.count) objects"
    lines.append(
      isSaved
        ? "Saved \(count)."
        : changes.isEmpty ? "Nothing to change." : "Not saved: \(count) would change.")
    if let backup { lines.append("Backup: \(backup)") }
    if let kept, !kept.isEmpty {
      lines.append(
        "Others have changed since, and it stays as it is: \(kept.prefix(20).joined(separator: ", "))"
          + (kept.count > 20 ? " … and \(kept.count - 20) more" : ""))
    }
    return lines.map { CellText.visible($0) }.joined(separator: "\n")
  }

  private static func shown(_ value: String?) -> String { value ?? "nil" }
}
