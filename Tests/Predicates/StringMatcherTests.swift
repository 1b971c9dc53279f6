import Foundation
import Predicates
import Testing

@Suite struct StringMatcherTests {
  private let texts = [
    "", "a", "A", "é", "É", "e\u{301}", "straße", "STRASSE", "İ", "ı", "Ada", "ádÁ", "abcABC",
    "ab\nc",
    "ﬁ", "FI", "Ω", "ω", "日本", "a*b", "😂",
  ]

  /// What Foundation says after folding both sides, with the rule that nothing contains an empty
  /// text.
  private func expected(
    _ operation: StringMatcher.Operation, _ text: String, _ pattern: String,
    _ options: Predicates.NSComparisonPredicate.Options
  ) -> Bool {
    let folding = StringFolding(options)
    let text = Array(folding.fold(text).unicodeScalars)
    let pattern = Array(folding.fold(pattern).unicodeScalars)
    switch operation {
    case .equal: return text == pattern
    case .beginsWith: return !pattern.isEmpty && text.starts(with: pattern)
    case .endsWith: return !pattern.isEmpty && text.reversed().starts(with: pattern.reversed())
    default:
      return !pattern.isEmpty && text.indices.contains { text[$0...].starts(with: pattern) }
    }
  }

  @Test(arguments: [
    Predicates.NSComparisonPredicate.Options(), .caseInsensitive, .diacriticInsensitive,
    [.caseInsensitive, .diacriticInsensitive], .normalized,
  ])
  func everyPairIsFoundAsByTheSlowWay(_ options: Predicates.NSComparisonPredicate.Options) throws {
    for operation in [StringMatcher.Operation.equal, .contains, .beginsWith, .endsWith] {
      for pattern in texts {
        let matcher = StringMatcher(operation, pattern: pattern, options: options)
        for text in texts {
          let answer = expected(operation, text, pattern, options)
          #expect(try matcher.matches(text) == answer, "\(text) \(operation) \(pattern) \(options)")
        }
      }
    }
  }

  @Test(arguments: [
    ("abc", "*", true), ("", "*", true), ("", "?", false), ("abc", "a*c", true),
    ("ac", "a*c", true),
    ("abc", "???", true), ("abc", "??", false), ("aXbXc", "a*b*c", true), ("日本語", "?本?", true),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*a*a*a*b", false), ("a?b", "a\\?b", true),
    ("axb", "a\\?b", false), ("a\\b", "a\\\\b", true), ("abcabc", "*abc", true),
    ("abcab", "*abc", false),
  ])
  func likeTakesWildcards(_ text: String, _ pattern: String, _ answer: Bool) throws {
    #expect(try StringMatcher(.like, pattern: pattern, options: []).matches(text) == answer)
  }

  @Test func aBadExpressionIsAnError() {
    let matcher = StringMatcher(.matches, pattern: "WoW{3, 4}(", options: [])
    #expect(throws: PredicateEvaluationError.self) { _ = try matcher.matches("x") }
  }
}
