import Foundation
import Testing

@testable import Predicates

/// The tokens of a format are kept; what is made of them is not.
@Suite struct KnownFormatsTests {
  @Test func aFormatThatWasUsedBeforeTakesOtherArguments() throws {
    let format = "%K BEGINSWITH[c] %@ AND order < %d"
    for (key, text, number) in [("title", "a", 1), ("owner.name", "b", 2), ("SELF", "c", 3)] {
      let predicate = try PredicateParser.parse(format: format, arguments: [key, text, number])
      #expect(predicate.printedFormat == "\(key) BEGINSWITH[c] \"\(text)\" AND order < \(number)")
    }
  }

  @Test func lettersWithAccentsStayAsTheyAreWritten() throws {
    for letter in ["\u{E9}", "e\u{301}", "\u{E9}"] {
      let predicate = try PredicateParser.parse(format: "a == '\(letter)'")
      #expect(Array(predicate.printedFormat.utf8) == Array("a == \"\(letter)\"".utf8))
    }
  }

  @Test func anErrorIsTheSameAtTheSecondTime() throws {
    let errors = (0..<2).map { _ in
      #expect(throws: PredicateFormatError.self) { try PredicateParser.parse(format: "a == #") }
    }
    #expect(errors[0]?.description == errors[1]?.description && errors[0] != nil)
  }

  @Test func manyFormatsAndLongOnesAreReadAsEver() throws {
    for number in 0..<1_000 {
      let predicate = try PredicateParser.parse(format: "key\(number) == \(number)")
      #expect(predicate.printedFormat == "key\(number) == \(number)")
    }
    let long = (0..<200).map { "key\($0) == \($0)" }.joined(separator: " AND ")
    for _ in 0..<2 {
      #expect(try PredicateParser.parse(format: long).printedFormat == long)
    }
  }
}
