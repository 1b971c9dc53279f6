import CoreData

/// The saves of one sitting: a backup before the first, and one journal for all of them, so that
/// ``Undo`` reverts the whole sitting.
///
/// Not thread-safe.
package final class EditSession {
  private let store: OpenedStore
  private let makesBackup: Bool
  private var journal: UndoJournal
  /// The backup; nil until something was saved.
  package private(set) var backup: URL?

  package init(_ store: OpenedStore, title: String, makesBackup: Bool) {
    self.store = store
    self.makesBackup = makesBackup
    journal = UndoJournal(title: title, updated: [], deleted: [])
  }

  /// Saves the context if it has changes.
  package func save(_ context: NSManagedObjectContext) throws {
    context.processPendingChanges()
    guard context.hasChanges else { return }
    let inserted = Array(context.insertedObjects)
    let updated = context.updatedObjects.map {
      (object: $0, keys: Optional(Set($0.changedValues().keys)))
    }
    .filter { $0.keys?.isEmpty == false }
    // Objects that other processes have deleted are not part of this sitting.
    let deleted = context.deletedObjects.filter { !$0.isGone }.map(Self.name)
    guard !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) else {
      return try context.save()
    }
    let made = makesBackup && backup == nil ? try UndoJournal.makeBackup(of: store) : nil
    if makesBackup { try journal.keep(updated.map { Self.name($0.object) } + deleted, of: store) }
    do { try context.save() } catch {
      // No change was saved: the backup is not needed.
      if let made { try? UndoJournal.remove(made) }
      throw error
    }
    backup = backup ?? made
    note(inserted.map(Self.name), updated: updated.map { Self.name($0.object) }, deleted: deleted)
    guard let backup else { return }
    journal.noteLeft(inserted: inserted, updated: updated)
    try journal.write(beside: backup)
  }

  private static func name(_ object: NSManagedObject) -> String {
    CellText.name(of: object.objectID)
  }

  /// Adds a save to the journal. An object that was inserted and deleted within the sitting is
  /// dropped from it.
  private func note(_ inserted: [String], updated: [String], deleted: [String]) {
    let new = Set(journal.inserted)
    // An undo within the sitting re-inserts a deleted object under its old key.
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
