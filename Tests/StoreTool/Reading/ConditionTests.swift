import CoreData
import Foundation
import StoreTool
import Testing

/// Texts in conditions that stand for values of other types, and words that are no predicate.
struct ConditionTests {
  private func titles(_ condition: String) throws -> [String] {
    try Library().lines("Book", .csv) {
      $0.condition = condition
      $0.columns = "title"
      $0.sort = "title"
    }.dropFirst().map { $0 }
  }

  private func value(_ column: String, of title: String) throws -> String {
    let library = try Library()
    let lines = try library.lines("Book", .csv) {
      $0.condition = "title == '\(title)'"
      $0.columns = column
    }
    return try #require(lines.last)
  }

  /// What the command prints is understood where it is typed.
  @Test func whatIsPrintedIsUnderstood() throws {
    let library = try Library()
    for column in ["published", "code", "price", "pages", "isRead"] {
      for line in try library.lines("Book", .csv, { $0.columns = "title,\(column)" }).dropFirst() {
        let parts = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { continue }
        let found = try library.lines("Book", .csv) {
          $0.condition = "\(column) == \"\(parts[1])\""
          $0.columns = "title"
        }
        #expect(found.dropFirst().contains(parts[0]), "\(column) \(line)")
      }
    }
  }

  @Test(arguments: [
    "published > \"1800-01-01\"", "published > '1800-01-01T00:00:00Z'",
    "\"1800-01-01\" < published", "published BETWEEN {'1800-01-01', '2100-01-01'}",
    "published >= '1800-01-01 00:00' AND NOT published > '2100-01-01'",
  ])
  func aDateIsUnderstoodInEveryForm(_ condition: String) throws {
    let all = try titles("published != nil")
    #expect(!all.isEmpty)
    #expect(try titles(condition) == all, "\(condition)")
  }

  @Test func theSameThroughARelationship() throws {
    let library = try Library()
    let found = try library.lines("Author", .csv) {
      $0.condition = "ANY books.published > '1800-01-01'"
      $0.columns = "name"
    }
    #expect(found.count > 1)
  }

  @Test(arguments: ["published > \"soon\"", "code == 'x'", "pages == 'many'"])
  func whatIsNoValueSaysWhatIsExpected(_ condition: String) throws {
    let error = #expect(throws: ToolError.self) { try titles(condition) }
    #expect(error?.status == .usage)
    #expect(error?.description.contains("expected") == true, "\(error?.description ?? "")")
  }

  @Test func wordsAreLookedForInAllTexts() throws {
    #expect(try titles("emma") == ["Emma"])
    #expect(try titles("EMM") == ["Emma"])
    #expect(try titles("nowhere to be found").isEmpty)
  }

  /// Names, numbers of telephones, addresses and the like have other characters than letters, too.
  @Test(arguments: [
    "+44 20", "50 %", "50%", "me@example.org", "a/b", "C++", "O'Brien", "why?", "#1", "naïve, yes",
    "…", "😀", "15:30", "_id", "*", "a; b", "don’t", "~/x", "^", "€ 5",
  ])
  func wordsHaveOtherCharacters(_ words: String) throws {
    let library = try Library()
    let run = try ToolRun("insert", library.url.path, "Book", "title=before \(words) after")
    #expect(run.status == 0, "\(run.errors)")
    let lines = try library.lines("Book", .csv) {
      $0.condition = words
      $0.columns = "title"
    }
    #expect(lines.dropFirst().contains { $0.contains("before") }, "\(lines)")
  }

  /// Somebody's attempt at a predicate is no search for words.
  @Test(arguments: [
    "title ==", "title = = 'x'", "(title", "pages > ", "title 'x'", "'x", "\"sea", "title +",
    "pages % 2",
    "title CONTAINS", "SELF IN {", "a && b", "$x",
  ])
  func aBrokenPredicateIsAnError(_ condition: String) throws {
    let error = #expect(throws: ToolError.self) { try titles(condition) }
    #expect(error?.description.contains("--where cannot be read") == true)
  }
}
