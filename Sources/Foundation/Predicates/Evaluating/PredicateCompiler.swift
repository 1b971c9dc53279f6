import Foundation
import KeyValueCoding

/// Compiles predicates to closures.
struct PredicateCompiler {
  typealias Compute = (Evaluation) throws -> TypedValue
  typealias Test = CompiledPredicate.Test

  let nilRule: NilRule
  let reader: KeyPathReader
  /// Evaluates FETCH instead of the context that the expression names; nil if there is none.
  var fetching: (any PredicateFetching)?

  /// The maximum nesting of a predicate, since closures call each other to that depth. Evaluating a
  /// deeper one throws. A chain of one connective counts as one level.
  static let deepest = 2_500

  /// The test of a whole predicate.
  func wholeTest(of predicate: NSPredicate) -> Test {
    if predicate.nestingDepth <= Self.deepest { return test(of: predicate) }
    let flat = predicate.withoutChains
    if flat.nestingDepth <= Self.deepest { return test(of: flat) }
    return { _ in throw Self.tooDeep }
  }

  /// The value of a whole expression.
  func wholeCompute(_ expression: NSExpression) -> Compute {
    expression.depth <= Self.deepest ? compute(expression) : { _ in throw Self.tooDeep }
  }

  private static let tooDeep = PredicateEvaluationError(
    "A predicate that is nested deeper than \(deepest) levels cannot be evaluated.")

  func test(of predicate: NSPredicate) -> Test {
    switch predicate {
    case let comparison as NSComparisonPredicate: return test(of: comparison)
    case let compound as Foundation.NSCompoundPredicate: return test(of: compound)
    default:
      return {
        Truth(predicate.evaluate(with: $0.object, substitutionVariables: $0.bindings))
      }
    }
  }

  private func test(of compound: Foundation.NSCompoundPredicate) -> Test {
    let tests = compound.subpredicates.map(test)
    switch compound.compoundPredicateType {
    case .not: return { try tests[0]($0).negated }
    case .and where tests.count == 2:
      // The most frequent count. Iterating over an array would retain each test.
      let (first, second) = (tests[0], tests[1])
      return { evaluation in
        let truth = try first(evaluation)
        return truth == .false ? .false : min(truth, try second(evaluation))
      }
    case .and:
      return { try Self.strongest(tests, evaluation: $0, from: .true, until: .false, combine: min) }
    case .or:
      return { try Self.strongest(tests, evaluation: $0, from: .false, until: .true, combine: max) }
    }
  }

  /// The least (AND) or greatest (OR) truth; stops at the first one that decides the result.
  private static func strongest(
    _ tests: [Test], evaluation: Evaluation, from start: Truth, until end: Truth,
    combine: (Truth, Truth) -> Truth
  ) throws -> Truth {
    var result = start
    for test in tests {
      result = combine(result, try test(evaluation))
      if result == end { break }
    }
    return result
  }

  private func test(of comparison: NSComparisonPredicate) -> Test {
    let left = compute(comparison.leftExpression)
    let right = compute(comparison.rightExpression)
    let compare = Comparison(comparison, nilRule: nilRule)
    switch comparison.comparisonPredicateModifier {
    case .direct:
      if let constant = ConstantComparison(comparison, comparison: compare) {
        return { try constant.truth(of: try left($0)) }
      }
      return { try compare(try left($0), try right($0)) }
    case .any, .all:
      let isOne = isOneValue(comparison.leftExpression)
      let isAll = comparison.comparisonPredicateModifier == .all
      return { evaluation in
        let (left, operand) = (try left(evaluation), try right(evaluation))
        if try isOne(evaluation, left) { return try compare(left, operand) }
        let elements = try Self.elements(left)
        return Truth(
          isAll
            ? try elements.allSatisfy { try compare($0, operand) == .true }
            : try elements.contains { try compare($0, operand) == .true })
      }
    }
  }

  /// Makes a test whether ANY and ALL have one value to compare, at the end of a path of to-one
  /// relationships. That value is compared as it would be without them, as in SQL. For nil, only
  /// the object's layout shows whether it stands for one value or for no members.
  private func isOneValue(
    _ expression: NSExpression
  ) -> (Evaluation, TypedValue) throws -> Bool {
    // A constant must be a collection.
    if expression.isConstant { return { _, _ in false } }
    guard case .keyPath(let path, let operand) = expression.content else {
      return { _, value in !value.isNull && !value.isCollection }
    }
    let owner = operand.map { $0.expressionType == .evaluatedObject ? nil : compute($0) } ?? nil
    return { evaluation, value in
      guard value.isNull else { return !value.isCollection }
      let object = try owner.map { try $0(evaluation).any } ?? evaluation.object
      return (object as? any RelatedObject)?.leadsToOneValue(path) ?? false
    }
  }

  /// The values that ANY and ALL compare. A path over two to-many relationships gives sets of sets,
  /// which are flattened.
  private static func elements(_ value: TypedValue) throws -> [TypedValue] {
    switch value {
    case .null: return []
    case .collection(let collection):
      return try collection.elements.flatMap { element in
        let value = TypedValue(element)
        guard case .collection(let inner) = value, inner.kind == .set || inner.kind == .orderedSet
        else { return [value] }
        return try elements(value)
      }
    default:
      throw PredicateEvaluationError(
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet,"
          + " not \(value.kindName).")
    }
  }
}

extension TypedValue {
  fileprivate var isCollection: Bool { if case .collection = self { true } else { false } }
}
