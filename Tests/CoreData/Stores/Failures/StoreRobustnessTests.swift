import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a SQLite store answers where the file, its folder or another connection is in the way.
@Suite struct StoreRobustnessTests {
  private func open(_ url: URL, options: [AnyHashable: Any]? = nil) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModels.nestedLists())
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
  }

  private func failure(_ url: URL, options: [AnyHashable: Any]? = nil) throws -> NSError {
    try #require(#expect(throws: NSError.self) { try open(url, options: options) })
  }

  @Test func aFileOfAnotherFormatIsNamedAndLeftAsItIs() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Notes.txt")
    let text = Data("This is not a database.".utf8)
    try text.write(to: url)
    let error = try failure(url)
    #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
    #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 26, "SQLITE_NOTADB")
    let reason = try #require(error.userInfo["reason"] as? String)
    #expect(reason.contains(url.path))
    #expect(try Data(contentsOf: url) == text)
    let metadata = #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    }
    #expect(metadata?.userInfo[NSSQLiteErrorDomain] as? Int == 26)
  }

  /// Whatever its length: SQLite has such a file open already when it is refused.
  @Test(
    arguments: [1, 15, 16, 17, 19, 20, 99, 100, 4096, 20_000], ["", "-wal", "-shm", "-journal"])
  func aFileOfAnotherFormatStaysAsItIsWithAllBesideIt(_ length: Int, _ suffix: String) throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Photo.jpg")
    let (content, beside) = (Data(repeating: 2, count: length), Data("beside".utf8))
    try content.write(to: url)
    let neighbour = URL(fileURLWithPath: url.path + suffix)
    if !suffix.isEmpty { try beside.write(to: neighbour) }
    for options in [nil, [NSReadOnlyPersistentStoreOption: true]] as [[AnyHashable: Any]?] {
      let error = try failure(url, options: options)
      #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 26, "SQLITE_NOTADB")
    }
    #expect(try Data(contentsOf: url) == content)
    if !suffix.isEmpty { #expect(try Data(contentsOf: neighbour) == beside) }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(Set(names) == ["Photo.jpg", neighbour.lastPathComponent])
  }

  /// The signature alone is no database either, but SQLite says so.
  @Test func aSignatureWithoutADatabaseIsAnError() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
    let signature = Data("SQLite format 3\0".utf8)
    try signature.write(to: url)
    #expect(try failure(url).userInfo[NSSQLiteErrorDomain] as? Int == 26, "SQLITE_NOTADB")
    #expect(try Data(contentsOf: url) == signature)
  }

  @Test func anotherDatabaseIsLeftAsItIs() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Other.sqlite")
    let connection = try SQLiteConnection(path: url.path, access: .create, timeout: 1)
    try connection.execute("CREATE TABLE a (b)")
    let before = try Data(contentsOf: url)
    #expect(try failure(url).code == NSPersistentStoreInvalidTypeError)
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func aDamagedDatabaseIsAnError() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    try fixture.close()
    var data = try Data(contentsOf: fixture.url)
    data.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
    try data.write(to: fixture.url)
    let error = try failure(fixture.url)
    #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(error.userInfo[NSSQLiteErrorDomain] is Int)
  }

  @Test func aMissingFolderIsNamed() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("nowhere/Store.sqlite")
    let error = try failure(url)
    #expect(error.code == CocoaError.Code.fileWriteUnknown.rawValue)
    let reason = try #require(error.userInfo["reason"] as? String)
    #expect(reason.contains("nowhere"))
  }

  @Test func aFolderIsNoStore() throws {
    #expect(try failure(StoreFixture.makeFolder()).code == CocoaError.Code.fileReadUnknown.rawValue)
  }

  @Test func aStoreThatIsOpenedReadOnlyIsNotMade() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
    let error = try failure(url, options: [NSReadOnlyPersistentStoreOption: true])
    #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func aFolderThatMayNotBeWrittenIsNamed() throws {
    let folder = try StoreFixture.makeFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    let error = try failure(folder.appendingPathComponent("Store.sqlite"))
    #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
  }

  @Test func anotherModelIsRefusedWithTheMetadata() throws {
    let fixture = try StoreFixture(TestModels.everything())
    try fixture.close()
    let error = try failure(fixture.url)
    #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error.userInfo["metadata"] is [String: Any])
    #expect(error.userInfo["reason"] is String)
  }

  @Test func aLockedStoreIsATimeoutAndASaveCanBeRepeated() throws {
    let fixture = try StoreFixture(
      TestModels.nestedLists(), options: [NSPersistentStoreTimeoutOption: 0.05])
    let other = try SQLiteConnection(path: fixture.url.path, access: .readWrite, timeout: 1)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: NSError.self) { try fixture.insert("Item", [[:]]) }
    #expect(error?.code == NSPersistentStoreTimeoutError)
    try other.execute("ROLLBACK")
    #expect(try fixture.insert("Item", [[:]]).count == 1)
  }

  enum Loss: CaseIterable { case deleted, moved, replaced }

  /// What would be written into a file that nobody can open again.
  @Test(arguments: ["DELETE", "WAL"], Loss.allCases)
  func aFileThatIsGoneFromUnderItsStoreRefusesASave(_ journal: String, _ loss: Loss) throws {
    let fixture = try StoreFixture(
      TestModels.nestedLists(), options: [NSSQLitePragmasOption: ["journal_mode": journal]])
    try fixture.insert("Item", [[:]])
    let away = fixture.url.appendingPathExtension("away")
    let files = FileManager.default
    if loss == .deleted {
      try files.removeItem(at: fixture.url)
    } else {
      try files.moveItem(at: fixture.url, to: away)
      if loss == .replaced { try files.copyItem(at: away, to: fixture.url) }
    }
    let error = #expect(throws: NSError.self) { try fixture.insert("Item", [[:]]) }
    #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
    #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 1032, "SQLITE_READONLY_DBMOVED")
    let reason = try #require(error?.userInfo["reason"] as? String)
    #expect(reason.contains("deleted, moved or replaced while the store was open"))
    guard loss != .deleted else { return }
    if loss == .replaced { try files.removeItem(at: fixture.url) }
    try files.moveItem(at: away, to: fixture.url)
    #expect(try fixture.insert("Item", [[:]]).count == 1)
  }

  @Test func aPragmaThatIsNoWordIsRefused() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
    let error = try failure(
      url, options: [NSSQLitePragmasOption: ["cache_size": "1; DROP TABLE ZITEM"]])
    #expect(error.code == NSPersistentStoreOpenError)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func pragmasReplaceTheOwnOnes() throws {
    let fixture = try StoreFixture(
      TestModels.nestedLists(),
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE", "page_size": "8192"]])
    let plain = PlainSQL(url: fixture.url)
    #expect(try plain.rows("PRAGMA journal_mode") == ["delete"])
    #expect(try plain.rows("PRAGMA page_size") == ["8192"])
    #expect(try fixture.insert("Item", [[:]]).count == 1)
  }

  @Test func aSaveIsSynchronisedWithTheDisk() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    try fixture.insert("Item", [[:]])
    let store = try #require(fixture.store as? SQLiteStore)
    // 2 is FULL.
    #expect(try store.contents.database.write { try $0.integer("PRAGMA synchronous") } == 2)
  }

  @Test func storesInMemoryAreApartUnlessTheyHaveAName() throws {
    let model = TestModels.nestedLists()
    func add(_ path: String) throws -> (NSPersistentStoreCoordinator, any RowStore) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let url = URL(fileURLWithPath: path)
      let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
      return (coordinator, try #require(store as? any RowStore))
    }
    let layout = try #require(model.entitiesByName["Item"]).layout
    func count(_ path: String) throws -> [Int] {
      let (one, other) = (try add(path), try add(path))
      var changes = StoreChanges()
      let key = try one.1.reserveKeys(1, for: layout)
      changes.inserted = [Row.empty(one.1.identities.identity(layout, key: key))]
      try one.1.save(changes)
      let plan = FetchPlan(layout: layout)
      return [try one.1.count(plan), try other.1.count(plan)]
    }
    #expect(try count("/dev/null") == [1, 0])
    #expect(try count("/dev/null/\(UUID().uuidString)") == [1, 1])
  }

  @Test func twoStoresOnOneFileSeeEachOthersSavesAndConflicts() throws {
    let one = try StoreFixture(TestModels.nestedLists())
    let other = try StoreFixture(TestModels.nestedLists(), in: one.folder)
    let identity = try one.insert("Item", [["title": .text("first")]])[0]
    let theirs = try #require(
      try other.store.row(of: other.store.identities.identity(other.layout("Item"), key: 1)))
    let mine = try #require(try one.store.row(of: identity))
    try one.update(mine, ["title": .text("mine")])
    let conflicts = #expect(throws: SaveConflicts.self) {
      try other.update(theirs, ["title": .text("theirs")])
    }
    let stored = try #require(conflicts?.conflicts.first?.stored)
    #expect(stored.version == 2)
    #expect(try other.value(stored, "title") == .text("mine"))
    #expect(try other.store.reserveKeys(1, for: other.layout("Item")) == 2)
    #expect(try one.store.reserveKeys(2, for: one.layout("Item")) == 3)
    #expect(try PlainSQL(url: one.url).rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func aReplacedStoreHasTheRowsOfTheOther() throws {
    let one = try StoreFixture(TestModels.nestedLists())
    try one.insert("Item", [["title": .text("kept")]])
    let other = try StoreFixture(TestModels.nestedLists())
    try other.close()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModels.nestedLists())
    try coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: one.url, ofType: NSSQLiteStoreType)
    #expect(try PlainSQL(url: other.url).rows("SELECT ZTITLE FROM ZITEM") == ["kept"])
  }

  @Test func aFileThatWasNeverFilledIsMadeAStore() throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent("Store.sqlite")
    let connection = try SQLiteConnection(path: url.path, access: .create, timeout: 1)
    try connection.execute("PRAGMA journal_mode = WAL")
    let fixture = try StoreFixture(TestModels.nestedLists(), in: folder)
    #expect(try fixture.insert("Item", [[:]]).count == 1)
    let empty = try StoreFixture.makeFolder()
    try Data().write(to: empty.appendingPathComponent("Store.sqlite"))
    #expect(try StoreFixture(TestModels.nestedLists(), in: empty).keys("Item") == [])
  }

  @Test func sparsePositionsMoveAsFewMembersAsPossible() {
    let positions = SparsePositions(step: 1024)
    #expect(positions.positions(of: [nil, nil, nil]) == [2048, 3072, 4096])
    #expect(positions.positions(of: [2048, nil, 3072]) == [2048, 2560, 3072])
    #expect(positions.positions(of: [4096, 2048, 3072]) == [1536, 2048, 3072])
    #expect(positions.positions(of: [1, nil, 2]) == [2048, 3072, 4096])
    #expect(positions.positions(of: []) == [])
  }
}
