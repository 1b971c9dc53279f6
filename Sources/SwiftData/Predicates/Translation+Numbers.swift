import CoreData
import Foundation

extension PredicateTranslation {
  fileprivate mutating func call(
    _ function: String, _ arguments: [any PredicateExpression]
  ) throws -> Term {
    let terms = try arguments.map { try term($0) }
    return Term(
      .scalar(NSExpression(content: .function(function, try terms.map { try $0.value() }))),
      isNil: .or(terms.map(\.isNil)))
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    switch op {
    case .add: try translation.call("add:to:", [lhs, rhs])
    case .subtract: try translation.call("from:subtract:", [lhs, rhs])
    case .multiply: try translation.call("multiply:by:", [lhs, rhs])
    @unknown default: throw Untranslatable(self)
    }
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("divide:by:", [lhs, rhs])
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("divide:by:", [lhs, rhs])
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("modulus:by:", [lhs, rhs])
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let value = try translation.term(wrapped)
    let zero = NSExpression(forConstantValue: 0)
    return Term(
      .scalar(NSExpression(content: .function("from:subtract:", [zero, try value.value()]))),
      isNil: value.isNil)
  }
}
