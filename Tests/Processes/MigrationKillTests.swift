import CoreData
import Foundation
import Testing

@testable import StoreWriter

/// A process that migrates a store, killed with SIGKILL at any moment, and two that open one old store at once.
/// KILL_ROUNDS says how often.
@Suite(.serialized) struct MigrationKillTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap(Int.init) ?? 15
  private static let count = 400

  /// A store of the first version, with files of external data and a history, closed.
  private func makeStore() throws -> WrittenStore {
    let store = try WrittenStore()
    let coordinator = try WriterModel.coordinator(store.url)
    let context = WriterModel.context(coordinator, author: "first")
    try context.performAndWait {
      for number in 0..<Self.count {
        var values: [String: Any] = [
          "code": "\(number)", "text": "text \(number)", "writer": "somebody",
        ]
        if number % 40 == 0 {
          values["photo"] = Data(repeating: UInt8(number % 256), count: 200_000)
        }
        _ = context.insert("Note", values)
      }
      _ = context.insert("Counter", ["number": 7])
      try context.save()
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return store
  }

  private func copy(_ store: WrittenStore) throws -> WrittenStore {
    let copy = try WrittenStore()
    try FileManager.default.removeItem(at: copy.folder)
    try FileManager.default.copyItem(at: store.folder, to: copy.folder)
    return copy
  }

  @Test func aMigrationThatIsKilledLeavesTheOldStoreOrTheNewOne() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("Kill test of a migration: seed \(seed)")
    var random = WriterRandom(state: seed)
    let original = try makeStore()
    let duration = try timeOfMigration(original)
    var (old, new) = (0, 0)
    for round in 0..<Self.rounds {
      let comment: Comment = "seed \(seed), round \(round)"
      let store = try copy(original)
      let process = try WriterProcess("migrate", store.url.path)
      try #require(process.line() == "ready")
      let moment =
        ContinuousClock.now + duration * Double.random(in: 0..<1.3, using: &random)
      while ContinuousClock.now < moment {}
      process.kill()
      let isNew = try store.number("SELECT COUNT(*) FROM sqlite_master WHERE name = 'ZTALLY'") == 1
      if isNew { new += 1 } else { old += 1 }
      if isNew {
        try checkNew(store, comment)
      } else {
        try checkOld(store, original, comment)
      }
      try finish(store, comment)
      try FileManager.default.removeItem(at: store.folder)
    }
    print("Kill test of a migration: \(old) old, \(new) new")
  }

  /// From the moment when the process is ready.
  private func timeOfMigration(_ original: WrittenStore) throws -> Duration {
    let store = try copy(original)
    // Its folder goes with it.
    defer { withExtendedLifetime(store) {} }
    let process = try WriterProcess("migrate", store.url.path)
    try #require(process.line() == "ready")
    return try ContinuousClock().measure { try #require(process.line() == "done") }
  }

  private static let oldRows =
    "SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZTEXT, ZWRITER, hex(ZPHOTO) FROM ZNOTE ORDER BY Z_PK"

  private func checkOld(
    _ store: WrittenStore, _ original: WrittenStore, _ comment: Comment
  ) throws {
    #expect(try store.rows(Self.oldRows) == original.rows(Self.oldRows), comment)
    let schema = "SELECT sql FROM sqlite_master ORDER BY rowid"
    #expect(try store.rows(schema) == original.rows(schema), comment)
  }

  private func checkNew(_ store: WrittenStore, _ comment: Comment) throws {
    let expected = (0..<Self.count).map { "\($0)|text \($0)|3" }.sorted()
    #expect(try store.rows("SELECT ZCODE, ZBODY, ZSTARS FROM ZNOTE").sorted() == expected, comment)
    #expect(try store.rows("SELECT ZNUMBER FROM ZTALLY") == ["7"], comment)
    #expect(
      try store.number("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'Z_OLD%'") == 0, comment)
  }

  /// Opened again, the store is of the new version, with its photos.
  private func finish(_ store: WrittenStore, _ comment: Comment) throws {
    let coordinator = try MigratedModel.coordinator(store.url)
    let context = WriterModel.context(coordinator, author: "check")
    try context.performAndWait {
      for note in try context.all("Note", sortedBy: "code") {
        let number = try #require(Int(note.value(forKey: "code") as? String ?? ""))
        let photo = note.value(forKey: "photo") as? Data
        #expect(photo?.count == (number % 40 == 0 ? 200_000 : nil), comment)
      }
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try checkNew(store, comment)
  }

  @Test func twoProcessesThatOpenOneOldStoreEndWithOneMigration() throws {
    let original = try makeStore()
    for round in 0..<max(Self.rounds / 5, 3) {
      let store = try copy(original)
      let processes = try (0..<3).map { _ in try WriterProcess("migrate", store.url.path) }
      for process in processes { try #require(process.line() == "ready") }
      for process in processes { #expect(process.line() == "done", "round \(round)") }
      try checkNew(store, "round \(round)")
      try finish(store, "round \(round)")
    }
  }
}
