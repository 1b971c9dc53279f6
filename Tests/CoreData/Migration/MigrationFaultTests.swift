import CoreDataSupport
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples
@testable import StoreWriter

/// Every write of a migration fails once, and the disk is full at every write: the store is the old one, to the byte,
/// or the new one, whole; and a full disk is said to be full. With KILL_ROUNDS of 100 and more every single write has
/// its turn, else some of them.
@Suite(.serialized) struct MigrationFaultTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap(Int.init) ?? 0
  private static let (count, photo) = (10, 110_000)

  private struct Play {
    let way: MigrationWay
    let folder: URL
    let injector: FaultyFileSystem.Injector
    var url: URL { folder.appendingPathComponent(way.fileName) }

    init(_ way: MigrationWay, copyOf original: URL) throws {
      self.way = way
      folder = try StoreFixture.makeFolder()
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: original, to: folder)
      injector = FaultyFileSystem.inject(into: folder)
    }

    /// Migrates, and closes the store again.
    func migrate() throws {
      try FileCalls.$current.withValue(injector.calls()) {
        let coordinator = try way.migrate(url)
        try coordinator.removeStores()
      }
    }
  }

  @Test(arguments: Sample.of(MigrationWay.allCases, FaultyFileSystem.Fault.allCases))
  func aMigrationThatFailsAnywhereLeavesTheOldStoreOrTheNewOne(
    _ way: MigrationWay, _ fault: FaultyFileSystem.Fault
  ) throws {
    let original = try StoreFixture.makeFolder()
    let first = original.appendingPathComponent(way.fileName)
    try way.make(first, count: Self.count, photo: Self.photo)
    let (before, contents) = (try StoreFolder(original).files(), try way.contents(first))
    var (number, plays, hasFailed) = (1, 0, true)
    while hasFailed {
      let play = try Play(way, copyOf: original)
      let comment: Comment = "\(way), \(fault) at \(number)"
      play.injector.arm(fault, at: number)
      let error = caught(play.migrate)
      hasFailed = play.injector.disarm()
      try check(play, error, fault, before, contents, comment)
      try FileManager.default.removeItem(at: play.folder)
      plays += 1
      number += Self.rounds >= 100 || number < 3 ? 1 : number
    }
    #expect(plays > 4)
  }

  private func caught(_ body: () throws -> Void) -> NSError? {
    do { try body() } catch { return error as NSError }
    return nil
  }

  private func check(
    _ play: Play, _ error: NSError?, _ fault: FaultyFileSystem.Fault, _ before: [String: Data],
    _ contents: [String], _ comment: Comment
  ) throws {
    let way = play.way
    let expected = way.expectedContents(count: Self.count, photo: Self.photo)
    if let error {
      #expect(error.domain == NSCocoaErrorDomain, "\(comment): \(error)")
      if fault == .fullDisk {
        #expect(error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue, "\(comment): \(error)")
      }
    }
    if try way.isMigrated(play.url) {
      #expect(try way.contents(play.url) == expected, comment)
    } else {
      #expect(error != nil, comment)
      #expect(try way.contents(play.url) == contents, comment)
      let now = try StoreFolder(play.folder).files()
      for (path, data) in before where !path.hasSuffix("-wal") {
        #expect(now[path] == data, "\(comment): \(path) has changed")
      }
    }
    try play.migrate()
    #expect(try way.contents(play.url) == expected, comment)
    #expect(try StoreFolder(play.folder).leftovers() == [], comment)
    guard way.isSQLite else { return }
    let named = try PlainSQL(url: play.url).rows(
      "SELECT COUNT(*) FROM ZNOTE WHERE hex(substr(ZPHOTO, 1, 1)) = '02'")
    let files = ExternalFiles(
      folder: StoreLocation.supportFolder(of: play.url).appendingPathComponent("_EXTERNAL_DATA"),
      synchronises: false)
    #expect(named == ["\(files.names().count)"], comment)
  }

  /// Asked for directly: the destination is there whole, or none of its files is.
  @Test(arguments: [MigrationWay.rows, .xml, .binary], FaultyFileSystem.Fault.allCases)
  func aDestinationThatFailsAnywhereIsNotThere(
    _ way: MigrationWay, _ fault: FaultyFileSystem.Fault
  ) throws {
    let original = try StoreFixture.makeFolder().appendingPathComponent(way.fileName)
    try way.make(original, count: Self.count, photo: Self.photo)
    let (source, destination) = (WriterModel.make(), way.destination)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    mapping.isInferred = false
    var (number, hasFailed) = (1, true)
    while hasFailed {
      let folder = try StoreFixture.makeFolder()
      let url = folder.appendingPathComponent(way.fileName)
      let injector = FaultyFileSystem.inject(into: folder)
      injector.arm(fault, at: number)
      let error = FileCalls.$current.withValue(injector.calls()) {
        caught {
          try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
            from: original, sourceType: way.type, with: mapping, toDestinationURL: url,
            destinationType: way.type)
        }
      }
      hasFailed = injector.disarm()
      let comment: Comment = "\(way), \(fault) at \(number): \(String(describing: error))"
      if error == nil {
        #expect(
          try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo),
          comment)
      } else {
        #expect(try StoreFolder(folder).files().isEmpty, comment)
      }
      try FileManager.default.removeItem(at: folder)
      number += Self.rounds >= 100 || number < 3 ? 1 : number
    }
    #expect(number > 4)
  }

  /// A store of one file is written as often for many entities as for one.
  @Test(arguments: [NSPersistentStore.StoreType.xml, .binary])
  func aStoreOfOneFileIsWrittenOnce(_ kind: NSPersistentStore.StoreType) throws {
    func writes(_ names: [String]) throws -> Int {
      let count = Mutex(0)
      var calls = FileCalls()
      let create = calls.create
      calls.create = { path in
        count.withLock { $0 += 1 }
        return create(path)
      }
      let old = names.map { "\($0): name String, size String" }.joined(separator: "; ")
      let new = names.map { "\($0): name String" }.joined(separator: "; ")
      let versions = try VersionFolder([old, new])
      let url = try versions.makeStore(kind, [["name": "a"], ["name": "b"]])
      let (source, destination) = (try versions.model(1), try versions.model(2))
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
      try FileCalls.$current.withValue(calls) {
        try StoreMigration(
          url: url, type: kind.rawValue, configuration: nil, options: [:],
          destination: destination, route: .init(source: source, mapping: mapping)
        ).run()
      }
      #expect(try VersionFolder.values("name", url, kind, destination) == ["a", "b"])
      return count.withLock { $0 }
    }
    #expect(try writes(["Thing", "Box", "Bag", "Cup"]) == writes(["Thing"]))
  }

  // MARK: - Several at once

  @Test(arguments: MigrationWay.allCases)
  func threadsThatOpenOneOldStoreEndWithOneMigration(_ way: MigrationWay) throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent(way.fileName)
    try way.make(url, count: Self.count, photo: Self.photo)
    let errors = Errors()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do { try withExtendedLifetime(way.migrate(url)) {} } catch { errors.add(error) }
    }
    #expect(errors.all.isEmpty, "\(errors.all)")
    #expect(
      try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo))
    #expect(try StoreFolder(folder).leftovers() == [])
  }

  /// Sendable: `lock` guards the list.
  private final class Errors: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [any Error] = []
    var all: [any Error] { lock.withLock { list } }
    func add(_ error: any Error) { lock.withLock { list.append(error) } }
  }

  /// Another process has the old store open and saves while it is migrated object by object or in stages: what it
  /// has saved is migrated too, or its save is refused.
  @Test(arguments: [MigrationWay.objects, .staged], ["WAL", "DELETE"])
  func whatIsSavedMeanwhileIsNotLost(_ way: MigrationWay, _ journal: String) throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent(way.fileName)
    try way.make(url, count: Self.count, photo: Self.photo)
    try PlainSQL(url: url).execute("PRAGMA journal_mode = \(journal)")
    let watch = try StoreWatch(url, type: way.type)
    #expect(try watch.isUnchanged)
    var attempts = 0
    try StoreReplacement(url: url, type: way.type).run { draft in
      attempts += 1
      try StoreReplacement(url: url, type: way.type).copy(to: draft)
      if attempts == 1 {
        try PlainSQL(url: url).execute("UPDATE ZNOTE SET ZTEXT = 'late' WHERE ZCODE = '3'")
      }
    }
    #expect(attempts == 2)
    #expect(try !watch.isUnchanged)
    let coordinator = try way.migrate(url)
    try coordinator.removeStores()
    #expect(try way.contents(url).contains { $0.contains("body=late code=3") })
  }
}
