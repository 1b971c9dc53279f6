import Foundation
import Testing
import TestSupport

@testable import StoreWriter

/// A process that migrates a store, killed with SIGKILL at any moment, and several that open one old store at once:
/// each way to migrate. KILL_ROUNDS says how often, MIGRATION_SEED where the moments begin.
@Suite(.serialized) struct MigrationKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["KILL_ROUNDS"].flatMap(Int.init) ?? Sample.part(of: 15)
  private static let (count, photo) = (120, 110_000)

  /// A store of the first version with files of external data and a history, closed; and what it has.
  private struct Original {
    let way: MigrationWay
    let folder: URL
    let contents: [String]
    let files: [String: Data]
    /// From the moment when the process is ready.
    let duration: Duration

    init(_ way: MigrationWay) throws {
      self.way = way
      folder = try MigrationKillTests.makeFolder()
      let url = folder.appendingPathComponent(way.fileName)
      try way.make(url, count: MigrationKillTests.count, photo: MigrationKillTests.photo)
      contents = try way.contents(url)
      files = try StoreFolder(folder).files()
      let copy = try MigrationKillTests.copy(folder)
      defer { MigrationKillTests.remove(copy) }
      let process = try WriterProcess(
        "migrate", copy.appendingPathComponent(way.fileName).path, way.rawValue)
      try #require(process.line() == "ready")
      duration = try ContinuousClock().measure { try #require(process.line() == "done") }
    }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("Kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func copy(_ folder: URL) throws -> URL {
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("Kills-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: folder, to: copy)
    return copy
  }

  // A folder that is left behind harms nobody.
  private static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }

  @Test func aMigrationThatIsKilledLeavesTheOldStoreOrTheNewOne() throws {
    let seed =
      Self.environment["MIGRATION_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
    print("Kill test of migrations: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let originals = try MigrationWay.allCases.map(Original.init)
    defer { for original in originals { Self.remove(original.folder) } }
    var tally: [String: Int] = [:]
    for round in 0..<Self.rounds {
      let original = originals[round % originals.count]
      let fraction = Double.random(in: 0..<1.3, using: &random)
      let comment: Comment = "seed \(seed), round \(round), \(original.way)"
      let isNew = try kill(original, after: fraction, comment)
      tally["\(original.way) \(isNew ? "new" : "old")", default: 0] += 1
    }
    print("Kill test of migrations: \(tally.sorted { $0.key < $1.key })")
  }

  /// Returns whether the store was migrated by then.
  private func kill(_ original: Original, after fraction: Double, _ comment: Comment) throws -> Bool
  {
    let way = original.way
    let folder = try Self.copy(original.folder)
    defer { Self.remove(folder) }
    let url = folder.appendingPathComponent(way.fileName)
    let process = try WriterProcess("migrate", url.path, way.rawValue)
    try #require(process.line() == "ready")
    let moment = ContinuousClock.now + original.duration * fraction
    while ContinuousClock.now < moment {}
    process.kill()
    let isNew = try way.isMigrated(url)
    let expected = way.expectedContents(count: Self.count, photo: Self.photo)
    if isNew {
      #expect(try way.contents(url) == expected, comment)
    } else {
      #expect(try way.contents(url) == original.contents, comment)
      try StoreFolder(folder).expectUntouched(original.files, comment)
    }
    let coordinator = try way.migrate(url)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    #expect(try way.contents(url) == expected, comment)
    try StoreFolder(folder).expectNoLeftovers(comment)
    if way.isSQLite { try StoreFolder(folder).expectSound(comment) }
    return isNew
  }

  @Test(arguments: MigrationWay.allCases)
  func processesThatOpenOneOldStoreEndWithOneMigration(_ way: MigrationWay) throws {
    let folder = try Self.makeFolder()
    defer { Self.remove(folder) }
    try way.make(
      folder.appendingPathComponent(way.fileName), count: Self.count, photo: Self.photo)
    for round in 0..<max(Self.rounds / 20, 2) {
      let copy = try Self.copy(folder)
      defer { Self.remove(copy) }
      let url = copy.appendingPathComponent(way.fileName)
      let processes = try (0..<3).map { _ in try WriterProcess("migrate", url.path, way.rawValue) }
      let comment: Comment = "\(way), round \(round)"
      for process in processes { try #require(process.line() == "ready") }
      for process in processes { #expect(process.line() == "done", comment) }
      #expect(
        try way.contents(url) == way.expectedContents(count: Self.count, photo: Self.photo), comment
      )
      try StoreFolder(copy).expectNoLeftovers(comment)
      if way.isSQLite { try StoreFolder(copy).expectSound(comment) }
    }
  }
}
