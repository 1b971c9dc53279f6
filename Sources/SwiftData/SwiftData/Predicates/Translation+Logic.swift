import CoreData
import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(try translation.condition(lhs) && (try translation.condition(rhs)))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(try translation.condition(lhs) || (try translation.condition(rhs)))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(!(try translation.condition(wrapped)))
  }
}

/// `test ? a : b`, and `if` with `else`.
extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let test = try translation.condition(test)
    if Output.self == Bool.self {
      let first = try translation.condition(trueBranch)
      let second = try translation.condition(falseBranch)
      return Term((test && first) || (!test && second))
    }
    return try Term.either(
      test.exactly(), first: try translation.term(trueBranch),
      second: try translation.term(falseBranch))
  }
}

extension Term {
  /// The term of `test ? first : second`.
  static func either(_ test: Condition, first: Term, second: Term) throws -> Term {
    if let constant = test.constant { return constant ? first : second }
    let isNil = (test && first.isNil) || (!test && second.isNil)
    if case .condition(let left) = first.content, case .condition(let right) = second.content {
      return Term(.condition((test && left) || (!test && right)), isNil: isNil)
    }
    let value = NSExpression(
      forConditional: test.predicate, trueExpression: try first.value(),
      falseExpression: try second.value())
    switch (first.content, second.content) {
    case (.object(_, let type, let declared), .object(_, let other, _)) where type === other:
      return Term(.object(value, type, declared: declared), isNil: isNil)
    case (.identifier, _), (_, .identifier): return Term(.identifier(value), isNil: isNil)
    case (.object, _), (_, .object): throw Untranslatable("a choice of models")
    default: return Term(.scalar(value), isNil: isNil)
    }
  }
}

// MARK: - Optionals

/// `a?.b`, and `if let` with its body as the transformation.
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let owner = try translation.term(wrapped)
    if case .null = owner.content { return Term(.null, isNil: .yes) }
    let value = Term(owner.content)
    var result = try translation.with(variable, as: value) { translation in
      // A condition unknown to the store must not lose the test for nil.
      Result.self == Bool.self
        ? Term(try translation.condition(transform)) : try translation.term(transform)
    }
    result.isNil = owner.isNil || (!owner.isNil && result.isNil)
    return result
  }
}

extension PredicateTranslation {
  fileprivate mutating func with<V>(
    _ variable: PredicateExpressions.Variable<V>, as value: Term,
    body: (inout PredicateTranslation) throws -> Term
  ) rethrows -> Term {
    try with(variable.key, as: value, body: body)
  }
}

/// A force unwrap of nil makes no match, as `?` would.
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.term(inner)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let value = try translation.term(lhs)
    if value.isNil.constant == false { return value }
    let whole = Term(value.content)
    if Output.self == Bool.self {
      let other = try translation.condition(rhs)
      let condition = try whole.condition()
      return Term((value.isNil && other) || (!value.isNil && condition))
    }
    let other = try translation.term(rhs)
    return try Term.either(value.isNil.exactly(), first: other, second: whole)
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(.null, isNil: .yes)
  }
}
