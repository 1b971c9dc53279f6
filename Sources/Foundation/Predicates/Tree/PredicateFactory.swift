import Foundation
import KeyValueCoding

/// Adds Apple's initialisers and methods to Foundation's `NSPredicate`. Initialisers of a protocol
/// extension can return an instance of a subclass; those of a class cannot.
public protocol PredicateFactory {}

extension NSPredicate: PredicateFactory {}

extension PredicateFactory where Self: NSPredicate {
  /// Parses a predicate from a format, with arguments for `%@` and the like.
  ///
  /// Traps if the format cannot be parsed, with the position and the reason; Apple's raises
  /// `NSInvalidArgumentException`. ``PredicateParser/parse(format:arguments:)`` throws instead.
  public init(format predicateFormat: String, _ arguments: Any?...) {
    self = parsed(predicateFormat, arguments: arguments)
  }

  /// Parses a predicate from a format, with the arguments in an array; numbers may be `NSNumber` or
  /// Swift's. Traps if the format cannot be parsed.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = parsed(predicateFormat, arguments: (arguments ?? []).map { $0 })
  }

  init(format predicateFormat: String, values: [Any?]) {
    self = parsed(predicateFormat, arguments: values)
  }

  /// The predicate with constants in place of `$variables`. Variables without a value stay.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let result = DeepStack.run(depth: nestingDepth) {
      Substitution(variables: variables).predicate(self)
    }
    return result as? Self ?? self
  }

  /// Does nothing: decoded predicates are not restricted on this platform.
  public func allowEvaluation() {}
}

private func parsed<Predicate: NSPredicate>(_ format: String, arguments: [Any?]) -> Predicate {
  let predicate = trapping { try PredicateParser.parse(format: format, arguments: arguments) }
  guard let result = predicate as? Predicate else {
    fatalError("\(Predicate.self)(format: \"\(format)\"): the format says a \(type(of: predicate))")
  }
  return result
}

extension NSExpression {
  /// Parses an expression from a format, with arguments for `%@` and the like. Traps if the format
  /// cannot be parsed.
  public convenience init(format expressionFormat: String, _ arguments: Any?...) {
    let parsed = trapping {
      try PredicateParser.parse(expressionFormat: expressionFormat, arguments: arguments)
    }
    self.init(content: parsed.content)
  }

  /// Parses an expression from a format, with the arguments in an array. Traps if the format cannot
  /// be parsed.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
    let parsed = trapping {
      try PredicateParser.parse(
        expressionFormat: expressionFormat, arguments: arguments.map { $0 })
    }
    self.init(content: parsed.content)
  }
}
