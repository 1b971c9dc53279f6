import Foundation
import KeyValueCoding

/// Gives Foundation's `NSPredicate` the initialisers and methods that Apple's has: an initialiser
/// of a protocol extension may return an instance of a subclass, which a class's own may not.
public protocol PredicateFactory {}

extension NSPredicate: PredicateFactory {}

extension PredicateFactory where Self: NSPredicate {
  /// The predicate that a format says, `%@` and the like replaced by arguments.
  ///
  /// Traps, as Apple's raises `NSInvalidArgumentException`, when the format cannot be parsed; the
  /// text says where and what was expected. ``PredicateParser/parse(format:arguments:)`` throws
  /// instead.
  public init(format predicateFormat: String, _ arguments: Any?...) {
    self = parsed(predicateFormat, arguments)
  }

  /// The same with the arguments in an array, numbers as `NSNumber` or as Swift's.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = parsed(predicateFormat, (arguments ?? []).map { $0 })
  }

  init(format predicateFormat: String, values: [Any?]) { self = parsed(predicateFormat, values) }

  /// The predicate with constants in place of `$variables`; those without a value stay.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let result = DeepStack.run(depth: nestingDepth) {
      Substitution(variables: variables).predicate(self)
    }
    return result as? Self ?? self
  }

  /// Has no effect: nothing here restricts the evaluation of decoded predicates.
  public func allowEvaluation() {}
}

private func parsed<Predicate: NSPredicate>(_ format: String, _ arguments: [Any?]) -> Predicate {
  let predicate = trapping { try PredicateParser.parse(format: format, arguments: arguments) }
  guard let result = predicate as? Predicate else {
    fatalError("\(Predicate.self)(format: \"\(format)\"): the format says a \(type(of: predicate))")
  }
  return result
}

extension NSExpression {
  /// The expression that a format says; traps when it cannot be parsed.
  public convenience init(format expressionFormat: String, _ arguments: Any?...) {
    let parsed = trapping {
      try PredicateParser.parse(expressionFormat: expressionFormat, arguments: arguments)
    }
    self.init(content: parsed.content)
  }

  /// The same with the arguments in an array.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
    let parsed = trapping {
      try PredicateParser.parse(
        expressionFormat: expressionFormat, arguments: arguments.map { $0 })
    }
    self.init(content: parsed.content)
  }
}
