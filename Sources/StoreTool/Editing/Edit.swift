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
  /// Which objects; nil for all.
  package var condition: String?
  /// One object, `Entity/p7`, in place of a condition.
  package var object: String?
  package var assignments: [Assignment] = []
  package var isDryRun = false
  package var makesBackup = true

  package init(_ action: Action, entity: String) {
    self.action = action
    self.entity = entity
  }

  /// Throws what validation finds, and what the values are not; then nothing has changed.
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
        throw ToolError(.usage, "\(entity) is abstract: insert an object of a subentity.")
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
        ? ToolError(.usage, told.description) : told
    }
  }
}

/// What a save changed, or would change.
package struct EditReport: Codable, Sendable {
  package struct Change: Codable, Sendable {
    package let object: String
    package let kind: String
    /// By property: what was, and what is now.
    package let values: [String: [String?]]
  }

  package let isSaved: Bool
  package let backup: String?
  package let changes: [Change]
  /// What an undo has left alone: `Book/p7 title`, or `Book/p7` where the whole object stays.
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
