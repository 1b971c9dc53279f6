import Foundation
import Predicates
import Testing
import TestSupport

/// Formats at random: each gives a predicate that survives printing, or an error with a position
/// inside of the format, and in no time.
///
/// `FUZZ_SEED` repeats a run whose seed was printed, `FUZZ_SECONDS` makes it longer: `make fuzz`.
@Suite(.serialized) struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// The processor time that one format may take, seconds, which only a hang exceeds. What else the machine does is no part
  /// of it.
  private static let patience = 10.0

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var grammar: FormatGrammar {
    let given = environment["FUZZ_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("FuzzTests: seed \(seed)")
    return FormatGrammar(generator: SplitMix64(seed: seed))
  }

  /// Does the work a few thousand times, or for a third of the seconds that were asked for.
  private func repeatedly(_ count: Int, _ body: () -> Void) {
    guard let seconds = Self.environment["FUZZ_SECONDS"].flatMap(Double.init) else {
      return (0..<count).forEach { _ in body() }
    }
    let end = ContinuousClock.now + .seconds(seconds / 3)
    var formats = 0
    while ContinuousClock.now < end {
      body()
      formats += 1
    }
    print("FuzzTests: \(formats) formats")
  }

  private static let pieces = [
    "a", "b.c", "$x", "SELF", "1", "2.5", "-3", "'text'", "\"q\\\"\"", "%@", "%K", "%d", "nil",
    "TRUE", "==", "!=", "<", ">=", "=<", "IN", "BETWEEN", "CONTAINS[cd]", "LIKE", "MATCHES[c]",
    "BEGINSWITH", "AND", "OR", "NOT", "&&", "||", "!", "(", ")", "{", "}", ",", "[", "]", "[FIRST]",
    "[0]", ".", ".@count", "+", "-", "*", "/", "**", "&", "|", "<<", "ANY", "ALL", "NONE",
    "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "FETCH(", "sum(", "now()", "UNION", "#size",
    "size", "@sum", "é", "\\", "'", "%", "%%", "\u{0}", "😂", ":", ":=",
  ]

  @Test func wordsInAnyOrderParseOrSayWhere() {
    var grammar = Self.grammar
    repeatedly(5_000) {
      let count = Int.random(in: 1...14, using: &grammar.generator)
      let pieces = (0..<count).map { _ in grammar.pick(Self.pieces) }
      _ = check(pieces.joined(separator: grammar.pick(["", " "])))
    }
  }

  @Test func rightFormatsParse() {
    var grammar = Self.grammar
    repeatedly(2_000) {
      let format = grammar.predicate(depth: 3)
      #expect(check(format), "\(format)")
    }
  }

  /// What real code writes, for mutations to begin from.
  private static let real = [
    "%K == %@", "title BEGINSWITH[cd] %@ AND order > %d", "ANY tags.name IN %@", "NOT (self IN %@)",
    "SUBQUERY(tags, $e, $e.name == 'Swift').@count == 0", "(%K & %d) != 0", "name == nil",
    "a == 1 OR (b != 'x' && c BETWEEN {1, 2})", "SELF MATCHES '^[a-z]+$'", "%K.@count == 0",
    "FUNCTION($manager, 'entity', 'a').name == \"x\"", "tags[SIZE] > 2 AND tags[FIRST].name == 'a'",
    "CAST(CAST(now(), 'NSNumber') - 7257600, 'NSDate') <= date", "TERNARY(a == 1, b, c) == 2 ** 3",
    "distanceToLocation:fromLocation:(location, %@) < 100", "FETCH($request, $context, NO)[0] == a",
  ]

  @Test func mutationsOfRealFormatsParseOrSayWhere() {
    var grammar = Self.grammar
    repeatedly(5_000) {
      var scalars = Array(grammar.pick(Self.real).unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &grammar.generator) { grammar.mutate(&scalars) }
      var format = ""
      format.unicodeScalars.append(contentsOf: scalars)
      _ = check(format)
    }
  }

  /// Whether the format parses; what it says has to survive printing then.
  private func check(_ format: String) -> Bool {
    let start = Self.processorTime
    defer { #expect(Self.processorTime - start < Self.patience, "\(format) takes too long") }
    do throws(PredicateFormatError) {
      let predicate = try PredicateParser.parse(
        format: format, arguments: Self.arguments(of: format))
      let text = predicate.printedFormat
      let again = try PredicateParser.parse(format: text)
      #expect(again.printedFormat == text, "\(format)")
      #expect(again.isEqual(predicate) && again.hash == predicate.hash, "\(format)")
      return true
    } catch {
      #expect((0...format.unicodeScalars.count).contains(error.position), "\(format)")
      #expect(error.format == format, "\(format) prints \(error.format), which does not parse")
      return false
    }
  }

  /// A number or a key for each conversion, by its letter; those in quotes are too many, which does
  /// no harm at the end.
  private static func arguments(of format: String) -> [Any?] {
    var arguments: [Any?] = []
    var isQuoted: Character?
    var last: Character = " "
    for character in format {
      if let quote = isQuoted {
        if character == quote, last != "\\" { isQuoted = nil }
      } else if character == "'" || character == "\"" {
        isQuoted = character
      } else if last == "%" {
        arguments.append("K@".contains(character) ? "key" : 7)
      }
      last = last == "\\" ? " " : character
    }
    return arguments + Array(repeating: "key", count: 4)
  }
}

extension FormatGrammar {
  /// Drops, doubles, moves or inserts something somewhere.
  fileprivate mutating func mutate(_ scalars: inout [Unicode.Scalar]) {
    let place = Int.random(in: 0...scalars.count, using: &generator)
    let end = min(scalars.count, place + Int.random(in: 1...6, using: &generator))
    switch Int.random(in: 0...3, using: &generator) {
    case 0: scalars.removeSubrange(place..<end)
    case 1: scalars.insert(contentsOf: scalars[place..<end], at: place)
    case 2:
      let moved = Array(scalars[place..<end])
      scalars.removeSubrange(place..<end)
      scalars.insert(
        contentsOf: moved, at: Int.random(in: 0...scalars.count, using: &generator))
    default:
      let pieces = [
        " AND ", "(", ")", "'", "\"", "%@", "[", "]", ".", "$", "#", "\\", "==", "NOT ", "é",
      ]
      scalars.insert(contentsOf: Array(pick(pieces).unicodeScalars), at: place)
    }
  }
}
