import CoreData
import Foundation
import Testing

/// Windows whose events arrive at the same time.
@Suite(.serialized) struct ListGateTests {
  /// Each of two rows is dropped onto the other, by two windows at once: one of them goes into the other, and
  /// both can be reached.
  @Test func rowsThatAreDroppedOntoEachOtherMakeNoCircle() async throws {
    try await withLists(arguments: ["--seed", "12"]) { application, store in
      for pair in 0..<6 {
        let (one, other) = try await windows(application, 2)
        let (x, y) = (pair % 2 == 0 ? 0 : 1, pair % 2 == 0 ? 1 : 0)
        async let down = one.send(drop(one, x, onto: y))
        async let up = other.send(drop(other, y, onto: x))
        #expect(try await [down.status, up.status] == [204, 204])
      }
      try await SQLiteShell.wait(for: [], Self.unreachable, store)
      try await SQLiteShell.wait(for: ["13"], "SELECT count(*) FROM ZITEM", store)
    }
  }

  @Test func manyWhoPressReturnAtOnceGetAnOrderEach() async throws {
    try await withLists { application, store in
      let windows = try await windows(application, count: 20)
      for round in 0..<5 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (number, window) in windows.enumerated() {
            group.addTask {
              let answer = try await window.add("w\(number) r\(round)")
              #expect(answer.status == 204)
            }
          }
          try await group.waitForAll()
        }
      }
      let orders = try SQLiteShell.query(
        "SELECT ZORDER FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER", store)
      #expect(orders == (0..<100).map { "\($0)" })
    }
  }

  @Test(arguments: ["todomvc", "nested-lists"])
  func twoWhoAddAtOnceStandOneAfterTheOther(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Store.sqlite")
    let application = try ApplicationProcess(name, store: store)
    let one = try await WindowClient(application.address)
    let other = try await WindowClient(application.address)
    for round in 0..<20 {
      async let first = one.add("one \(round)")
      async let second = other.add("other \(round)")
      #expect(try await [first.status, second.status] == [204, 204])
    }
    let table = name == "todomvc" ? "ZTODO" : "ZITEM WHERE ZPARENT NOT NULL"
    try await SQLiteShell.wait(
      for: ["40|40"], "SELECT count(*), count(DISTINCT ZORDER) FROM \(table)", store)
    application.kill()
  }

  // MARK: - What earlier versions have left

  @Test func aStartMendsCirclesAndEqualOrdersAndSaysSo() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    try ApplicationProcess(store: store, arguments: ["--seed", "30"]).terminate()
    // Two circles, of two lists and of one in itself; and three items at one place.
    try SQLiteShell.change(
      """
      UPDATE ZITEM SET ZPARENT = 3 WHERE Z_PK = 2; UPDATE ZITEM SET ZPARENT = 2 WHERE Z_PK = 3;
      UPDATE ZITEM SET ZPARENT = 4 WHERE Z_PK = 4; UPDATE ZITEM SET ZORDER = 5 WHERE Z_PK IN (6, 7, 8);
      """, store)
    let application = try ApplicationProcess(store: store)
    try await SQLiteShell.wait(for: [], Self.unreachable, store)
    try await SQLiteShell.wait(for: [], Self.equal, store)
    try await SQLiteShell.wait(for: ["31"], "SELECT count(*) FROM ZITEM", store)
    try await SQLiteShell.wait(
      for: [
        "1", "2", "1",
      ], "SELECT ZPARENT FROM ZITEM WHERE Z_PK IN (2, 3, 4)", store)
    let complaints = try application.complaints
    #expect(complaints.contains("nested-lists: Lists were inside of each other"))
    #expect(complaints.contains("In “Lists” are now: “Groceries”, “House”."))
    #expect(complaints.contains("nested-lists: Items of 2 lists had the same place"))
    #expect(application.terminate() == 0)
    // Once.
    let again = try ApplicationProcess(store: store)
    #expect(try again.complaints == "")
    again.kill()
  }

  @Test func todosWithOnePlaceAreNumberedAnew() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Todos.sqlite")
    try ApplicationProcess("todomvc", store: store, arguments: ["--seed", "10"]).terminate()
    try SQLiteShell.change("UPDATE ZTODO SET ZORDER = 4 WHERE ZORDER IN (5, 6)", store)
    let application = try ApplicationProcess("todomvc", store: store)
    let orders = try SQLiteShell.query("SELECT ZORDER FROM ZTODO ORDER BY Z_PK", store)
    #expect(orders == (0..<10).map { "\($0)" })
    #expect(try application.complaints.contains("todomvc: Some todos had the same place"))
    application.kill()
  }

  // MARK: -

  /// Items that nobody reaches from the root.
  private static let unreachable = """
    WITH RECURSIVE r(k) AS (SELECT Z_PK FROM ZITEM WHERE ZPARENT IS NULL
      UNION SELECT Z_PK FROM ZITEM, r WHERE ZPARENT = k)
    SELECT ZTITLE FROM ZITEM WHERE Z_PK NOT IN (SELECT k FROM r)
    """
  private static let equal = """
    SELECT ZPARENT, ZORDER FROM ZITEM WHERE ZPARENT NOT NULL GROUP BY 1, 2 HAVING count(*) > 1
    """

  private func drop(_ window: WindowClient, _ row: Int, onto target: Int) -> [String: String] {
    [
      "type": "drop", "id": window.table, "row": window.rows[row], "target": window.rows[target],
    ]
  }

  private func windows(
    _ application: ApplicationProcess, count: Int
  ) async throws -> [WindowClient] {
    var windows: [WindowClient] = []
    for _ in 0..<count { windows.append(try await WindowClient(application.address)) }
    return windows
  }

  private func windows(
    _ application: ApplicationProcess, _ count: Int
  ) async throws -> (WindowClient, WindowClient) {
    let windows = try await windows(application, count: count)
    return (windows[0], windows[1])
  }

  private func withLists(
    arguments: [String] = [], _ body: (ApplicationProcess, URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store, arguments: arguments)
    try await body(application, store)
    application.kill()
  }
}
