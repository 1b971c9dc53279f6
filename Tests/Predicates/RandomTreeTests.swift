import Foundation
import Predicates
import Testing
import TestSupport

/// Trees built at random, printed, parsed and compared, as archives are; and evaluated, which may throw but not
/// trap.
@Suite struct RandomTreeTests {
  private let object: [String: Any] = [
    "a": 1, "b": "text", "c": ["d": 2.5, "e": [1, 2, 3]], "items": [["price": 1], ["price": 2]],
  ]

  /// One seed that is always the same and one of its own for each run; `TREE_SEED` names another.
  private static let seeds =
    ProcessInfo.processInfo.environment["TREE_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? [1, UInt64.random(in: 0...UInt64.max)]

  @Test(arguments: seeds)
  func printedTreesParseToEqualOnes(_ seed: UInt64) throws {
    print("RandomTreeTests: seed \(seed)")
    var trees = RandomTrees(generator: SplitMix64(seed: seed))
    for _ in 0..<3_000 {
      let tree = trees.predicate(depth: 4)
      let text = tree.printedFormat
      let parsed = try PredicateParser.parse(format: text, arguments: [], flattens: false)
      #expect(parsed.printedFormat == text)
      #expect(parsed == tree && parsed.hash == tree.hash, "\(text)")
      // Most trees compare what has no order: here it only matters that the program goes on.
      _ = try? CompiledPredicate(tree).matches(value: object, variables: ["v": 1])
    }
  }
}

private struct RandomTrees {
  typealias Comparison = Predicates.NSComparisonPredicate
  typealias Expression = Predicates.NSExpression

  var generator: SplitMix64

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  mutating func predicate(depth: Int) -> NSPredicate {
    if depth == 0 || pick([true, false]) { return comparison(depth: depth) }
    let (first, second) = (predicate(depth: depth - 1), predicate(depth: depth - 1))
    switch pick([0, 1, 2]) {
    case 0: return CompoundPredicate(notPredicateWithSubpredicate: first)
    case 1: return CompoundPredicate(andPredicateWithSubpredicates: [first, second])
    default: return CompoundPredicate(orPredicateWithSubpredicates: [first, second, first])
    }
  }

  private mutating func comparison(depth: Int) -> NSPredicate {
    let types = Comparison.Operator.allCases.filter { $0 != .customSelector }
    return Comparison(
      leftExpression: expression(depth: depth), rightExpression: expression(depth: depth),
      modifier: pick([.direct, .direct, .any, .all]), type: pick(types),
      options: pick([
        [], [], [.caseInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized],
      ]))
  }

  private mutating func expression(depth: Int) -> Expression {
    if depth == 0 || pick([true, false]) { return leaf() }
    let (first, second) = (expression(depth: depth - 1), expression(depth: depth - 1))
    switch pick(Array(0...7)) {
    case 0, 1:
      let names = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
        "bitwiseAnd:with:",
        "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
      ]
      return Expression(forFunction: pick(names), arguments: [first, second])
    case 2:
      return Expression(
        forFunction: pick(["sum:", "max:", "modulus:by:"]), arguments: [first, second])
    case 3: return Expression(forAggregate: [first, second])
    case 4: return Expression(forUnionSet: first, with: second)
    case 5:
      return Expression(
        forSubquery: Expression(forKeyPath: "items"), usingIteratorVariable: "x",
        predicate: predicate(depth: depth - 1))
    case 6:
      return Expression(
        forConditional: predicate(depth: depth - 1), trueExpression: first, falseExpression: second)
    default: return Expression(forFunction: "objectFrom:withIndex:", arguments: [first, second])
    }
  }

  private mutating func leaf() -> Expression {
    switch pick(Array(0...6)) {
    case 0:
      Expression(forKeyPath: pick(["a", "b", "c.d", "c.e", "items.@sum.price", "size", "any.in"]))
    case 1: Expression(forConstantValue: pick([0, 1, -3, 42, Int.max, Int.min]))
    case 2: Expression(forConstantValue: pick([0.5, -2.25, 1e20, 1e-9, 3.0]))
    case 3:
      Expression(forConstantValue: pick(["", "text", "q\"uote", "back\\slash\\?", "e\u{301}😂\n"]))
    case 4: Expression(forVariable: "v")
    case 5: pick([Expression.expressionForEvaluatedObject(), Expression(forConstantValue: nil)])
    default: Expression(forConstantValue: Date(timeIntervalSinceReferenceDate: 500.5))
    }
  }
}
