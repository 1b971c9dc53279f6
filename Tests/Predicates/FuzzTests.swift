import Foundation
import Predicates
import Testing

/// Random formats, mostly wrong ones: each gives a predicate that survives printing, or an error
/// with a position inside of the format.
@Suite struct FuzzTests {
  private static let pieces = [
    "a", "b.c", "$x", "SELF", "1", "2.5", "-3", "'text'", "\"q\\\"\"", "%@", "%K", "%d", "nil",
    "TRUE",
    "==", "!=", "<", ">=", "=<", "IN", "BETWEEN", "CONTAINS[cd]", "LIKE", "MATCHES[c]",
    "BEGINSWITH",
    "AND", "OR", "NOT", "&&", "||", "!", "(", ")", "{", "}", ",", "[", "]", "[FIRST]", "[0]", ".",
    ".@count",
    "+", "-", "*", "/", "**", "&", "|", "<<", "ANY", "ALL", "NONE", "SUBQUERY(", "TERNARY(",
    "CAST(",
    "FUNCTION(", "sum(", "now()", "UNION", "#size", "size", "@sum", "é", "\\", "'", "%", "\u{0}",
    "😂", ":",
  ]

  private func format(_ generator: inout SplitMix) -> String {
    let count = Int.random(in: 1...14, using: &generator)
    let pieces = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
    return pieces.joined(separator: Bool.random(using: &generator) ? " " : "")
  }

  @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
  func everyFormatParsesOrSaysWhere(_ seed: UInt64) {
    print("FuzzTests: seed \(seed)")
    var generator = SplitMix(state: seed)
    for _ in 0..<20_000 { check(format(&generator)) }
  }

  private func check(_ format: String) {
    let arguments: [Any?] = Array(repeating: "key", count: 14)
    do {
      let predicate = try PredicateParser.parse(format: format, arguments: arguments)
      let text = predicate.printedFormat
      let again = try PredicateParser.parse(format: text)
      #expect(again.printedFormat == text, "\(format)")
    } catch {
      #expect((0...format.unicodeScalars.count).contains(error.position), "\(format)")
      #expect(error.format == format, "\(format) prints \(error.format), which does not parse")
    }
  }
}

/// A generator whose sequence a seed decides.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
