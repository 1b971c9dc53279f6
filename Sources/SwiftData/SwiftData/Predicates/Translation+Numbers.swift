import CoreData
import Foundation

extension PredicateTranslation {
  fileprivate mutating func call(
    _ function: String, of type: Any.Type, arguments: [any PredicateExpression]
  ) throws -> Term {
    try Term.checkSign(of: type)
    let terms = try arguments.map { try term($0) }
    return Term(
      .scalar(NSExpression(content: .function(function, try terms.map { try $0.value() }))),
      isNil: .or(terms.map(\.isNil)))
  }
}

extension Term {
  /// Throws for unsigned 64-bit types. A column stores the signed number with equal bits, which
  /// compares equal correctly but sorts and divides differently.
  static func checkSign(of type: Any.Type) throws {
    let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
    if wrapped == UInt64.self || wrapped == UInt.self { throw Untranslatable("an unsigned number") }
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    switch op {
    case .add: try translation.call("add:to:", of: Output.self, arguments: [lhs, rhs])
    case .subtract: try translation.call("from:subtract:", of: Output.self, arguments: [lhs, rhs])
    case .multiply: try translation.call("multiply:by:", of: Output.self, arguments: [lhs, rhs])
    @unknown default: throw Untranslatable(self)
    }
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("divide:by:", of: Output.self, arguments: [lhs, rhs])
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("divide:by:", of: Output.self, arguments: [lhs, rhs])
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.call("modulus:by:", of: Output.self, arguments: [lhs, rhs])
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
