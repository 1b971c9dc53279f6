import Foundation
import Testing

/// The file that the application makes, seen by SQLite's own shell.
@Suite struct ListStoreTests {
  @Test func theSchemaIsThatOfCoreData() throws {
    try withStore { store in
      let schema = try SQLiteShell.query(".schema", store)
      // The tables of the history follow.
      let expected: [String] = [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZORDER INTEGER, ZPARENT INTEGER, ZTITLE VARCHAR );",
        "CREATE INDEX ZITEM_ZPARENT_INDEX ON ZITEM (ZPARENT);",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
          + "Z_MAX INTEGER);",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), "
          + "Z_PLIST BLOB);",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);",
      ]
      #expect(Array(schema.prefix(5)) == expected)
      let pragmas = try SQLiteShell.query("PRAGMA journal_mode; PRAGMA integrity_check", store)
      #expect(pragmas == ["wal", "ok"])
    }
  }

  @Test func rowsHaveTheirEntityAndTheirVersion() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    let window = try await WindowClient(application.address)
    for title in ["Milk", "Bread"] { _ = try await window.add(title) }
    try await window.hide()
    try await SQLiteShell.wait(
      for: ["2|1|1|0|1|Milk", "3|1|1|1|1|Bread"],
      "SELECT * FROM ZITEM WHERE Z_PK > 1 ORDER BY Z_PK", store)
    // The root was saved alone, then with the list that it got: at once, or with an idle moment
    // between the two items.
    try await SQLiteShell.wait(
      for: ["1|1|Lists|1"],
      "SELECT Z_ENT, ZPARENT IS NULL, ZTITLE, Z_OPT IN (2, 3) FROM ZITEM WHERE Z_PK = 1", store)
    try await SQLiteShell.wait(
      for: ["1|Item|0|3"], "SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT < 16000", store)
  }

  @Test func bookkeepingNamesTheModelAndTheStore() throws {
    try withStore { store in
      let row = try SQLiteShell.query("SELECT Z_VERSION, Z_UUID FROM Z_METADATA", store)
      #expect(row.count == 1)
      #expect(row.first?.wholeMatch(of: /1\|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil)
      let list = try metadata(of: store)
      #expect(list["NSStoreType"] as? String == "SQLite")
      #expect(list["NSStoreModelVersionHashesVersion"] as? Int == 3)
      #expect(list["NSStoreModelVersionIdentifiers"] as? [String] == [""])
      #expect(list["_NSAutoVacuumLevel"] as? String == "2")
      let hashes = list["NSStoreModelVersionHashes"] as? [String: Data]
      #expect(hashes?.mapValues(\.count) == ["Item": 32])
      let models = try SQLiteShell.query("SELECT length(Z_CONTENT) > 100 FROM Z_MODELCACHE", store)
      #expect(models == ["1"])
    }
  }

  /// A script works hashes, digest and checksum out from the model's XML by another way.
  @Test func theStoreIsThatOfItsModelFile() throws {
    try withStore { store in
      // The history is no part of the model.
      try SQLiteShell.change(
        """
        DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING;
        DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000;
        """, store)
      let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3"]
      process.arguments? += [
        "Tests/CoreData/Fixtures/check_store.py", "Examples/NestedLists/NestedLists.xcdatamodeld",
      ].map { checkout.appendingPathComponent($0).path }
      process.arguments?.append(store.path)
      process.standardOutput = output
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test func theRootIsMadeOnceAndFoundAgain() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    for _ in 0..<3 {
      let application = try ApplicationProcess(store: store)
      _ = try await WindowClient(application.address)
      #expect(application.terminate() == 0)
    }
    try await SQLiteShell.wait(for: ["Lists"], "SELECT ZTITLE FROM ZITEM", store)
  }

  @Test func theRootIsRememberedInUserDefaults() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    _ = try await WindowClient(application.address)
    application.kill()
    let settings = try Data(contentsOf: folder.file(".config/nested-lists.plist"))
    let list = try PropertyListSerialization.propertyList(from: settings, format: nil)
    let root = (list as? [String: Any])?["NestedListsRootItem"] as? String
    let identifier = try SQLiteShell.query("SELECT Z_UUID FROM Z_METADATA", store).joined()
    #expect(root == "x-coredata://\(identifier)/Item/p1")
  }

  private func withStore(_ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store, arguments: ["--seed", "20"])
    try body(store)
    application.kill()
  }

  private func metadata(of store: URL) throws -> [String: Any] {
    let digits = try SQLiteShell.query("SELECT hex(Z_PLIST) FROM Z_METADATA", store).joined()
    let bytes = stride(from: 0, to: digits.utf8.count, by: 2).compactMap { place in
      UInt8(digits.dropFirst(place).prefix(2), radix: 16)
    }
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    return list as? [String: Any] ?? [:]
  }
}
