import Foundation
import StoreTool
import Testing

/// The statements that `OPENCOREDATA_SQL_DEBUG` prints, with the numbers of their rows.
struct StatementTraceTests {
  /// Statements with the rows that they are said to have.
  private static func statements(_ arguments: [String]) throws -> [(sql: String, rows: Int)] {
    let run = try ToolRun(arguments, environment: ["OPENCOREDATA_SQL_DEBUG": "1"])
    #expect(run.status == 0, "\(run.errors)")
    var found: [(String, Int)] = []
    var sql = ""
    for line in run.errors.split(separator: "\n") {
      if let text = line.wholeMatch(of: #/CoreData: sql: (.*)/#) { sql = String(text.1) }
      if let end = line.firstMatch(of: #/ for (\d+) rows\.$/#), let rows = Int(end.1) {
        found.append((sql, rows))
      }
    }
    return found
  }

  @Test func aStatementThatReadsOneRowSaysOne() throws {
    let library = try Library()
    let found = try Self.statements(["query", library.url.path, "Author", "--columns", "name"])
    let short = found.filter { $0.sql.hasSuffix("LIMIT 1") }
    #expect(!short.isEmpty)
    for statement in short { #expect(statement.rows <= 1, "\(statement)") }
    let names = found.filter { $0.sql.contains("FROM ZAUTHOR") }.map(\.rows)
    #expect(names == [try library.lines("Author").count])
  }

  /// What changes no rows does not have those of the change before it.
  @Test func onlyChangesSayRowsThatChanged() throws {
    let library = try Library()
    let found = try Self.statements([
      "set", library.url.path, "Book", "--where", "title != nil", "pages=7", "--no-backup",
    ])
    let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "PRAGMA"]
    for statement in found where !words.contains(where: statement.sql.hasPrefix) {
      #expect(statement.rows == 0, "\(statement)")
    }
    let saved = found.filter { $0.sql.hasPrefix("UPDATE ZBOOK SET") }
    #expect(!saved.isEmpty && saved.allSatisfy { $0.rows == 1 }, "\(saved)")
    #expect(found.contains { $0.sql == "BEGIN IMMEDIATE" })
  }
}
