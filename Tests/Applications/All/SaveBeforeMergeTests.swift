import CoreData
import Foundation
import TestSupport
import Testing

@testable import ListApplication

/// A window that has changed what another process has saved, and has not saved it yet.
@MainActor @Suite struct SaveBeforeMergeTests {
  private static let model: NSManagedObjectModel = {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    let entity = NSEntityDescription()
    entity.name = "Row"
    entity.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  private static func coordinator(_ file: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ])
    return coordinator
  }

  /// Merged into it, the other's title would lie below this one, which the next save would write over it.
  @Test(arguments: [true, false]) func whatAnotherProcessHasSavedIsMet(sameRow: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("Rows.sqlite")
    let mine = try Self.coordinator(file)
    let window = WindowContext(mine, lock: StoreLock(mine, name: "Rows", timeout: 5))
    window.savesEachEvent = true
    let rows = ["one", "two"].map { title in
      let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: window)
      row.setValue(title, forKey: "title")
      return row
    }
    try window.save()
    let changes = RemoteChanges(mine)
    changes.add(window)

    let theirs = NSManagedObjectContext(.privateQueue)
    theirs.persistentStoreCoordinator = try Self.coordinator(file)
    rows[0].setValue("mine", forKey: "title")
    var merges = 0
    let observer = NotificationCenter.default.addObserver(
      forName: .contextDidFollowOthers, object: window, queue: nil
    ) { _ in MainActor.assumeIsolated { merges += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    try theirs.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
      request.predicate = NSPredicate(format: "title = %@", sameRow ? "one" : "two")
      try #require(theirs.fetch(request).first).setValue("theirs", forKey: "title")
      try theirs.save()
    }
    try await Patience.waiting(for: "the other's save") { merges > 0 }
    if sameRow {
      #expect(window.hasChanges)
      #expect { try window.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
      #expect(try Self.titles(file) == ["theirs", "two"])
      window.rollback()
      try await Patience.waiting(for: "what was held back") {
        rows[0].value(forKey: "title") as? String == "theirs"
      }
    } else {
      #expect(!window.hasChanges && rows[1].value(forKey: "title") as? String == "theirs")
      #expect(try Self.titles(file) == ["mine", "theirs"])
    }
  }

  private static func titles(_ file: URL) throws -> [String] {
    try SQLiteShell.query("SELECT ZTITLE FROM ZROW ORDER BY Z_PK", file)
  }
}
