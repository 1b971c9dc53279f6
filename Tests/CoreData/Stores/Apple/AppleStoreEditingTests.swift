import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores that Apple's framework made, read without a trace, and edited by every rule of their format.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct AppleStoreEditingTests {
  private struct FileState: Equatable {
    let data: Data
    let modified: Date?
  }

  /// Everything in a folder, hidden files included.
  private func state(of folder: URL) throws -> [String: FileState] {
    let manager = FileManager.default
    let names = try manager.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let path = folder.appendingPathComponent(name).path
        let attributes = try manager.attributesOfItem(atPath: path)
        // A folder has no contents of its own.
        let data = manager.contents(atPath: path) ?? Data()
        return (name, FileState(data: data, modified: attributes[.modificationDate] as? Date))
      })
  }

  private func setPermissions(_ permissions: Int, of folder: URL) throws {
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: folder.path) + [""] {
      let path = folder.appendingPathComponent(name).path
      try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
  }

  private func readEverything(_ url: URL) throws -> [String] {
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    RandomGraph.relax(model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    defer { try? coordinator.remove(store) }  // One that is there can be removed.
    #expect(store.isReadOnly)
    return try RandomGraph.contents(coordinator)
  }

  @Test(arguments: AppleStores.names, [false, true])
  func readingOnlyLeavesNoTrace(_ name: String, _ isFolderReadOnly: Bool) throws {
    let url = try AppleStores.copy(name)
    let folder = url.deletingLastPathComponent()
    if isFolderReadOnly { try setPermissions(0o555, of: folder) }
    defer { try? setPermissions(0o755, of: folder) }  // So that the folder can be removed.
    let before = try state(of: folder)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    #expect(metadata[NSStoreUUIDKey] is String)
    let contents = try readEverything(url)
    #expect(try state(of: folder) == before)
    // The same as who may write sees, who takes the log into the file.
    let second = try AppleStores.copy(name)
    let plain = PlainSQL(url: second)
    let rows = try plain.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' "
        + "AND name NOT LIKE 'Z\\_%' ESCAPE '\\'"
    ).map { try plain.rows("SELECT COUNT(*) FROM \($0)").compactMap { Int($0) }.reduce(0, +) }
    #expect(contents.count == rows.reduce(0, +))
  }

  @Test func whoReadsOnlySeesWhatIsWrittenMeanwhile() throws {
    let writer = try StoreFixture(TestModels.nestedLists())
    try writer.insert("Item", [["title": .text("one")]])
    try writer.close()
    let reader = try StoreFixture(
      TestModels.nestedLists(), in: writer.folder, options: [NSReadOnlyPersistentStoreOption: true])
    #expect(try reader.keys("Item") == [1])
    let again = try StoreFixture(TestModels.nestedLists(), in: writer.folder)
    try again.insert("Item", [["title": .text("two")]])
    #expect(try reader.keys("Item") == [1, 2])
    try again.close()
    #expect(try reader.keys("Item") == [1, 2])
  }

  @Test(arguments: AppleStores.names)
  func anEditedStoreKeepsEveryRule(_ name: String) throws {
    let seed = UInt64(name.utf8.reduce(3) { $0 &* 31 &+ UInt64($1) })
    let url = try AppleStores.copy(name)
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    RandomGraph.relax(model)
    var graph = RandomGraph(seed: seed)
    let options = [NSPersistentHistoryTrackingKey: true]
    let folder = url.deletingLastPathComponent()
    func open() throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let hasHistory = try !PlainSQL(url: url).rows(
        "SELECT 1 FROM sqlite_master WHERE name = 'ACHANGE'"
      ).isEmpty
      try coordinator.addPersistentStore(
        type: .sqlite, at: url, options: hasHistory ? options : nil)
      return coordinator
    }
    for round in 0..<2 {
      let coordinator = try open()
      try graph.change(coordinator)
      let contents = try RandomGraph.contents(coordinator)
      try coordinator.removeStores()
      let result = try StoreChecker.checkRows(url)
      #expect(result.status == 0, "round \(round), seed \(seed), \(folder.path): \(result.text)")
      let again = try open()
      #expect(try RandomGraph.contents(again) == contents, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "UPDATE ZNOTE SET Z_OPT = NULL", "UPDATE ZNOTE SET ZOWNER = 99",
    "UPDATE ZNOTE SET ZISDONE = 2", "UPDATE ZNOTE SET ZTEXT = x'00'",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE ZNOTE SET Z_FOK_OWNER = NULL",
    "UPDATE ZNOTE SET ZSCAN = x'0712'", "UPDATE ZNOTE SET Z2_OWNER = 3",
    "UPDATE ZNOTE SET ZUUID = x'00'", "DELETE FROM ZTAG", "UPDATE Z_METADATA SET Z_VERSION = 2",
    "UPDATE ZNOTE SET Z_ENT = 2", "PRAGMA user_version = 1",
    "UPDATE ZNOTE SET ZSCAN = x'02' || CAST('1A2B3C4D-0001-4000-8000-000000000001' AS BLOB) || x'00'",
  ])
  func theScriptSeesABrokenRule(_ damage: String) throws {
    let fixture = try StoreFixture(TestModels.everything())
    let owner = try fixture.insert("Owner", [[:]])[0]
    let note = try fixture.insert("Note", [["owner": .identity(owner), "text": .text("a")]])[0]
    let tag = try fixture.insert("Tag", [["name": .text("t")]])[0]
    let layouts = (try fixture.layout("Owner"), try fixture.layout("Note"))
    var changes = StoreChanges()
    changes.members = [
      .init(
        relationship: layouts.0.relationship(toMany: 0), owner: owner, added: [note], removed: [],
        order: [note]),
      .init(
        relationship: layouts.1.relationship(toMany: 0), owner: note, added: [tag], removed: [],
        order: nil),
    ]
    try fixture.store.save(changes)
    try fixture.close()
    let sound = try StoreChecker.checkRows(fixture.url)
    #expect(sound.status == 0, "\(sound.text)")
    try PlainSQL(url: fixture.url).execute(damage)
    #expect(try StoreChecker.checkRows(fixture.url).status == 1, "\(damage)")
  }
}
