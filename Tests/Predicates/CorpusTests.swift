import Foundation
import Predicates
import Testing

/// The formats of real code, from the table `reference/predicates.tsv` below `COREDATA_CORPUS`.
@Suite(.enabled(if: Corpus.folder != nil, "COREDATA_CORPUS is not set: no table of real formats"))
struct CorpusTests {
  @Test func everyFormatParsesPrintsAndParsesAgainToAnEqualOne() throws {
    let rows = try Corpus.rows()
    #expect(rows.count > 500)
    for row in rows { check(row) }
  }

  private func check(_ row: Corpus.Row) {
    if row.isCutOff {
      #expect(throws: PredicateFormatError.self, "\(row.format)") { _ = try text(row) }
      return
    }
    do {
      let (first, second) = try (text(row), textOfText(row))
      #expect(first == second, "\(row.id): \(row.format)")
    } catch {
      Issue.record("\(row.id): \(error)")
    }
  }

  private func text(_ row: Corpus.Row) throws -> String {
    do {
      return try PredicateParser.parse(format: row.format, arguments: row.arguments).printedFormat
    } catch  where row.mayBeExpression {
      return try PredicateParser.parse(expressionFormat: row.format, arguments: row.arguments)
        .description
    }
  }

  /// A UUID prints as Apple prints it, which no parser reads again.
  private func textOfText(_ row: Corpus.Row) throws -> String {
    let text = try text(row)
    if row.arguments.contains(where: { $0 is UUID }) { return text }
    guard let first = try? PredicateParser.parse(format: row.format, arguments: row.arguments)
    else {
      return try PredicateParser.parse(expressionFormat: text).description
    }
    let second = try PredicateParser.parse(format: first.printedFormat)
    #expect(first.isEqual(second) && first.hash == second.hash, "\(row.id): \(text)")
    return second.printedFormat
  }
}

enum Corpus {
  static var folder: String? { ProcessInfo.processInfo.environment["COREDATA_CORPUS"] }

  struct Row {
    let id: String
    let format: String
    let arguments: [Any?]
    let mayBeExpression: Bool
    /// The table's text ends inside of a string that the source goes on to build.
    let isCutOff: Bool
  }

  /// Throws when the table cannot be read: a folder that was named has to be there.
  static func rows() throws -> [Row] {
    let file = URL(fileURLWithPath: folder ?? "").appendingPathComponent("reference/predicates.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    return lines.map { row(of: $0.split(separator: "\t", omittingEmptySubsequences: false)) }
  }

  private static func row(of columns: [Substring]) -> Row {
    let format = withoutInterpolations(String(columns[1]))
    let kinds = columns[2].split(separator: ",").map(String.init)
    return Row(
      id: String(columns[0]), format: format, arguments: arguments(for: format, kinds),
      mayBeExpression: !format.contains(/==|!=|>=/) || columns[6].contains("NSExpression"),
      isCutOff: format.count { $0 == "'" } % 2 == 1)
  }

  /// Puts something of the right kind in place of Swift's `\(…)`.
  private static func withoutInterpolations(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: /\\#?\(/) {
      result += rest[..<start.lowerBound]
      let (inside, after) = balanced(rest[start.upperBound...])
      result += replacement(for: inside)
      rest = after
    }
    return result + rest
  }

  private static func balanced(_ text: Substring) -> (inside: Substring, after: Substring) {
    var depth = 1
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return (text[..<index], text[text.index(after: index)...]) }
    }
    return (text, "")
  }

  private static func replacement(for expression: Substring) -> String {
    if let path = expression.firstMatch(of: /#keyPath\(\w+\.([\w.]+)\)/) { return String(path.1) }
    if expression.contains(/perator/) { return "==" }
    if expression.contains(/requiresNot|^cs$/) { return "" }
    if expression.contains(/redicate|^o$/) { return "a == 1" }
    if expression.contains("false") { return "NO" }
    return expression == "0" ? "0" : "key"
  }

  /// One value for each conversion: of the kind that the table names when it names as many.
  private static func arguments(for format: String, _ kinds: [String]) -> [Any?] {
    let unquoted = format.replacing(/'[^']*'|"[^"]*"/, with: "")
    let conversions = unquoted.matches(of: /%(l*[a-zA-Z@])/).map { String($0.1) }
    return conversions.enumerated().map { index, conversion in
      let kind = kinds.count == conversions.count ? kinds[index] : ""
      return argument(conversion, kind)
    }
  }

  private static func argument(_ conversion: String, _ kind: String) -> Any? {
    switch (conversion, kind) {
    case ("K", _): "key"
    case ("@", "collection"): ["one", 2] as [Any]
    case ("@", "date"): Date(timeIntervalSinceReferenceDate: 500)
    case ("@", "bool"): true
    case ("@", "uuid"): UUID()
    case ("@", "int"), ("@", "NSNumber"): 7
    case ("@", "nil/NSNull"): nil
    case ("@", _): "some \"text\""
    default: 7
    }
  }
}
