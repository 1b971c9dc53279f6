import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples
@testable import StoreWriter

/// Stores in a state that a migration must respect: newer than the program, locked, left in the midst of a save by
/// another process, or with saves in a log that nobody has put into the file yet.
struct UntouchedStoreTests {
  private static let (count, photo) = (10, 110_000)

  private func makeStore(_ way: MigrationWay) throws -> URL {
    let url = try StoreFixture.makeFolder().appendingPathComponent(way.fileName)
    try way.make(url, count: Self.count, photo: Self.photo)
    return url
  }

  /// What `body` throws; the files and their times are the same afterwards.
  private func expectRefusal(
    of url: URL, _ codes: [Int], _ comment: Comment, _ body: () throws -> Void
  ) throws {
    let folder = StoreFolder(url.deletingLastPathComponent())
    let (files, state) = (try folder.files(), QuietReading(url).state)
    let error = #expect(throws: NSError.self, comment) { try body() }
    #expect(codes.contains(error?.code ?? 0), "\(comment): \(String(describing: error))")
    #expect(try folder.files() == files, comment)
    #expect(QuietReading(url).state == state, comment)
  }

  private func add(
    _ url: URL, _ way: MigrationWay, _ model: NSManagedObjectModel,
    _ options: [AnyHashable: Any] = [:]
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: way.type, configurationName: nil, at: url, options: options)
  }

  // MARK: - Newer stores

  @Test(arguments: MigrationWay.allCases)
  func aNewerStoreIsNotTouchedByOlderCode(_ way: MigrationWay) throws {
    let url = try makeStore(way)
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    let automatic: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true, NSPersistentHistoryTrackingKey: way.isSQLite,
    ]
    try expectRefusal(
      of: url, [NSPersistentStoreIncompatibleVersionHashError], "\(way), no options"
    ) { try add(url, way, WriterModel.make()) }
    try expectRefusal(of: url, [NSMigrationMissingSourceModelError], "\(way), automatically") {
      try add(url, way, WriterModel.make(), automatic)
    }
    let (first, last) = (WriterModel.make(), way.destination)
    var staged = automatic
    staged[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([
      NSLightweightMigrationStage([first.versionChecksum]),
      NSLightweightMigrationStage([last.versionChecksum]),
    ])
    try expectRefusal(of: url, [NSStagedMigrationBackwardMigrationError], "\(way), in stages") {
      try add(url, way, first, staged)
    }
    #expect(
      try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo))
  }

  /// The way back is open to who has both versions.
  @Test func aProgramThatHasTheLaterVersionMayLeadAStoreBack() throws {
    let way = MigrationWay.add
    let url = try makeStore(way)
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    let (later, first) = (way.destination, WriterModel.make())
    try StoreMigration(
      url: url, type: way.type, configuration: nil, options: [:], destination: first,
      route: .init(
        source: later,
        mapping: .inferredMappingModel(forSourceModel: later, destinationModel: first))
    ).run()
    #expect(try !way.isMigrated(url))
    // And forth again.
    let again = try way.migrate(url)
    for store in again.persistentStores { try again.remove(store) }
    #expect(
      try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo))
  }

  // MARK: - Other processes

  /// Those that take a store's journal as it is.
  private static let ways = MigrationWay.allCases.filter { $0.isSQLite && $0 != .journal }

  @Test(arguments: ways, ["WAL", "DELETE"])
  func aStoreThatAnotherKeepsLockedIsLeftAlone(_ way: MigrationWay, _ journal: String) throws {
    let url = try makeStore(way)
    try PlainSQL(url: url).execute("PRAGMA journal_mode = \(journal)")
    let other = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
    try other.begin()
    let error = #expect(throws: NSError.self) {
      try way.migrate(url, options: [NSPersistentStoreTimeoutOption: 0.1])
    }
    #expect(
      error?.code == CocoaError.Code.persistentStoreTimeout.rawValue,
      "\(String(describing: error))")
    other.rollBack()
    #expect(try StoreFolder(url.deletingLastPathComponent()).leftovers() == [])
    #expect(try !way.isMigrated(url))
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    #expect(
      try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo))
  }

  @Test(arguments: ways)
  func savesThatAreInTheLogAloneAreMigrated(_ way: MigrationWay) throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent(way.fileName)
    let original = try makeStore(way)
    let open = try SQLiteConnection(path: original.path, access: .readWrite, timeout: 1)
    try open.execute("PRAGMA wal_autocheckpoint = 0")
    try open.execute("UPDATE ZNOTE SET ZTEXT = 'in the log' WHERE ZCODE = '7'")
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: original.deletingLastPathComponent(), to: folder)
    #expect(StoreFile(url: url).hasLog)
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    let name = way == .add ? "text" : "body"
    #expect(try way.contents(url).contains { $0.contains("\(name)=in the log") })
    #expect(try way.contents(url).count == Self.count + 1)
  }

  /// As a process leaves a store without a log that ended in the midst of a save: SQLite has to take the save back
  /// before anybody reads.
  @Test(arguments: MigrationWay.allCases.filter(\.isSQLite))
  func aJournalThatIsLeftIsRolledBackFirst(_ way: MigrationWay) throws {
    let original = try makeStore(way)
    let writer = try SQLiteConnection(path: original.path, access: .readWrite, timeout: 1)
    #expect(try writer.text("PRAGMA journal_mode = DELETE") == "delete")
    try writer.execute("PRAGMA cache_size = 2")
    try writer.begin()
    try writer.execute("UPDATE ZNOTE SET ZTEXT = 'never saved ' || hex(randomblob(3000))")
    func copy() throws -> URL {
      let folder = try StoreFixture.makeFolder()
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: original.deletingLastPathComponent(), to: folder)
      let url = folder.appendingPathComponent(way.fileName)
      #expect(FileManager.default.fileExists(atPath: url.path + "-journal"))
      return url
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: copy())
    #expect(metadata[NSStoreUUIDKey] != nil)
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: copy())
    #expect(model.entitiesByName["Note"] != nil)
    let url = try copy()
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    #expect(
      try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo))
    writer.rollBack()
  }

  /// Who only reads changes nothing, so what another process has begun cannot be taken back: that is said, and what to
  /// do.
  @Test func aJournalThatIsLeftIsToldToWhoOnlyReads() throws {
    let way = MigrationWay.rebuild
    let original = try makeStore(way)
    let writer = try SQLiteConnection(path: original.path, access: .readWrite, timeout: 1)
    #expect(try writer.text("PRAGMA journal_mode = DELETE") == "delete")
    try writer.execute("PRAGMA cache_size = 2")
    try writer.begin()
    try writer.execute("UPDATE ZNOTE SET ZTEXT = 'never saved ' || hex(randomblob(3000))")
    let folder = try StoreFixture.makeFolder()
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: original.deletingLastPathComponent(), to: folder)
    let url = folder.appendingPathComponent(way.fileName)
    try expectRefusal(of: url, [CocoaError.Code.fileWriteNoPermission.rawValue], "only read") {
      do { try add(url, way, WriterModel.make(), [NSReadOnlyPersistentStoreOption: true]) } catch {
        #expect("\(error)".contains("open it once for writing"), "\(error)")
        throw error
      }
    }
    // Once opened for writing it is read by all.
    let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    try add(url, way, WriterModel.make(), options)
    try add(url, way, WriterModel.make(), [NSReadOnlyPersistentStoreOption: true])
    writer.rollBack()
  }
}
