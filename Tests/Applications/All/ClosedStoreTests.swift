import Foundation
import Testing

/// What an application leaves when it ends: one file, which can be copied.
@Suite struct ClosedStoreTests {
  @Test(arguments: ["nested-lists", "goods", "books", "heroes", "employees", "todomvc"])
  func theFileIsWholeWithoutALog(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Store.sqlite")
    let end = try TerminalApplication.plain(name, store: store, arguments: ["--seed", "20"], [])
    #expect(end.status == 0, "\(end.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.filter { $0.hasPrefix("Store.sqlite") } == ["Store.sqlite"], "\(names)")
    #expect(try SQLiteShell.query("SELECT SUM(Z_MAX) > 0 FROM Z_PRIMARYKEY", store) == ["1"])
  }
}
