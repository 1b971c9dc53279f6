import Foundation
import Predicates
import Testing

@Suite struct NestingTests {
  private static let count = 20_000

  private static func nested(_ opening: String, _ core: String, _ closing: String) -> String {
    String(repeating: opening, count: count) + core + String(repeating: closing, count: count)
  }

  @Test(arguments: [
    ("(", "a == 1", ")"), ("(", "a", ") == 1"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""),
    ("{", "", "} == 1"), ("abs(", "a", ") == 1"), ("a[", "1", "] == 1"), ("(", "", ""),
    ("-", "a == 1", ""),
    ("1 + ", "1 == 1", ""), ("2 ** ", "1 == 1", ""), ("TERNARY(a == 1, ", "1", ", 2) == 1"),
    ("SUBQUERY(a, $x, ", "a == 1", ").@count == 1"), ("a", " == 1", "[0]"),
  ])
  func nestingWithoutEndIsAnErrorAndNoOverflow(_ opening: String, _ core: String, _ closing: String)
  {
    #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: Self.nested(opening, core, closing))
    }
  }

  @Test func oneHundredThousandParenthesesAreAnError() {
    let format =
      String(repeating: "(", count: 100_000) + "a == 1" + String(repeating: ")", count: 100_000)
    let error = #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: format)
    }
    #expect(error?.position == 401)
  }

  @Test func aHundredThousandNegationsAreAnError() {
    let format = String(repeating: "NOT ", count: 100_000) + "a == 1"
    let error = #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: format)
    }
    #expect(error?.reason.contains("nested deeper than 400 levels") == true)
  }

  @Test func aLongChainIsFlat() throws {
    let format = Array(repeating: "a == 1", count: Self.count).joined(separator: " OR ")
    let predicate = try PredicateParser.parse(format: format)
    #expect((predicate as? CompoundPredicate)?.subpredicates.count == Self.count)
    #expect(predicate.evaluate(with: ["a": 1]))
  }

  @Test func nestingWithinTheLimitParsesPrintsAndEvaluates() throws {
    let format = String(repeating: "(", count: 300) + "a == 1" + String(repeating: ")", count: 300)
    let predicate = try PredicateParser.parse(format: format)
    #expect(predicate.description == "a == 1")
    let sum = Array(repeating: "1", count: 1_990).joined(separator: " + ")
    #expect(try PredicateParser.parse(format: "\(sum) == 1990").evaluate(with: nil))
  }
}
