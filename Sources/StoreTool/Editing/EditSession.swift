import CoreData

/// The saves of one sitting: a backup before the first, and one note of all of them for ``Undo``, which takes the
/// whole sitting back.
///
/// Used by one thread.
package final class EditSession {
  private let store: OpenedStore
  private let makesBackup: Bool
  private var journal: UndoJournal
  /// Nil as long as nothing was saved.
  package private(set) var backup: URL?

  package init(_ store: OpenedStore, title: String, makesBackup: Bool) {
    self.store = store
    self.makesBackup = makesBackup
    journal = UndoJournal(title: title, updated: [], deleted: [])
  }

  /// Saves the context, if there is anything to save.
  package func save(_ context: NSManagedObjectContext) throws {
    context.processPendingChanges()
    guard context.hasChanges else { return }
    let inserted = Array(context.insertedObjects)
    let updated = context.updatedObjects.map {
      (object: $0, keys: Optional(Set($0.changedValues().keys)))
    }
    .filter { $0.keys?.isEmpty == false }
    // What others have deleted is no change of this sitting.
    let deleted = context.deletedObjects.filter { !$0.isGone }.map(Self.name)
    guard !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) else {
      return try context.save()
    }
    let made = makesBackup && backup == nil ? try UndoJournal.makeBackup(of: store) : nil
    if makesBackup { try journal.keep(updated.map { Self.name($0.object) } + deleted, of: store) }
    do { try context.save() } catch {
      // A backup of what has not changed is of no use.
      if let made { try? UndoJournal.remove(made) }
      throw error
    }
    backup = backup ?? made
    note(inserted.map(Self.name), updated.map { Self.name($0.object) }, deleted)
    guard let backup else { return }
    journal.noteLeft(inserted: inserted, updated: updated)
    try journal.write(beside: backup)
  }

  private static func name(_ object: NSManagedObject) -> String {
    CellText.name(of: object.objectID)
  }

  /// What came and went within the sitting leaves nothing to take back.
  private func note(_ inserted: [String], _ updated: [String], _ deleted: [String]) {
    let new = Set(journal.inserted)
    // An undo brings back what was there before the sitting, under its key.
    let back = Set(journal.deleted).intersection(inserted)
    journal.deleted.removeAll(where: back.contains)
    journal.inserted =
      journal.inserted.filter { !deleted.contains($0) } + inserted.filter { !back.contains($0) }
    journal.updated += back.sorted()
    journal.deleted += deleted.filter { !new.contains($0) }
    journal.updated = journal.updated.filter { !deleted.contains($0) }
    let known = Set(journal.updated)
    journal.updated += updated.filter { !new.contains($0) && !known.contains($0) }
  }
}
