import Foundation
import Predicates
import Testing

/// A format that has no meaning, and the place where an error has to point (nil where several would
/// do).
struct MalformedFormat: CustomTestStringConvertible, Sendable {
  let format: String
  let position: Int?

  init(_ format: String, at position: Int? = nil) {
    self.format = format
    self.position = position
  }

  var testDescription: String { format.isEmpty ? "the empty format" : format }
}

private let malformed: [MalformedFormat] = [
  .init("name = 'Pepe's'", at: 14), .init("ssid == 'JR's Pad'", at: 17),
  .init("xxx == 5475f323e4b09e6d7a7a151e", at: 7), .init("!($A.value == 1).value", at: 2),
  .init("a=1 OR b CONTAIN 'x'", at: 9), .init("étrange == 'x'", at: 0),
  .init("name = '!$&'()*+,;='"), .init("p == %@ and (not (%@))"),
  .init("(a='x'ANDb='y')", at: 6), .init("1", at: 0), .init("0 || 1", at: 0), .init("TRUE", at: 0),
  .init("FALSE", at: 0), .init("%k like %@", at: 0), .init("SELF like[c] %@?%@", at: 15),
  .init("? = 'ABC'", at: 0), .init("~(1) == 0", at: 0),
  .init("'FUNCTION('a', 'uppercase')'", at: 11),
  .init("FUNCTION('abc', func, a) == 1", at: 16), .init("foo == @%", at: 8), .init("", at: 0),
  .init("name ==", at: 7), .init("== 'x'", at: 0), .init("name 'x'", at: 5),
  .init("name == 'x' AND", at: 15), .init("AND name == 'x'", at: 0), .init("(name == 'x'", at: 12),
  .init("name == 'x')", at: 11), .init("name === 'x'", at: 7), .init("name =! 'x'", at: 6),
  .init("name LIKES 'x'", at: 5), .init("name BEGINS WITH 'x'", at: 5),
  .init("name IS NULL", at: 5),
  .init("name NOT IN {1}", at: 5), .init("age BETWEEN 1 AND 5", at: 18),
  .init("name IN ('a', 'b')", at: 12), .init("name IN {'a', 'b'", at: 17),
  .init("name IN {'a' 'b'}", at: 13), .init("name == \"abc", at: 8),
  .init("SUBQUERY(a, x, x == 1).@count > 0", at: 12), .init("SUBQUERY(a, $x).@count > 0", at: 14),
  .init("ANY (a == 1 AND b == 2)"), .init("ANY a", at: 5), .init("NOT", at: 3),
  .init("a == b == c", at: 7), .init("a[", at: 2), .init("a[] == 1", at: 2),
  .init("a..b == 1", at: 2),
  .init("a. == 1", at: 3), .init("$ == 1", at: 1), .init("name CONTAINS[c 'a'", at: 16),
  .init("name ==[x] 'a'", at: 8), .init("name == %", at: 8), .init("TERNARY(a, 1, 2) == 1", at: 8),
  .init("size == 3", at: 0), .init("first == 1", at: 0), .init("CAST(1) == 1", at: 6),
  .init("a == 0x", at: 5), .init("a == 1.2.3", at: 8), .init("a == 1 && && b == 2", at: 10),
  .init("a == 1; b == 2", at: 6), .init("WHERE a = 1", at: 6), .init("a = 1 ORDER BY b", at: 6),
  .init("a == :param", at: 5), .init("count == %d", at: 9), .init("name == %@", at: 8),
  .init("nosuchfunction(a) == 1", at: 0), .init("a UTI-EQUALS 'public.text'", at: 2),
  .init("$x := 1", at: 3), .init("a == '\\uD800'", at: 8), .init("a == '\\xZZ'", at: 8),
  .init("a == 1 OR", at: 9), .init("()", at: 1), .init("{1, 2", at: 5), .init("a == {1, }", at: 9),
  .init("NOT 1", at: 4), .init("a AND b", at: 0), .init("(a == 1) + 2 == 3", at: 1),
  .init("a == (b == c)", at: 6), .init("a == 1 b", at: 7), .init("a == 1 NOT", at: 7),
  .init("ANY", at: 3), .init("ALL == 1", at: 4), .init("a.5 == 1", at: 2), .init("a == 5x", at: 5),
  .init("a == 99999999999999999999e999", at: 5), .init("FETCH(a, b) == 1", at: 10),
  .init("TERNARY(a == 1, 2) == 1", at: 17), .init("a ==[] 1", at: 5), .init("#", at: 1),
  .init("@ == 1", at: 1), .init("a == 'x' 'y'", at: 9), .init("max:( == 1", at: 6),
  .init("a == `b`", at: 5), .init("[a] == 1", at: 0), .init("a == 1,", at: 6),
  .init("a == }", at: 5),
]

@Suite struct MalformedFormatTests {
  @Test(arguments: malformed) func isAnErrorAtItsPlace(_ malformed: MalformedFormat) {
    let error = #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: malformed.format)
    }
    if let position = malformed.position { #expect(error?.position == position) }
    let text = "Unable to parse the format string \"\(malformed.format)\""
    #expect(error?.description.hasPrefix(text) == true)
  }

  @Test(arguments: [
    "12.845 * x.0 + x.1", "a12.845 * x[0]", "12.845 == 12.845", "TRUEPREDICATE", "a.d.0 + 1", "",
  ])
  func isNoExpression(_ format: String) {
    #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(expressionFormat: format)
    }
  }

  @Test func anArgumentOfTheWrongKindIsAnError() {
    for (format, argument) in [
      ("a == %d", "text" as Any), ("%K == 1", 5), ("%K == 1", ""), ("a == %s", Date()),
    ] {
      #expect(throws: PredicateFormatError.self) {
        _ = try PredicateParser.parse(format: format, arguments: [argument])
      }
    }
  }

  @Test func aPredicateIsNoValueOfAnArgument() {
    let inner = NSPredicate(format: "a == 1")
    #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: "p == %@ and (not (%@))", arguments: [1, inner])
    }
  }

  @Test func theTextShowsThePlace() {
    let error = #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: "name CONTAIN 'x'")
    }
    #expect(
      error?.description == """
        Unable to parse the format string "name CONTAIN 'x'": expected an operator, found \
        "CONTAIN", at position 5:
          name CONTAIN 'x'
               ^
        """)
  }
}
