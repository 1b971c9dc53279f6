import Foundation
import Predicates
import Testing

@Suite struct MalformedFormatTests {
  @Test func thereAreTwoHundred() { #expect(MalformedFormat.all.count >= 200) }

  @Test(arguments: MalformedFormat.all)
  func isAnErrorAtItsPlace(_ malformed: MalformedFormat) throws {
    let error = try #require(
      throws: PredicateFormatError.self,
      performing: { _ = try PredicateParser.parse(format: malformed.format) })
    #expect("\(error.position) \(error.reason)" == malformed.error)
    let text = "Unable to parse the format string \"\(malformed.format)\": \(error.reason)"
    #expect(error.description.hasPrefix(text))
    #expect(Self.marked(error) == Self.place(of: error))
  }

  /// What stands above the caret of an error's text.
  private static func marked(_ error: PredicateFormatError) -> Unicode.Scalar? {
    let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
    let (text, caret) = (Array(lines[lines.count - 2].unicodeScalars), lines[lines.count - 1])
    let column = caret.unicodeScalars.count - 1
    return column < text.count ? text[column] : nil
  }

  private static func place(of error: PredicateFormatError) -> Unicode.Scalar? {
    let scalars = Array(error.format.unicodeScalars)
    return error.position < scalars.count ? scalars[error.position] : nil
  }

  @Test func theEmptyFormatIsAnError() {
    let error = #expect(throws: PredicateFormatError.self) {
      _ = try PredicateParser.parse(format: "")
    }
    #expect(error?.position == 0)
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
