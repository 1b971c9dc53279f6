import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A migration that one can watch and end.
struct MigrationProgressTests {
  private static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  private func versions() throws -> VersionFolder {
    try VersionFolder([
      "Thing: name String, size String; Box: label String; Bag: label String",
      "Thing: name String; Box: label String, height Double; Bag: label String, width Double",
      "Thing: name String, size Integer 64 = 7; Box: label String, height Double; Bag: label String, width Double",
    ])
  }

  private final class Seen: Sendable {
    let fractions = Mutex<[Double]>([])
    func add(_ fraction: Double) { fractions.withLock { $0.append(fraction) } }
  }

  private func container(
    _ url: URL, _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    _ versions: VersionFolder
  ) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Things", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.type = kind.rawValue
    description.setOption([versions.url] as NSArray, forKey: OpenCoreDataMigrationModelsOption)
    container.persistentStoreDescriptions = [description]
    return container
  }

  @Test(arguments: kinds, [2, 3]) func aContainerTellsHowFarItIs(
    _ kind: NSPersistentStore.StoreType, _ goal: Int
  ) throws {
    let versions = try versions()
    let url = try versions.makeStore(kind, (0..<20).map { ["name": "\($0)", "size": "x"] })
    let container = container(url, kind, try versions.model(goal), versions)
    let seen = Seen()
    container.migrationProgressHandler = { seen.add($0.fractionCompleted) }
    #expect(container.migrationProgress.fractionCompleted == 0)
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(container.migrationProgress.isFinished)
    let fractions = seen.fractions.withLock { $0 }
    #expect(fractions.count >= 3)
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
  }

  @Test(arguments: kinds, [2, 3]) func aCancelledMigrationLeavesTheStoreAsItWas(
    _ kind: NSPersistentStore.StoreType, _ goal: Int
  ) throws {
    let versions = try versions()
    let url = try versions.makeStore(kind, (0..<20).map { ["name": "\($0)", "size": "x"] })
    let before = try VersionFolder.files(versions.folder)
    let container = container(url, kind, try versions.model(goal), versions)
    container.migrationProgressHandler = { $0.cancel() }
    var failure: NSError?
    container.loadPersistentStores { failure = $1 as NSError? }
    #expect(failure?.code == NSMigrationCancelledError)
    #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    #expect(try VersionFolder.files(versions.folder) == before)
  }

  @Test(arguments: kinds) func theCurrentProgressOfTheThreadIsTold(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try versions()
    let url = try versions.makeStore(kind, [["name": "a"]])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let parent = Progress(totalUnitCount: 10)
    parent.becomeCurrent(withPendingUnitCount: 10)
    try coordinator.addPersistentStore(type: kind, at: url, options: versions.migrating)
    parent.resignCurrent()
    #expect(parent.fractionCompleted == 1)
  }

  /// As rows, and object by object: one entity alone, whose rows count.
  @Test(arguments: [false, true]) func rowsCountWhereAStoreIsMadeAnew(_ asObjects: Bool) throws {
    let versions = try VersionFolder(["Thing: name String, size String", "Thing: name String"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    try PlainSQL(url: url).execute(
      "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 21000) "
        + "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'name ' || i FROM n")
    let (source, destination) = (try versions.model(1), try versions.model(2))
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    mapping.isInferred = false
    if asObjects {
      mapping.entityMappings[0].entityMigrationPolicyClassName = NSStringFromClass(PlainPolicy.self)
    }
    let seen = Seen()
    let progress = Progress(totalUnitCount: MigrationProgress.units)
    try StoreMigration(
      url: url, type: NSSQLiteStoreType, configuration: nil, options: [:],
      destination: destination,
      progress: MigrationProgress.Part(
        progress: MigrationProgress(progress) { seen.add(progress.fractionCompleted) }),
      route: .init(source: source, mapping: mapping)
    ).run()
    let between = Set(seen.fractions.withLock { $0 }.filter { $0 > 0 && $0 < 1 })
    #expect(between.count >= (asObjects ? 12 : 4), "\(between.sorted())")
    #expect(
      try PlainSQL(url: url).rows("SELECT count(*), max(ZNAME) FROM ZTHING") == ["21000|name 9999"])
  }

  @Test func aLongStatementEndsSoonAfterTheCancellation() throws {
    let versions = try VersionFolder(["Thing: name String, size String", "Thing: name String"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    // Enough rows for many of the moments at which SQLite asks.
    try PlainSQL(url: url).execute(
      "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
        + "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'name ' || i FROM n")
    let progress = Progress(parent: nil)
    progress.cancel()
    let destination = try versions.model(2)
    let migration = SQLiteMigration(
      url: url, options: StoreOptions(nil), layouts: destination.entityLayouts(),
      configuration: nil,
      match: ModelMatch(source: try versions.model(1), destination: destination),
      progress: MigrationProgress.Part(progress: MigrationProgress(progress)))
    let error = #expect(throws: NSError.self) { try migration.run() }
    #expect(error?.code == NSMigrationCancelledError)
    // SQLite ended it, in the midst of a statement.
    #expect(error?.userInfo[NSUnderlyingErrorKey] is NSError)
    #expect(try PlainSQL(url: url).rows("SELECT count(*) FROM ZTHING") == ["200000"])
    #expect(try PlainSQL(url: url).rows("SELECT ZSIZE FROM ZTHING LIMIT 1") == ["NULL"])
  }

  @Test func severalStoresShareTheProgress() throws {
    let versions = try versions()
    let urls = try (0..<3).map { _ in
      try VersionFolder.makeStore(.sqlite, versions.model(1), [["name": "a"]])
    }
    let container = container(urls[0], .sqlite, try versions.model(2), versions)
    container.persistentStoreDescriptions = urls.map { url in
      let description = NSPersistentStoreDescription(url: url)
      description.shouldAddStoreAsynchronously = true
      return description
    }
    let loaded = DispatchGroup()
    for _ in urls { loaded.enter() }
    let failures = Mutex(0)
    container.loadPersistentStores { _, error in
      if error != nil { failures.withLock { $0 += 1 } }
      loaded.leave()
    }
    loaded.wait()
    #expect(failures.withLock { $0 } == 0)
    #expect(container.migrationProgress.totalUnitCount == 3000)
    #expect(container.migrationProgress.isFinished)
  }
}
