import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Moving, copying and destroying stores, external data included.
@Suite struct StoreMovingTests {
  private let large = ExternalDataFixture.bytes(300_000)

  /// Two albums, three pictures, one of them with a file.
  private func makeAlbums() throws -> ExternalDataFixture {
    let fixture = try ExternalDataFixture()
    try fixture.perform { context in
      for title in ["First", "Second"] {
        let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
        album.setValue(title, forKey: "title")
        let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
        picture.setValue("\(title) picture", forKey: "name")
        picture.setValue(album, forKey: "album")
        picture.setValue(title == "First" ? large : Data([1, 2]), forKey: "bytes")
      }
      try context.save()
    }
    return fixture
  }

  private func contents(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      return try context.fetch(request).map { picture in
        let name = picture.value(forKey: "name") as? String ?? ""
        let album = picture.value(forKeyPath: "album.title") as? String ?? ""
        return "\(name) \(album) \((picture.value(forKey: "bytes") as? Data)?.hashValue ?? 0)"
      }.sorted()
    }
  }

  @Test(arguments: Sample.of(types))
  func aMovedStoreHasEverythingUnderNewIDs(_ type: String) throws {
    let fixture = try makeAlbums()
    let before = try contents(fixture.coordinator)
    let old = try #require(fixture.coordinator.persistentStores.first)
    fixture.coordinator.setMetadata(["mine": 7], for: old)
    let url = fixture.folder.appendingPathComponent("Moved.sqlite")
    let new = try fixture.coordinator.migratePersistentStore(
      old, to: url, options: nil, withType: type)
    #expect(fixture.coordinator.persistentStores.map { $0 === new } == [true])
    #expect(new.type == type && new.identifier != old.identifier)
    #expect(try contents(fixture.coordinator) == before)
    #expect(fixture.coordinator.metadata(for: new)["mine"] as? Int == 7)
    #expect(try ExternalDataFixture(in: fixture.folder).storedBytes("First picture") == large)
    guard type == NSSQLiteStoreType else { return }
    let folder = fixture.folder.appendingPathComponent(".Moved_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    try fixture.coordinator.remove(new)
    let result = try StoreChecker.checkRows(url)
    #expect(result.status == 0, "\(result.text)")
  }

  private static let types = [
    NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType,
  ]

  @Test(arguments: Sample.of(types, types))
  func everyKindOfRelationshipMovesAlong(_ type: String, _ newType: String) throws {
    let folder = try StoreFixture.makeFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModels.everything())
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: folder.appendingPathComponent("Old"))
    var graph = RandomGraph(seed: 11)
    _ = try graph.fill(coordinator)
    let saved = try RandomGraph.contents(coordinator, byRank: true).sorted()
    let url = folder.appendingPathComponent("Moved")
    try coordinator.migratePersistentStore(store, to: url, options: nil, withType: newType)
    #expect(try RandomGraph.contents(coordinator, byRank: true).sorted() == saved)
    guard newType != NSInMemoryStoreType else { return }
    let again = NSPersistentStoreCoordinator(managedObjectModel: TestModels.everything())
    try again.addPersistentStore(ofType: newType, configurationName: nil, at: url)
    #expect(try RandomGraph.contents(again, byRank: true).sorted() == saved)
  }

  /// Sendable: set by the notification, which is posted on the thread that then reads it.
  private final class Noted: @unchecked Sendable {
    var all: [Any] = []
  }

  @Test func theNoteOfAMoveHasBothStoresAndTheOldAndNewIDsInPairs() throws {
    let fixture = try makeAlbums()
    let old = try #require(fixture.coordinator.persistentStores.first)
    let changed = Noted()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: fixture.coordinator, queue: nil
    ) { note in
      if let all = note.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any] { changed.all = all }
    }
    let url = fixture.folder.appendingPathComponent("Moved.sqlite")
    let new = try fixture.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
    NotificationCenter.default.removeObserver(observer)
    let all = changed.all
    try #require(all.count == 3)
    #expect(all[0] as? NSPersistentStore === old)
    #expect(all[1] as? NSPersistentStore === new)
    let identities = try #require(all[2] as? [NSManagedObjectID])
    // Two albums and two pictures.
    #expect(identities.count == 8)
    for (index, identity) in identities.enumerated() {
      #expect(identity.uriRepresentation().host == (index % 2 == 0 ? old : new).identifier)
      #expect(identity.entity.name == identities[index / 2 * 2].entity.name)
    }
    let context = fixture.coordinator.makeContext()
    context.performAndWait {
      for index in stride(from: 1, to: 8, by: 2) {
        #expect((try? context.existingObject(with: identities[index])) != nil)
      }
    }
  }

  @Test func theNotificationsComeInTheKnownOrder() throws {
    let fixture = try makeAlbums()
    let old = try #require(fixture.coordinator.persistentStores.first)
    let notes = NoteList()
    let names: [NSNotification.Name] = [
      .NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorWillRemoveStore,
      .NSPersistentStoreCoordinatorStoresWillChange,
    ]
    let kinds = ["did", "will", "change"]
    let observers = zip(names, kinds).map { name, kind in
      NotificationCenter.default.addObserver(
        forName: name, object: nil, queue: nil
      ) { [coordinator = fixture.coordinator] note in
        // That a store is to be removed is told of the store itself, which may be new.
        let store = note.object as? NSPersistentStore
        guard store?.persistentStoreCoordinator ?? note.object as AnyObject === coordinator else {
          return
        }
        notes.add("\(kind) \(note.userInfo?.keys.map { "\($0)" }.first ?? "nothing")")
      }
    }
    let url = fixture.folder.appendingPathComponent("Moved.sqlite")
    try fixture.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
    observers.forEach(NotificationCenter.default.removeObserver)
    #expect(
      notes.all == [
        "did added", "will removed", "will removed", "did changed", "will removed", "did removed",
      ])
  }

  @Test func nothingIsOverwrittenByMoving() throws {
    let fixture = try makeAlbums()
    let url = fixture.folder.appendingPathComponent("Moved.sqlite")
    try Data([1]).write(to: url)
    let old = try #require(fixture.coordinator.persistentStores.first)
    let error = #expect(throws: NSError.self) {
      try fixture.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
    }
    #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
    #expect(try Data(contentsOf: url) == Data([1]))
    #expect(try contents(fixture.coordinator).count == 2)
  }

  // MARK: - Copies

  @Test func aBackupOfALiveStoreIsWhole() throws {
    let fixture = try makeAlbums()
    let finished = NoteList()
    let context = fixture.makeContext()
    let writing = Thread {
      context.performAndWait {
        for round in 0..<40 {
          let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
          let bytes = ExternalDataFixture.bytes(150_000, seed: UInt64(round))
          picture.setValue(bytes, forKey: "bytes")
          let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
          request.fetchLimit = 1
          // A store that cannot be saved shows in what is counted below.
          try? context.fetch(request).forEach(context.delete)
          try? context.save()
        }
      }
      finished.add("done")
    }
    writing.start()
    let other = NSPersistentStoreCoordinator(managedObjectModel: ExternalDataFixture.model())
    for round in 0..<10 {
      let url = try StoreFixture.makeFolder().appendingPathComponent("Backup \(round).sqlite")
      try other.replacePersistentStore(
        at: url, withPersistentStoreFrom: fixture.url, type: .sqlite)
      let result = try StoreChecker.checkRows(url)
      #expect(result.status == 0, "\(result.text)")
    }
    while finished.all.isEmpty { sched_yield() }
  }

  @Test func aCopyReplacesWhatWasThere() throws {
    let (one, other) = (try makeAlbums(), try makeAlbums())
    try other.insert("other", large)
    try other.close()
    try one.coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: one.url, type: .sqlite)
    let again = try ExternalDataFixture(in: other.folder)
    #expect(try contents(again.coordinator) == contents(one.coordinator))
    try again.expectConsistentFiles(1)
    let names = [one, again].map { $0.coordinator.persistentStores.first?.identifier }
    #expect(names[0] == names[1])
  }

  @Test func withoutASourceNothingIsReplaced() throws {
    let fixture = try makeAlbums()
    try fixture.close()
    let nowhere = fixture.folder.appendingPathComponent("Nowhere.sqlite")
    try fixture.coordinator.replacePersistentStore(
      at: fixture.url, withPersistentStoreFrom: nowhere, type: .sqlite)
    #expect(try contents(ExternalDataFixture(in: fixture.folder).coordinator).count == 2)
  }

  /// A container's own store is replaced by a backup while it is open, as it can be destroyed.
  @Test(
    arguments: Sample.of(StoreKind.all.filter(\.isDurable).filter { !$0.isClients }, [false, true]))
  func anOpenStoreIsReplacedByABackup(_ kind: StoreKind, addsAgain: Bool) throws {
    let folder = try StoreFixture.makeFolder()
    let url = try #require(try kind.url(folder.appendingPathComponent("Store.sqlite")))
    let backup = try #require(try kind.url(folder.appendingPathComponent("Backup.sqlite")))
    let type = NSPersistentStore.StoreType(rawValue: kind.rawValue)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    let options = [NSMigratePersistentStoresAutomaticallyOption: true]
    let store = try coordinator.addPersistentStore(type: type, at: url, options: options)
    let context = coordinator.makeContext()
    try context.performAndWait {
      let item = context.makeItem("backed up")
      try context.save()
      try coordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: url, type: type)
      item.title = "lost"
      context.makeItem("lost too")
      try context.save()
      #expect(throws: (any Error).self) {
        try coordinator.replacePersistentStore(
          at: url, withPersistentStoreFrom: backup, type: .init(rawValue: "NoType"))
      }
      #expect(coordinator.persistentStores.count == 1)
      #expect(try context.titles() == ["lost", "lost too"])
      try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup, type: type)
      if addsAgain {
        let again = try coordinator.addPersistentStore(type: type, at: url, options: options)
        #expect(again === coordinator.persistentStores.first)
        #expect(throws: (any Error).self) {
          try coordinator.addPersistentStore(type: type, at: url, options: options)
        }
      }
      context.reset()
      #expect(try context.titles() == ["backed up"])
      context.makeItem("new")
      try context.save()
      #expect(try context.titles() == ["backed up", "new"])
    }
    let now = try #require(coordinator.persistentStores.first)
    #expect(coordinator.persistentStores.count == 1 && now.identifier == store.identifier)
    #expect(now.options?[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true)
  }

  @Test func anOpenStoreInMemoryIsNotReplaced() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    let url = try #require(URL(string: "memory://kept"))
    try coordinator.addPersistentStore(type: .inMemory, at: url)
    #expect(throws: (any Error).self) {
      try coordinator.replacePersistentStore(
        at: url, withPersistentStoreFrom: URL(fileURLWithPath: "/nowhere"), type: .inMemory)
    }
    #expect(coordinator.persistentStores.count == 1)
  }

  // MARK: - Destroying

  @Test func aDestroyedStoreIsEmptyAndCanBeMadeAnew() throws {
    let fixture = try makeAlbums()
    let reader = try ExternalDataFixture(in: fixture.folder)
    try fixture.close()
    try fixture.coordinator.destroyPersistentStore(at: fixture.url, type: .sqlite)
    #expect(FileManager.default.fileExists(atPath: fixture.url.path))
    #expect(fixture.files.isEmpty)
    #expect(throws: NSError.self) { try contents(reader.coordinator) }
    try reader.close()
    #expect(try PlainSQL(url: fixture.url).rows("SELECT * FROM sqlite_master") == [])
    let again = try ExternalDataFixture(in: fixture.folder)
    #expect(try contents(again.coordinator) == [])
    #expect(try PlainSQL(url: fixture.url).rows("PRAGMA auto_vacuum") == ["2"])
    try again.insert("new", large)
    try again.close()
    #expect(try StoreChecker.checkRows(fixture.url).status == 0)
  }

  @Test func whatIsNoDatabaseIsDestroyedToo() throws {
    let fixture = try makeAlbums()
    try fixture.close()
    try Data("No database any more.".utf8).write(to: fixture.url)
    try fixture.coordinator.destroyPersistentStore(at: fixture.url, type: .sqlite)
    #expect(try Data(contentsOf: fixture.url).isEmpty)
    try fixture.coordinator.destroyPersistentStore(at: fixture.url, type: .sqlite)
  }

  @Test func whereNothingIsAnEmptyFileIsMade() throws {
    let fixture = try makeAlbums()
    let url = fixture.folder.appendingPathComponent("Nothing.sqlite")
    try fixture.coordinator.destroyPersistentStore(at: url, type: .sqlite)
    #expect(try Data(contentsOf: url).isEmpty)
    try fixture.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let nowhere = fixture.folder.appendingPathComponent("none/Nothing.sqlite")
    try fixture.coordinator.destroyPersistentStore(at: nowhere, type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: nowhere.path))
  }

  @Test func aLockedStoreIsDestroyedByForceOnly() throws {
    let fixture = try makeAlbums()
    try fixture.close()
    let holder = try SQLiteConnection(path: fixture.url.path, access: .readWrite, timeout: 1)
    try holder.execute("BEGIN IMMEDIATE")
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.05]
    let error = #expect(throws: NSError.self) {
      try fixture.coordinator.destroyPersistentStore(
        at: fixture.url, type: .sqlite, options: options)
    }
    #expect(error?.code == NSPersistentStoreTimeoutError)
    #expect(fixture.files.count == 1)
    options[NSPersistentStoreForceDestroyOption] = true
    try fixture.coordinator.destroyPersistentStore(
      at: fixture.url, type: .sqlite, options: options)
    #expect(try Data(contentsOf: fixture.url).isEmpty)
  }

  // MARK: - Upkeep

  @Test func deletingMuchMakesTheFileSmaller() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    let text = String(repeating: "x", count: 4000)
    try fixture.insert("Item", (0..<1000).map { ["title": .text("\($0) \(text)")] })
    let pages = { try Int(PlainSQL(url: fixture.url).rows("PRAGMA page_count")[0]) ?? 0 }
    let before = try pages()
    let context = fixture.coordinator.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    #expect(try pages() < before / 4)
    #expect(try PlainSQL(url: fixture.url).rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func vacuumAndAnalysisAreDoneWhenAskedFor() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    try fixture.insert("Item", (0..<300).map { ["title": .text("\($0)"), "order": .integer($0)] })
    try fixture.close()
    let plain = PlainSQL(url: fixture.url)
    try plain.execute("CREATE TABLE Z_WASTE (a)")
    try plain.execute("INSERT INTO Z_WASTE SELECT randomblob(100000) FROM ZITEM")
    try plain.execute("DROP TABLE Z_WASTE")
    let before = try Int(plain.rows("PRAGMA page_count")[0]) ?? 0
    let again = try StoreFixture(
      TestModels.nestedLists(), in: fixture.folder,
      options: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
    #expect(try Int(plain.rows("PRAGMA page_count")[0]) ?? 0 < before)
    #expect(try plain.rows("SELECT COUNT(*) > 0 FROM sqlite_stat1") == ["1"])
    #expect(try again.keys("Item").count == 300)
  }
}

/// Texts in the order in which any thread adds them.
private final class NoteList: @unchecked Sendable {
  // Sendable: `lock` guards the texts.
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
