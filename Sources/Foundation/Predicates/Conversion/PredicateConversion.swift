import Foundation
import KeyValueCoding

/// Converts Foundation's `Predicate` and `Expression` to predicates and expressions of the
/// predicate language, by walking their trees.
///
/// | Swift | predicate language |
/// |---|---|
/// | `$0.author?.name == x` | `author.name == x` |
/// | `$0.tags.contains { $0.name == x }` | `SUBQUERY(tags, $v1, $v1.name == x).@count > 0` |
/// | `$0.tags.filter { … }.count`, `$0.tags.isEmpty` | `SUBQUERY(…).@count`, `tags.@count == 0` |
/// | `a ?? b`, `c ? a : b` | `TERNARY(a != nil, a, b)`, `TERNARY(c, a, b)` |
///
/// Throws ``PredicateConversionError`` for parts without a counterpart. Comparisons with nil follow
/// the rules of the resulting predicate, not those of Swift.
package struct PredicateConversion {
  /// Returns the name of a key path with one property; nil if there is none.
  package typealias Naming = (AnyKeyPath) -> String?

  let name: Naming
  private var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
  private var variableCount = 0

  /// Makes a conversion.
  ///
  /// - Parameter name: names the key paths of a model's objects.
  package init(naming name: @escaping Naming = KeyPathName.name) { self.name = name }

  package mutating func predicate<each Input>(
    _ predicate: Predicate<repeat each Input>
  ) throws -> NSPredicate {
    for id in repeat (each predicate.variable).key {
      variables[id] = NSExpression.expressionForEvaluatedObject()
    }
    return try convert(predicate.expression).predicate
  }

  package mutating func expression<each Input, Output>(
    _ expression: Foundation.Expression<repeat each Input, Output>
  ) throws -> NSExpression {
    for id in repeat (each expression.variable).key {
      variables[id] = NSExpression.expressionForEvaluatedObject()
    }
    return try convert(expression.expression).expression
  }

  mutating func convert(_ expression: any PredicateExpression) throws -> ConvertedExpression {
    guard let convertible = expression as? any ConvertibleExpression else {
      throw PredicateConversionError.unsupported(expression)
    }
    return try convertible.converted(by: &self)
  }

  // MARK: - Variables

  func value(of variable: PredicateExpressions.VariableID) throws -> NSExpression {
    guard let value = variables[variable] else {
      throw PredicateConversionError("a variable of another predicate")
    }
    return value
  }

  /// Converts a part with an expression in place of a variable.
  mutating func convert(
    _ part: any PredicateExpression, where variable: PredicateExpressions.VariableID,
    is value: NSExpression
  ) throws -> ConvertedExpression {
    variables[variable] = value
    defer { variables[variable] = nil }
    return try convert(part)
  }

  /// Makes `SUBQUERY(sequence, $v, test)`.
  mutating func subquery(
    _ sequence: any PredicateExpression, variable: PredicateExpressions.VariableID,
    test: any PredicateExpression, isNegated: Bool = false
  ) throws -> NSExpression {
    let collection = try convert(sequence).expression
    variableCount += 1
    let name = "v\(variableCount)"
    let found = try convert(test, where: variable, is: NSExpression(forVariable: name)).predicate
    return NSExpression(
      forSubquery: collection, usingIteratorVariable: name,
      predicate: isNegated ? CompoundPredicate(notPredicateWithSubpredicate: found) : found)
  }
}

/// The result of converting a part of a Swift predicate.
struct ConvertedExpression {
  enum Meaning {
    case expression(NSExpression)
    case predicate(NSPredicate)
  }

  let meaning: Meaning
  /// The condition for the value not to be nil: `a != nil` for `a?.isRead`. Nil if the value is
  /// never nil.
  var exists: NSPredicate?

  static func expression(_ expression: NSExpression) -> Self {
    .init(meaning: .expression(expression))
  }

  static func predicate(_ predicate: NSPredicate) -> Self { .init(meaning: .predicate(predicate)) }

  /// The result as a condition. Nil does not satisfy it; an expression is compared with true.
  var predicate: NSPredicate {
    let condition =
      switch meaning {
      case .predicate(let predicate): predicate
      case .expression(let expression):
        expression.constantTruth
          ?? Self.comparison(
            expression, type: .equalTo, right: NSExpression(forConstantValue: true))
      }
    guard let exists else { return condition }
    return CompoundPredicate(andPredicateWithSubpredicates: [exists, condition])
  }

  /// The result as a value: a condition gives 1 or 0.
  var expression: NSExpression {
    switch meaning {
    case .expression(let expression): return expression
    case .predicate(let predicate):
      let truth = NSExpression(
        forConditional: predicate, trueExpression: NSExpression(forConstantValue: true),
        falseExpression: NSExpression(forConstantValue: false))
      guard let exists else { return truth }
      return NSExpression(
        forConditional: exists, trueExpression: truth,
        falseExpression: NSExpression(forConstantValue: nil))
    }
  }

  static func comparison(
    _ left: NSExpression, type: NSComparisonPredicate.Operator, right: NSExpression,
    options: NSComparisonPredicate.Options = []
  ) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: left, rightExpression: right, type: type, options: options)
  }

  /// Makes `expression != nil`.
  static func exists(_ expression: NSExpression) -> NSPredicate {
    comparison(expression, type: .notEqualTo, right: NSExpression(forConstantValue: nil))
  }

  /// Makes `collection.@count`.
  static func count(_ collection: NSExpression) -> NSExpression {
    switch collection.content {
    case .keyPath(let path, let start): NSExpression(content: .keyPath("\(path).@count", of: start))
    default: NSExpression(content: .keyPath("@count", of: collection))
    }
  }
}

extension NSExpression {
  /// A Boolean constant as a predicate; nil for other expressions.
  fileprivate var constantTruth: NSPredicate? {
    guard case .constant(let value) = content, let truth = value as? Bool else { return nil }
    return NSPredicate(value: truth)
  }
}

/// The error for a part of a Swift predicate that has no counterpart in the predicate language.
public struct PredicateConversionError: Error, CustomStringConvertible, LocalizedError {
  /// The unsupported part and the reason.
  public let description: String

  init(_ part: String) {
    description = "A Swift predicate cannot be converted to an NSPredicate: it has \(part)."
  }

  /// The description.
  public var errorDescription: String? { description }

  static func unsupported(_ expression: any PredicateExpression) -> Self {
    let name = "\(type(of: expression))".prefix { $0 != "<" }
    return .init("the operator \(name), which has no counterpart")
  }
}
