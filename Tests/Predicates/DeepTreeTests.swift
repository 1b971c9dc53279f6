import Foundation
import Predicates
import Testing

/// Trees that a program builds in a loop, deeper than any thread's stack.
@Suite struct DeepTreeTests {
  #if THREAD_SANITIZER
    // It notes 65,536 calls within one another, and no more.
    private static let levels = 4_000
  #else
    private static let levels = 20_000
  #endif

  private static func negations(of value: Int) -> NSPredicate {
    (0..<levels).reduce(NSPredicate(format: "a == %d", value)) { inner, _ in
      CompoundPredicate(notPredicateWithSubpredicate: inner)
    }
  }

  private static func chain(_ type: CompoundPredicate.LogicalType) -> NSPredicate {
    (0..<levels).reduce(NSPredicate(format: "a == 1")) { inner, number in
      CompoundPredicate(type: type, subpredicates: [inner, NSPredicate(format: "b == %d", number)])
    }
  }

  /// AND and OR by turns, which nothing can flatten.
  private static var alternating: NSPredicate {
    (0..<levels).reduce(NSPredicate(format: "a == 1")) { inner, number in
      CompoundPredicate(
        type: number % 2 == 0 ? .and : .or, subpredicates: [inner, NSPredicate(format: "b == 2")])
    }
  }

  private static var sum: Predicates.NSExpression {
    (0..<levels).reduce(Predicates.NSExpression(forKeyPath: "a")) { inner, _ in
      Predicates.NSExpression(
        forFunction: "add:to:",
        arguments: [inner, Predicates.NSExpression(forConstantValue: 1)])
    }
  }

  @Test func deepTreesPrint() {
    let text = Self.negations(of: 1).printedFormat
    #expect(text.utf8.count == Self.levels * "NOT ()".count - "()".count + "a == 1".count)
    #expect(Self.sum.description.hasSuffix("+ 1) + 1"))
    #expect(Self.alternating.printedFormat.hasSuffix("OR b == 2"))
  }

  @Test func deepTreesAreComparedAndHashed() {
    let (first, second, other) = (
      Self.negations(of: 1), Self.negations(of: 1), Self.negations(of: 2)
    )
    #expect(first.isEqual(second) && first.hash == second.hash)
    #expect(!first.isEqual(other))
    #expect(Self.sum.isEqual(Self.sum) && Self.sum.hash == Self.sum.hash)
  }

  @Test func deepTreesAreSubstitutedInAndCopied() {
    let inner = NSPredicate(format: "a == $v")
    let deep = (0..<Self.levels).reduce(inner) { inner, _ in
      CompoundPredicate(notPredicateWithSubpredicate: inner)
    }
    #expect(deep.withSubstitutionVariables(["v": 1]).isEqual(Self.negations(of: 1)))
    #expect((deep.copy() as? NSPredicate)?.isEqual(deep) == true)
  }

  @Test func chainsOfOneConnectiveEvaluateHoweverDeep() {
    #expect(Self.chain(.or).evaluate(with: ["a": 1, "b": -1]))
    #expect(Self.chain(.or).evaluate(with: ["a": 2, "b": Self.levels - 1]))
    #expect(!Self.chain(.and).evaluate(with: ["a": 1, "b": 0]))
    #expect(Self.negations(of: 1).evaluate(with: ["a": 1]))
  }

  @Test func othersAreAnErrorThatNamesTheLimit() {
    let error = #expect(throws: PredicateEvaluationError.self) {
      _ = try CompiledPredicate(Self.alternating).matches(value: ["a": 1, "b": 2])
    }
    #expect(error?.description.contains("nested deeper than 2500 levels") == true)
    #expect(throws: PredicateEvaluationError.self) {
      _ = try Self.sum.value(with: ["a": 1], variables: nil)
    }
  }
}
