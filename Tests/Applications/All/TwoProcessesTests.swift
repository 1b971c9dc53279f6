import Foundation
import TerminalDriver
import Testing
import TestSupport

/// Several processes on one file.
@Suite(.serialized)
struct TwoProcessesTests {
  private typealias Keys = TerminalProcess

  // MARK: - First starts

  @Test func threeFirstStartsAtOnceMakeOneRootAndOneSeed() throws {
    for _ in 0..<5 {
      let folder = try TemporaryFolder()
      let store = folder.file("Lists.sqlite")
      let starts = try (0..<3).map { _ in
        try Self.plainStart(store, home: folder.url, ["--seed", "30"])
      }
      for start in starts { start.process.waitUntilExit() }
      #expect(starts.map(\.process.terminationStatus) == [0, 0, 0])
      #expect(
        try SQLiteShell.query("SELECT count(*), sum(ZPARENT IS NULL) FROM ZITEM", store)
          == ["31|1"])
    }
  }

  @Test func twoRootsOfAnEarlierVersionBecomeOneAndThatIsSaid() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    try Self.plainStart(store, home: folder.url, ["--seed", "5"]).process.waitUntilExit()
    try SQLiteShell.change(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZTITLE) VALUES (90, 1, 1, 0, 'Lists');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZTITLE)
      VALUES (91, 1, 1, 0, 90, 'Lost');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 91 WHERE Z_ENT = 1;
      """, store)
    let start = try Self.plainStart(store, home: folder.url, [])
    let errors = start.errors.fileHandleForReading.readDataToEndOfFile()
    start.process.waitUntilExit()
    #expect(String(decoding: errors, as: UTF8.self).contains("had 2 lists to begin with"))
    let roots = try SQLiteShell.query("SELECT Z_PK FROM ZITEM WHERE ZPARENT IS NULL", store)
    #expect(roots == ["1"])
    let lost = try SQLiteShell.query(
      "SELECT ZPARENT, ZORDER FROM ZITEM WHERE ZTITLE = 'Lost'", store)
    #expect(lost == ["1|5"])
  }

  /// Other programs write items without a list.
  @Test(arguments: [false, true]) func whatIsInNoListComesIntoTheFirst(isFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    try Self.plainStart(store, home: folder.url, []).process.waitUntilExit()
    // Where they are older than the list, too.
    let list = isFirst ? "UPDATE ZITEM SET Z_PK = 99 WHERE Z_PK = 1;" : ""
    try SQLiteShell.change(
      """
      \(list)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZTITLE) VALUES (90, 1, 1, 0, 'Important');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZTITLE) VALUES (91, 1, 1, 0, 'Too');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZTITLE)
      VALUES (92, 1, 1, 0, 90, 'Inside');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_ENT = 1;
      """, store)
    let start = try Self.plainStart(store, home: folder.url, [])
    let errors = start.errors.fileHandleForReading.readDataToEndOfFile()
    start.process.waitUntilExit()
    #expect(
      String(decoding: errors, as: UTF8.self).contains(
        "What was in no list is at the end of “Lists” now: “Important”, “Too”."))
    let items = try SQLiteShell.query(
      "SELECT i.ZTITLE, p.ZTITLE, i.ZORDER FROM ZITEM i JOIN ZITEM p ON i.ZPARENT = p.Z_PK ORDER BY i.Z_PK",
      store)
    #expect(items == ["Important|Lists|0", "Too|Lists|1", "Inside|Important|0"])
    let roots = try SQLiteShell.query("SELECT ZTITLE FROM ZITEM WHERE ZPARENT IS NULL", store)
    #expect(roots == ["Lists"])
  }

  /// A process in plain mode, which ends with its empty input.
  private static func plainStart(
    _ store: URL, home: URL, _ arguments: [String]
  ) throws -> (process: Process, errors: Pipe) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = try BuiltProgram.url("nested-lists")
    process.arguments = ["--terminal", "plain", "--store", store.path] + arguments
    process.environment = ApplicationProcess.environment(home: home)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    return (process, errors)
  }

  // MARK: - Following

  @Test func whatOneTerminalSavesAppearsOnTheOther() throws {
    let folder = try TemporaryFolder()
    let (first, second) = try Self.twoTerminals(folder)
    let clock = ContinuousClock()
    let times = try (0..<5).map { number in
      try clock.measure {
        first.type("nTea \(number)\r" + Keys.escape)
        try second.wait(for: "Tea \(number)")
      }
    }
    print("From Return in one terminal to the other's screen: \(times.sorted()[2]) (median)")
    second.type("gr\u{15}Rye\r")
    try first.wait(for: "Rye")
    second.type("d")
    try first.waitForAbsence(of: "Rye")
  }

  @Test func aRowThatAnotherProcessDeletesUnderAnEditIsTold() throws {
    let folder = try TemporaryFolder()
    let (first, second) = try Self.twoTerminals(folder)
    first.type("nTea\r" + Keys.escape)
    try second.wait(for: "Tea")
    second.type("gr\u{15}Green tea")
    try second.wait(for: "Green tea")
    first.type("gd")
    try second.wait(for: "That row was deleted. You typed: Green tea")
  }

  @Test func aTitleThatAnotherProcessGaveMeanwhileIsAskedAbout() throws {
    let folder = try TemporaryFolder()
    let (first, second) = try Self.twoTerminals(folder)
    first.type("nTea\r" + Keys.escape)
    try second.wait(for: "Tea")
    second.type("gr\u{15}Green tea")
    try second.wait(for: "Green tea")
    first.type("gr\u{15}Black tea\r")
    try first.wait(for: "Undo Rename “Black tea”")
    // The other's list has merged it once another row is there, too.
    first.type("nRye\r")
    try second.wait(for: "Rye")
    second.type("\r")
    try second.wait(for: "Renamed by somebody else")
  }

  // MARK: - A list that goes while something is put into it

  /// Return in one terminal and Delete in the other, within milliseconds: whoever has typed is told
  /// of it, and what has been in the store comes back with its list.
  @Test(arguments: 0..<4)
  func aRowThatGoesWithItsListIsToldAndComesBack(_ round: Int) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let (first, second) = try Self.twoTerminals(folder)
    first.type("nGroceries\r" + Keys.escape)
    try second.wait(for: "Groceries")
    try SQLiteShell.change(
      """
      CREATE TABLE SEEN (T TEXT);
      CREATE TRIGGER SEEN_I AFTER INSERT ON ZITEM BEGIN INSERT INTO SEEN VALUES (NEW.ZTITLE); END;
      """, store)
    second.type("gl")
    try second.wait(for: "Nothing in this list yet")
    second.type("nMilk")
    try second.wait(for: "Milk")
    first.type("g")
    // Before, between and after.
    if round % 2 == 0 {
      second.type("\r")
      first.type("d")
    } else {
      first.type("d")
      second.type("\r")
    }
    try second.wait(for: "You typed: Milk")
    try await SQLiteShell.wait(for: ["1"], "SELECT COUNT(*) FROM ZITEM", store)
    let wasThere = try SQLiteShell.query("SELECT COUNT(*) FROM SEEN WHERE T = 'Milk'", store)
    first.type("u")
    try await SQLiteShell.wait(
      for: ["1"], "SELECT COUNT(*) FROM ZITEM WHERE ZTITLE = 'Groceries'", store)
    let items = try SQLiteShell.query(
      """
      SELECT COUNT(*) FROM ZITEM i JOIN ZITEM p ON i.ZPARENT = p.Z_PK
      WHERE i.ZTITLE = 'Milk' AND p.ZTITLE = 'Groceries'
      """, store)
    #expect(items == wasThere)
  }

  private static func twoTerminals(
    _ folder: TemporaryFolder
  ) throws -> (TerminalProcess, TerminalProcess) {
    let store = folder.file("Lists.sqlite")
    let first = try TerminalApplication("nested-lists", store: store).process
    try first.wait(for: "New item")
    let second = try TerminalApplication("nested-lists", store: store).process
    try second.wait(for: "New item")
    return (first, second)
  }

  // MARK: - Locks

  @Test func aStoreThatIsLockedIsWaitedForWithWords() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let lists = try TerminalApplication("nested-lists", store: store).process
    try lists.wait(for: "New item")
    let shell = Process()
    let (input, output) = (Pipe(), Pipe())
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["sqlite3", store.path]
    (shell.standardInput, shell.standardOutput) = (input, output)
    try shell.run()
    let begin = "BEGIN IMMEDIATE;\nSELECT 'locked';\n"
    try input.fileHandleForWriting.write(contentsOf: Data(begin.utf8))
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    lists.type("nTea\r")
    try lists.wait(for: "Waiting for another program that is writing to Lists.sqlite")
    // The screen goes on meanwhile.
    lists.resize(columns: 70, rows: 20)
    try lists.wait(for: "Tea")
    try input.fileHandleForWriting.write(contentsOf: Data("COMMIT;\n.quit\n".utf8))
    try input.fileHandleForWriting.close()
    shell.waitUntilExit()
    try lists.waitForAbsence(of: "Waiting for")
    try await SQLiteShell.wait(
      for: ["1"], "SELECT count(*) FROM ZITEM WHERE ZTITLE = 'Tea'", store)
  }

  // MARK: - Random keys

  /// A short form of what the script does for a minute.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux"),
      "tmux is not installed: Debian's package has it"))
  func randomKeysInTwoTerminalsEndWithEqualListsAndLoseNothing() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", root.appendingPathComponent("Scripts/two-terminals").path,
      try BuiltProgram.url("nested-lists").path, "--seconds", "5", "--measures", "4",
    ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
