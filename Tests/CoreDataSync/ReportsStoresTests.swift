import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What users reported of stores, contexts and requests.
@Suite struct ReportsStoresTests {
  /// https://moneymasterapp.wordpress.com/2019/09/17/core-data-cloudkit-syncing-existing-data/: what
  /// was there before the store's history was turned on.
  @Test func whatIsOlderThanTheHistoryIsSent() async throws {
    let two = try await Two()
    try two.a.coordinator.removeStores()
    let url = two.a.folder.appendingPathComponent("store.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    let plain = NSPersistentStoreCoordinator(managedObjectModel: HistoriesModel.full)
    let store = try plain.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = plain.makeContext()
    try context.performAndWait {
      let tag = context.insert("Tag", ["name": "t"])
      context.insert("Note", ["title": "old", "tags": [tag] as Set])
      try context.save()
    }
    try plain.remove(store)
    try await two.a.restart()
    try two.a.edit { $0.insert("Note", ["title": "new"]) }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["new", "old"])
      #expect(try phone.read { try $0.find("Tag", "name", "t").names("notes", "title") } == ["old"])
    }
  }

  /// https://developer.apple.com/forums/thread/764080: sync is off for a while, and the
  /// application deletes the history.
  @Test func whatWasDoneWhileSyncWasOffIsSentThoughTheHistoryIsDeleted() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      context.insert("Note", ["title": "new"])
      try context.find("Note", "title", "n").setValue("edited", forKey: "title")
      try context.delete(context.find("Note", "title", "m"))
    }
    try two.a.coordinator.purgeHistory()
    try two.b.edit { $0.insert("Note", ["title": "of b"]) }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["edited", "new", "of b"])
    }
  }

  /// https://github.com/paulw11/Seam3/issues/33, https://github.com/paulw11/Seam3/issues/40: a
  /// request deletes objects with children, pairs and places.
  @Test(arguments: Sample.of(["Folder", "Note", "Tag", "Line"]))
  func whatRequestsDeleteIsGoneEverywhere(_ entity: String) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let note = try context.find("Note", "title", "n")
      context.insert("Line", ["text": "l", "note": note])
      context.insert("Tag", ["name": "t", "notes": [note] as Set])
    }
    try await two.settle()
    try two.a.edit { context in
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    try await two.settle()
    for name in ["Account", "Folder", "Note", "Cover", "Line", "Tag"] {
      #expect(try two.a.count(name) == two.b.count(name), "\(name)")
    }
    #expect(try two.b.count(entity) == 0)
    #expect(two.a.engine.status.toSend == 0)
    let third = try Phone(two.cloud)
    try await third.sync()
    for name in ["Account", "Folder", "Note", "Cover", "Line", "Tag"] {
      #expect(try third.count(name) == two.a.count(name), "\(name)")
    }
  }

  /// https://github.com/mentrena/SyncKit/issues/94: what is taken back after it was sent.
  @Test(arguments: [false, true])
  func whatIsUndoneAfterSyncIsUndoneEverywhere(isDeletion: Bool) async throws {
    let two = try await Two.withNotes()
    let context = two.a.coordinator.makeContext()
    context.undoManager = UndoManager()
    func save(_ body: () throws -> Void) throws {
      two.cloud.now += 10_000
      try context.performAndWait {
        try body()
        context.processPendingChanges()
        try context.save()
      }
    }
    try save {
      if isDeletion {
        context.delete(try context.find("Note", "title", "n"))
      } else {
        let folder = try context.find("Folder", "title", "X")
        context.insert("Note", ["title": "new", "folder": folder])
      }
    }
    try await two.settle()
    #expect(try two.b.row() == (isDeletion ? [] : ["n", "new"]))
    try save { context.undo() }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.row() == ["n"]) }
    #expect(try two.a.values("Note", "hi") == two.b.values("Note", "hi"))
    try save { context.redo() }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.row() == (isDeletion ? [] : ["n", "new"])) }
  }

  /// https://github.com/deeje/CloudCore/issues/10: a child's changes are saved by its parent.
  @Test func whatChildContextsSaveIsSent() async throws {
    let two = try await Two.withNotes()
    let parent = two.a.coordinator.makeContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      let folder = try child.find("Folder", "title", "X")
      child.insert("Note", ["title": "new", "folder": folder])
      try child.find("Note", "title", "n").setValue("edited", forKey: "title")
      child.delete(try child.find("Note", "title", "m"))
      try child.save()
    }
    try await two.settle()
    #expect(try two.b.values("Note", "title") == ["m", "n"], "not in the store yet")
    two.cloud.now += 10_000
    try parent.performAndWait { try parent.save() }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.row() == ["edited", "new"]) }
  }

  /// https://3nsofts.com/insights/cloudkit-conflict-resolution-nspersistentcloudkitcontainer: an
  /// editor is open while something comes.
  @Test(arguments: [false, true])
  func whatIsTypedWhileSomethingComesIsKept(isSame: Bool) async throws {
    let two = try await Two.withNotes()
    let editor = two.b.coordinator.makeContext()
    editor.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let note = try editor.performAndWait {
      let note = try editor.find("Note", "title", "n")
      note.setValue(4, forKey: "lo")
      return note
    }
    try two.a.edit { context in
      let note = try context.find("Note", "title", "n")
      note.setValue("of a", forKey: "title")
      if isSame { note.setValue(3, forKey: "lo") }
    }
    try await two.settle()
    two.cloud.now += 10_000
    try editor.performAndWait {
      #expect(note.value(forKey: "lo") as? Int == 4)
      try editor.save()
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["m", "of a"])
      #expect(try phone.values("Note", "lo") == ["1", "4"])
    }
  }

  /// https://github.com/drewmccormack/ensembles/issues/88: many contexts save while sync is at it.
  @Test func manyContextsSaveWhileSyncIsAtIt() async throws {
    let two = try await Two.withNotes()
    let (a, b) = (two.a, two.b)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, phone) in [a, a, b, b].enumerated() {
        group.addTask {
          for number in 0..<20 {
            let context = phone.coordinator.makeContext()
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try await context.perform {
              let folder = try context.find("Folder", "title", "Y")
              context.insert("Note", ["title": "\(index) \(number)", "folder": folder])
              try context.save()
            }
          }
        }
      }
      for phone in [a, b] {
        group.addTask { for _ in 0..<10 { try await phone.sync() } }
      }
      try await group.waitForAll()
    }
    try await two.settle()
    #expect(try a.row("Y").count == 81)
    #expect(try a.row("Y") == b.row("Y"))
    #expect(Set(try a.row("Y")).count == 81)
  }

  /// https://github.com/mentrena/SyncKit/issues/18, https://github.com/mentrena/SyncKit/issues/11:
  /// an application is deleted from one device and installed again.
  @Test func anApplicationThatIsInstalledAgainGetsEverythingOnce() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { context in
      let folder = try context.find("Folder", "title", "X")
      for title in ["o", "p"] { context.insert("Note", ["title": title, "folder": folder]) }
    }
    try await two.settle()
    try two.a.edit { try $0.delete($0.find("Note", "title", "o")) }
    try await two.a.sync()
    try await two.a.engine.close()
    let again = try Phone(two.cloud)
    again.pageLimit = 2
    for phone in [again, two.b, again, two.b] { try await phone.sync() }
    for phone in [again, two.b] {
      #expect(try phone.row() == ["n", "p"])
      #expect(try phone.values("Account", "name") == ["a"])
    }
  }

  /// https://github.com/insidegui/WWDC/issues/535: everything is marked at once.
  @Test func thousandsThatAreEditedAtOnceArrive() async throws {
    let two = try await Two()
    try two.a.edit { context in
      for number in 0..<2_000 { context.insert("Note", ["title": "\(number)", "lo": 0]) }
    }
    try await two.settle()
    try two.b.edit { context in
      for (index, note) in try context.all("Note").enumerated() {
        if index % 3 == 0 { context.delete(note) } else { note.setValue(1, forKey: "lo") }
      }
    }
    try await two.settle()
    #expect(try two.a.values("Note", "lo") == two.b.values("Note", "lo"))
    #expect(Set(try two.a.values("Note", "lo")) == ["1"])
    #expect(try two.a.values("Note", "title") == two.b.values("Note", "title"))
  }
}
