import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Files that somebody has damaged, or made to do harm: errors with Apple's codes, in bounded memory.
@Suite struct StoreDamageTests {
  private static let corrupt = CocoaError.Code.fileReadCorruptFile.rawValue

  private func makeStore(_ count: Int = 200) throws -> StoreFixture {
    let fixture = try StoreFixture(
      TestModels.nestedLists(), options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    try fixture.insert(
      "Item", (0..<count).map { ["title": .text("Item \($0)"), "order": .integer(Int64($0))] })
    try fixture.close()
    return fixture
  }

  /// The errors of opening, reading and writing, each allowed to fail and none to crash.
  @discardableResult
  private func use(_ fixture: StoreFixture) -> [NSError] {
    var errors: [NSError] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { errors.append(error as NSError) }
    }
    attempt {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: fixture.url)
    }
    attempt { _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: fixture.url) }
    attempt {
      let again = try StoreFixture(TestModels.nestedLists(), in: fixture.folder)
      attempt { _ = try again.store.rows(again.plan("Item")) }
      attempt { _ = try again.store.count(again.plan("Item")) }
      attempt { _ = try again.keys("Item", "title CONTAINS 'Item 1'") }
      attempt { try again.insert("Item", [["title": .text("new")]]) }
      try again.close()
    }
    return errors
  }

  @Test func damagedPagesAreErrors() throws {
    let fixture = try makeStore()
    let sound = try Data(contentsOf: fixture.url)
    let seed: UInt64 = 20
    var random = SplitMix64(seed: seed)
    var failures = 0
    for _ in 0..<120 {
      var data = sound
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        data[Int.random(in: 16..<data.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try data.write(to: fixture.url)
      let errors = use(fixture)
      failures += errors.isEmpty ? 0 : 1
      #expect(errors.allSatisfy { $0.domain == NSCocoaErrorDomain }, "seed \(seed): \(errors)")
    }
    #expect(failures > 0)
  }

  @Test func aTruncatedFileIsAnError() throws {
    let fixture = try makeStore()
    let sound = try Data(contentsOf: fixture.url)
    for size in stride(from: 17, to: sound.count, by: 1717) {
      try sound.prefix(size).write(to: fixture.url)
      let errors = use(fixture)
      #expect(!errors.isEmpty, "\(size) bytes")
      #expect(errors.allSatisfy { $0.domain == NSCocoaErrorDomain })
    }
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", "UPDATE Z_PRIMARYKEY SET Z_MAX = -5",
    "UPDATE Z_PRIMARYKEY SET Z_ENT = -9223372036854775807", "DELETE FROM Z_PRIMARYKEY",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "DROP TABLE Z_PRIMARYKEY",
    "UPDATE ZITEM SET Z_OPT = 9223372036854775807", "UPDATE ZITEM SET Z_ENT = 7",
    "UPDATE ZITEM SET ZPARENT = -9223372036854775807", "UPDATE ZITEM SET ZORDER = 'text'",
    "UPDATE ZITEM SET ZTITLE = x'FFFE00'", "UPDATE ZITEM SET ZORDER = 1e300",
    "DROP TABLE ZITEM", "CREATE VIEW Z_1X AS SELECT * FROM Z_1X", "DELETE FROM Z_METADATA",
    "UPDATE Z_METADATA SET Z_PLIST = x'00'", "UPDATE Z_METADATA SET Z_UUID = NULL",
    "UPDATE Z_METADATA SET Z_PLIST = zeroblob(40000000)", "DELETE FROM Z_MODELCACHE",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(80000000)",
    "CREATE TRIGGER t AFTER INSERT ON ZITEM BEGIN INSERT INTO ZITEM (ZTITLE) VALUES ('more'); END",
    "CREATE TRIGGER t AFTER INSERT ON ZITEM BEGIN SELECT load_extension('x'); END",
    "ALTER TABLE ZITEM RENAME COLUMN ZTITLE TO ZOTHER",
  ])
  func anAbsurdStoreIsAnErrorOrIsReadAsFarAsItGoes(_ damage: String) throws {
    let fixture = try makeStore(10)
    try PlainSQL(url: fixture.url).execute(damage)
    let errors = use(fixture)
    #expect(errors.allSatisfy { $0.domain == NSCocoaErrorDomain }, "\(errors)")
  }

  @Test func aKeyBeyondAllKeysInARowIsDamage() throws {
    let fixture = try makeStore(10)
    try PlainSQL(url: fixture.url).execute("UPDATE ZITEM SET Z_PK = -Z_PK")
    let errors = use(fixture)
    #expect(errors.contains { $0.code == Self.corrupt })
  }

  @Test func aBombInTheMetadataIsRefused() throws {
    let fixture = try makeStore(1)
    // Each array has the one before it a thousand times: 1000^9 when unfolded.
    var objects: [[UInt8]] = [[0x51, 0x61]]
    for level in 0..<9 {
      let members = [UInt8](repeating: UInt8(level), count: 1000)
      objects.append([0xAF, 0x11, 0x03, 0xE8] + members)
    }
    try write(propertyList(objects, root: 9), to: fixture)
    #expect(use(fixture).contains { $0.code == Self.corrupt })
    // An array that is in itself.
    try write(propertyList([[0xA1, 0x00]], root: 0), to: fixture)
    #expect(use(fixture).contains { $0.code == Self.corrupt })
    // A hundred thousand arrays, each in the next.
    var nested: [[UInt8]] = [[0x08]]
    for level in 0..<99_999 {
      let below = [UInt8(level >> 16 & 255), UInt8(level >> 8 & 255), UInt8(level & 255)]
      nested.append([0xA1] + below)
    }
    try write(propertyList(nested, root: 99_999, numberSize: 3), to: fixture)
    #expect(use(fixture).contains { $0.code == Self.corrupt })
  }

  private func propertyList(
    _ objects: [[UInt8]], root: Int, numberSize: UInt8 = 1
  ) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let start = bytes.count
    func big(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    for offset in offsets { bytes += big(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, numberSize]
    return Data(bytes + big(objects.count, 8) + big(root, 8) + big(start, 8))
  }

  private func write(_ list: Data, to fixture: StoreFixture) throws {
    let hexadecimal = list.map { String(format: "%02x", $0) }.joined()
    try PlainSQL(url: fixture.url).execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hexadecimal)'")
  }

  @Test func aBombInTheModelCacheIsRefused() throws {
    let fixture = try makeStore(1)
    let bomb = try ModelCache.deflate(Data(count: 200 << 20))
    #expect(bomb.count < 1 << 20)
    let connection = try SQLiteConnection(path: fixture.url.path, access: .readWrite, timeout: 5)
    try connection.withStatement("UPDATE Z_MODELCACHE SET Z_CONTENT = ?") {
      $0.bind(bomb, at: 1)
      try $0.run()
    }
    let error = #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: fixture.url)
    }
    #expect(error?.code == Self.corrupt)
  }

  @Test func afterAFetchFailedOthersWorkAgain() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    try fixture.insert("Item", [["title": .text("a")]])
    let context = fixture.coordinator.makeContext()
    let plain = PlainSQL(url: fixture.url)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "title == 'a'")
      #expect(try context.fetch(request).count == 1)
      for _ in 0..<3 {
        try plain.execute("ALTER TABLE ZITEM RENAME TO ZAWAY")
        #expect(throws: NSError.self) { try context.fetch(request) }
        #expect(throws: NSError.self) { try fixture.insert("Item", [[:]]) }
        try plain.execute("ALTER TABLE ZAWAY RENAME TO ZITEM")
        context.reset()
        let found = try context.fetch(request)
        #expect(found.first?.value(forKey: "title") as? String == "a")
      }
    }
    #expect(try fixture.insert("Item", [[:]]).count == 1)
  }

  @Test func aDiskThatIsFullIsSaidAndASaveCanBeRepeated() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    let store = try #require(fixture.store as? SQLiteStore)
    let pages = try store.contents.database.write { try $0.integer("PRAGMA page_count") ?? 0 }
    try store.contents.database.write { try $0.execute("PRAGMA max_page_count = \(pages + 2)") }
    let text = String(repeating: "x", count: 40_000)
    let error = #expect(throws: NSError.self) {
      try fixture.insert("Item", [["title": .text(text)]])
    }
    #expect(error?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
    #expect(try fixture.keys("Item") == [])
    try store.contents.database.write { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(try fixture.insert("Item", [["title": .text(text)]]).count == 1)
  }
}
