import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Files that are no good store, or not at the moment: whatever is done with them but to destroy them, what cannot be
/// done is an error, and no file is lost by it.
@Suite struct StoreFileStateTests {
  enum State: CaseIterable {
    case locked, lockedWithoutLog, unknownVersion, halfMigrated
    case damagedSchema, damagedRows, cutShort, withoutMetadata, headAlone
    case text, xml, binary, empty, folder
  }

  /// What is done with the file.
  enum Use: CaseIterable {
    case add, migrate, migrateStaged, readMetadata, readModel, writeMetadata
    /// It is to become a copy of a good store; a good store is to become a copy of it.
    case receive, give
    /// By a migration manager, to a new file.
    case migrateElsewhere
  }

  private static let versions = [
    "Thing: name String", "Thing: name String, more String", "Thing: name String, last String",
  ]
  private static let names = (0..<300).map { String(repeating: "\($0) ", count: 40) }

  private static func model(_ number: Int) throws -> NSManagedObjectModel {
    try VersionFolder.model(versions[number])
  }

  private static func makeStore(
    _ names: [String], _ kind: NSPersistentStore.StoreType = .sqlite, version: Int = 0
  ) throws -> URL {
    try VersionFolder.makeStore(kind, model(version), names.map { ["name": $0] })
  }

  /// The file, and what has to stay as long as it is to be in this state.
  private static func make(_ state: State) throws -> (url: URL, holder: SQLiteConnection?) {
    let url = try makeStore(names, version: state == .unknownVersion ? 2 : 0)
    var holder: SQLiteConnection?
    switch state {
    case .locked, .lockedWithoutLog:
      let connection = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
      if state == .lockedWithoutLog { _ = try connection.text("PRAGMA journal_mode = DELETE") }
      try connection.execute("BEGIN EXCLUSIVE")
      holder = connection
    case .unknownVersion: try PlainSQL(url: url).execute("DELETE FROM Z_MODELCACHE")
    case .halfMigrated:
      // What a process leaves that has ended in the midst of a migration.
      let name = ".\(url.lastPathComponent).migrationdestination_ab"
      try FileManager.default.copyItem(
        at: url, to: url.deletingLastPathComponent().appendingPathComponent(name))
      try Data().write(
        to: url.deletingLastPathComponent()
          .appendingPathComponent(".\(url.lastPathComponent).migrating"))
    case .damagedSchema:
      try overwrite(url) { $0.replaceSubrange(100..<4096, with: Self.noise(3996)) }
    case .damagedRows:
      try overwrite(url) {
        $0.replaceSubrange(($0.count / 4)..<$0.count, with: noise($0.count - $0.count / 4))
      }
    case .cutShort: try overwrite(url) { $0 = $0.prefix($0.count / 2 + 100) }
    case .withoutMetadata: try PlainSQL(url: url).execute("DROP TABLE Z_METADATA")
    case .headAlone: try overwrite(url) { $0 = $0.prefix(16) }
    case .text: try Data("No database any more.".utf8).write(to: url)
    case .xml: try overwrite(url) { $0 = try Data(contentsOf: makeStore(names, .xml)) }
    case .binary: try overwrite(url) { $0 = try Data(contentsOf: makeStore(names, .binary)) }
    case .empty: try overwrite(url) { $0 = Data() }
    case .folder:
      try FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      try Data([1, 2, 3]).write(to: url.appendingPathComponent("file"))
    }
    return (url, holder)
  }

  private static func noise(_ count: Int) -> Data { Data(repeating: 0xA5, count: count) }

  private static func overwrite(_ url: URL, _ change: (inout Data) throws -> Void) throws {
    var data = try Data(contentsOf: url)
    try change(&data)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    try data.write(to: url)
  }

  // MARK: - Uses

  private static func use(_ use: Use, _ url: URL, _ good: URL) throws {
    let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.1]
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try model(use == .add ? 0 : 1))
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    switch use {
    case .add: try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    case .migrate:
      let options = options.merging(VersionFolder.migrating) { $1 }
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    case .migrateStaged:
      var options = options.merging(VersionFolder.migrating) { $1 }
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = try NSStagedMigrationManager(
        [0, 1].map { NSLightweightMigrationStage([try model($0).versionChecksum]) })
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    case .readMetadata:
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    case .readModel:
      _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    case .writeMetadata:
      try NSPersistentStoreCoordinator.setMetadata(
        ["mine": 1], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
    case .receive:
      try coordinator.replacePersistentStore(
        at: url, destinationOptions: options, withPersistentStoreFrom: good, type: .sqlite)
    case .give:
      try coordinator.replacePersistentStore(
        at: good, destinationOptions: options, withPersistentStoreFrom: url, type: .sqlite)
    case .migrateElsewhere:
      let (old, new) = try (model(0), model(1))
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: old, destinationModel: new)
      try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: url, type: .sqlite, mapping: mapping,
        to: url.deletingLastPathComponent().appendingPathComponent("New.sqlite"), type: .sqlite)
    }
  }

  /// Waiting for a lock cannot be cut short where there are no options.
  private static func waits(_ state: State, _ use: Use) -> Bool {
    guard state == .locked || state == .lockedWithoutLog else { return false }
    return [.writeMetadata, .migrateElsewhere].contains(use)
      || state == .lockedWithoutLog && [.readMetadata, .readModel].contains(use)
  }

  @Test(arguments: State.allCases, Use.allCases)
  func nothingIsLostByWhatFails(_ state: State, _ use: Use) throws {
    guard !Self.waits(state, use) else { return }
    let (url, holder) = try Self.make(state)
    let goodNames = ["good"]
    let good = try Self.makeStore(goodNames)
    let folder = url.deletingLastPathComponent()
    defer {
      for folder in [folder, good.deletingLastPathComponent()] {
        try? FileManager.default.removeItem(at: folder)
      }
    }
    let before = try Self.contents(folder)
    do { try Self.use(use, url, good) } catch let error as NSError {
      #expect(error.domain == NSCocoaErrorDomain, "\(error)")
      #expect(try Self.contents(folder) == before)
      #expect(try VersionFolder.values("name", good, .sqlite, Self.model(0)) == goodNames)
      let left = try FileManager.default.contentsOfDirectory(
        atPath: good.deletingLastPathComponent().path)
      #expect(left.filter { $0.contains("replacement") } == [])
      return
    }
    // What was a store has not become an empty one.
    if [.locked, .lockedWithoutLog, .halfMigrated].contains(state), use != .receive {
      holder?.rollBack()
      let version = [.migrate, .migrateStaged].contains(use) ? 1 : 0
      let model = try Self.model(version)
      #expect(try VersionFolder.values("name", url, .sqlite, model).count == Self.names.count)
    }
    if use == .receive {
      #expect(try VersionFolder.values("name", url, .sqlite, Self.model(0)) == goodNames)
    }
  }

  /// Every file but those that SQLite makes for who reads, and what others have left of a migration.
  private static func contents(_ folder: URL) throws -> [String: Data] {
    let manager = FileManager.default
    let names = try manager.subpathsOfDirectory(atPath: folder.path).filter { name in
      !name.hasSuffix("-shm") && !name.contains(".migrat")
    }
    let files = names.map { ($0, manager.contents(atPath: folder.path + "/" + $0) ?? Data()) }
    // A log of no bytes is none.
    return Dictionary(
      uniqueKeysWithValues: files.filter { !$0.0.hasSuffix("-wal") || !$0.1.isEmpty })
  }

  @Test func aStoreIsNotReplacedByItself() throws {
    let url = try Self.makeStore(["a", "b"])
    let link = url.deletingLastPathComponent().appendingPathComponent("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(0))
    for (one, other) in [(url, link), (link, url)] {
      try coordinator.replacePersistentStore(
        at: one, destinationOptions: [NSPersistentStoreTimeoutOption: 0.1],
        withPersistentStoreFrom: other, type: .sqlite)
      #expect(try VersionFolder.values("name", url, .sqlite, Self.model(0)) == ["a", "b"])
    }
  }

  /// A log cannot take pages of another size: a new file takes the old one's place.
  @Test func aStoreOfAnotherPageSizeIsReplacedWhole() throws {
    let (url, good) = (try Self.makeStore(["a", "b"]), try Self.makeStore(["good"]))
    let plain = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
    _ = try plain.text("PRAGMA journal_mode = DELETE")
    try plain.execute("PRAGMA page_size = 8192")
    try plain.execute("VACUUM")
    _ = try plain.text("PRAGMA journal_mode = WAL")
    try NSPersistentStoreCoordinator(managedObjectModel: try Self.model(0)).replacePersistentStore(
      at: url, withPersistentStoreFrom: good, type: .sqlite)
    #expect(try VersionFolder.values("name", url, .sqlite, Self.model(0)) == ["good"])
    #expect(try PlainSQL(url: url).rows("PRAGMA page_size") == ["4096"])
  }
}
