import BrowserDriver
import Foundation
import Testing

/// What is wrong is answered in words, and nothing is lost.
@Suite struct BadInputTests {
  @Test func aFileThatIsNoStoreIsLeftAsItIs() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("letter.txt")
    let letter = Data(String(repeating: "Dear reader, this is no database. ", count: 50).utf8)
    try letter.write(to: file)
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--port", "0", "--store", file.path])
    #expect(status == 1)
    #expect(errors.contains("\(file.path) is not a SQLite database"))
    #expect(errors.contains("choose another file"))
    #expect(try Data(contentsOf: file) == letter)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["letter.txt"])
  }

  @Test func aStoreOfAnotherModelIsLeftAsItIs() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("Other.sqlite")
    try makeStoreOfAnotherModel(file)
    let before = try Data(contentsOf: file)
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--port", "0", "--store", file.path])
    #expect(status == 1)
    #expect(errors.contains("incompatible with the one used to create the store"))
    #expect(errors.contains("Choose another place with --store."))
    #expect(try Data(contentsOf: file) == before)
  }

  /// The same tables with a hash that no model of ours has.
  private func makeStoreOfAnotherModel(_ file: URL) throws {
    let metadata: [String: Any] = [
      "NSStoreType": "SQLite", "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionHashes": ["Item": Data(repeating: 7, count: 32)],
    ]
    let list = try PropertyListSerialization.data(
      fromPropertyList: metadata, format: .binary, options: 0)
    let digits = list.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try SQLiteShell.change(
      """
      CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 0);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', x'\(digits)');
      """, file)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func aFolderThatCannotBeWrittenToIsNamed() throws {
    let folder = try TemporaryFolder()
    let closed = folder.file("closed")
    try FileManager.default.createDirectory(
      at: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
    try expectRefusal(of: closed.appendingPathComponent("Lists.sqlite"), naming: closed.path)
  }

  @Test func aFolderInWhichNobodyMakesFilesIsNamed() throws {
    try expectRefusal(of: URL(fileURLWithPath: "/proc/Lists.sqlite"), naming: "/proc")
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing")
    try expectRefusal(of: missing.appendingPathComponent("Lists.sqlite"), naming: missing.path)
  }

  private func expectRefusal(of store: URL, naming path: String) throws {
    let folder = try TemporaryFolder()
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--port", "0", "--store", store.path])
    #expect(status == 1)
    #expect(errors.hasPrefix("nested-lists: "))
    #expect(errors.contains(path), "\(errors)")
  }

  @Test func aPortInUseIsNamed() throws {
    let folder = try TemporaryFolder()
    let first = try ApplicationProcess(store: folder.file("First.sqlite"))
    let port = first.address.port ?? 0
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--port", "\(port)", "--store", folder.file("Second.sqlite").path])
    #expect(status == 1)
    #expect(errors.contains("Port \(port) on 127.0.0.1 is in use by another program."))
    #expect(errors.contains("Choose another one with --port"))
  }

  @Test(arguments: [["--port", "70000"], ["--port", "many"], ["--seed=-1"], ["--stroe", "x"]])
  func argumentsThatMakeNoSenseAreExplained(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let (status, errors) = try ApplicationProcess.runToEnd(home: folder.url, arguments)
    #expect(status == 64)
    #expect(errors.contains("Error: ") && errors.contains("Usage: nested-lists"), "\(errors)")
  }

  @Test func aTitleOfAMegabyteIsRefusedAndNothingIsLost() async throws {
    try await withWindow { window, store in
      _ = try await window.add("Milk")
      let answer = try await window.add(String(repeating: "x", count: 1 << 20))
      #expect(answer.status == 413)
      #expect(answer.text.contains("at most 1024 KB"))
      try await window.hide()
      let titles = try SQLiteShell.query("SELECT ZTITLE FROM ZITEM", store)
      #expect(titles == ["Lists", "Milk"])
    }
  }

  @Test func aVeryLongTitleIsKeptWhole() async throws {
    try await withWindow { window, store in
      let answer = try await window.add(String(repeating: "long ", count: 100_000))
      #expect(answer.status == 204)
      try await window.hide()
      let length = try SQLiteShell.query("SELECT max(length(ZTITLE)) FROM ZITEM", store)
      #expect(length == ["499999"])
    }
  }

  @Test func anEventForARowThatIsGoneChangesNothing() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store, arguments: ["--seed", "3"])
    let window = try await WindowClient(application.address)
    let delete = ["type": "action", "id": window.table, "row": window.rows[0]]
    for event in [delete, delete, delete.merging(["type": "edit", "text": "typed"]) { $1 }] {
      #expect(try await window.send(event).status == 204)
    }
    try await window.hide()
    let titles = "SELECT ZTITLE FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER"
    try await SQLiteShell.wait(for: ["Trip to the coast", "House"], titles, store)
  }

  private func withWindow(_ body: (WindowClient, URL) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    try await body(try await WindowClient(application.address), store)
    application.kill()
  }
}
