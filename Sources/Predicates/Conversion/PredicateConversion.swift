import Foundation
import KeyValueCoding

/// Turns Foundation's `Predicate` and `Expression` into predicates and expressions of this language, by
/// walking their trees.
///
/// | Swift | here |
/// |---|---|
/// | `$0.author?.name == x` | `author.name == x` |
/// | `$0.tags.contains { $0.name == x }` | `SUBQUERY(tags, $v1, $v1.name == x).@count > 0` |
/// | `$0.tags.filter { … }.count`, `$0.tags.isEmpty` | `SUBQUERY(…).@count`, `tags.@count == 0` |
/// | `a ?? b`, `c ? a : b` | `TERNARY(a != nil, a, b)`, `TERNARY(c, a, b)` |
///
/// Throws ``PredicateConversionError`` for what has no counterpart. A comparison with nil then means what it
/// means to the predicate that comes out, not what it means in Swift.
package struct PredicateConversion {
  /// The name of a key path of one property; nil when there is none.
  package typealias Naming = (AnyKeyPath) -> String?

  let name: Naming
  private var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
  private var variableCount = 0

  /// - Parameter name: what names key paths of a model's objects.
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

  /// Converts a part in which a variable stands for an expression.
  mutating func convert(
    _ part: any PredicateExpression, where variable: PredicateExpressions.VariableID,
    is value: NSExpression
  ) throws -> ConvertedExpression {
    variables[variable] = value
    defer { variables[variable] = nil }
    return try convert(part)
  }

  /// `SUBQUERY(sequence, $v, test)`
  mutating func subquery(
    _ sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
    _ test: any PredicateExpression, isNegated: Bool = false
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

/// What a part of a Swift predicate is here.
struct ConvertedExpression {
  enum Meaning {
    case expression(NSExpression)
    case predicate(NSPredicate)
  }

  let meaning: Meaning
  /// Without this the value is nil, `a?.isRead` of no `a`.
  var exists: NSPredicate?

  static func expression(_ expression: NSExpression) -> Self {
    .init(meaning: .expression(expression))
  }

  static func predicate(_ predicate: NSPredicate) -> Self { .init(meaning: .predicate(predicate)) }

  /// As a condition, which nil does not satisfy: a value of its own is compared with true.
  var predicate: NSPredicate {
    let condition =
      switch meaning {
      case .predicate(let predicate): predicate
      case .expression(let expression):
        expression.constantTruth
          ?? Self.comparison(expression, .equalTo, NSExpression(forConstantValue: true))
      }
    guard let exists else { return condition }
    return CompoundPredicate(andPredicateWithSubpredicates: [exists, condition])
  }

  /// As a value: a condition is 1 or 0.
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
    _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
    options: NSComparisonPredicate.Options = []
  ) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: left, rightExpression: right, type: type, options: options)
  }

  /// `expression != nil`
  static func exists(_ expression: NSExpression) -> NSPredicate {
    comparison(expression, .notEqualTo, NSExpression(forConstantValue: nil))
  }

  /// `collection.@count`
  static func count(_ collection: NSExpression) -> NSExpression {
    switch collection.content {
    case .keyPath(let path, let start): NSExpression(content: .keyPath("\(path).@count", of: start))
    default: NSExpression(content: .keyPath("@count", of: collection))
    }
  }
}

extension NSExpression {
  /// A constant of Bool as a predicate.
  fileprivate var constantTruth: NSPredicate? {
    guard case .constant(let value) = content, let truth = value as? Bool else { return nil }
    return NSPredicate(value: truth)
  }
}

/// A part of a Swift predicate that has no counterpart in this language.
public struct PredicateConversionError: Error, CustomStringConvertible, LocalizedError {
  /// Which part, and why.
  public let description: String

  init(_ part: String) {
    description = "A Swift predicate cannot be converted to an NSPredicate: it has \(part)."
  }

  public var errorDescription: String? { description }

  static func unsupported(_ expression: any PredicateExpression) -> Self {
    let name = "\(type(of: expression))".prefix { $0 != "<" }
    return .init("the operator \(name), which has no counterpart")
  }
}
