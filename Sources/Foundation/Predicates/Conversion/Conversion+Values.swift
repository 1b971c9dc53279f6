import Foundation

extension PredicateConversion {
  /// Returns whether the type is that of a to-many relationship.
  static func isMembers(_ type: Any.Type) -> Bool {
    func holdsObjects<Members: Collection>(_ type: Members.Type) -> Bool {
      Members.Element.self is AnyClass
    }
    guard let members = type as? any Collection.Type else { return false }
    return holdsObjects(members)
  }

  fileprivate mutating func call(
    _ function: String, arguments: [any PredicateExpression]
  ) throws -> ConvertedExpression {
    .expression(
      NSExpression(content: .function(function, try arguments.map { try convert($0).expression })))
  }
}

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    switch op {
    case .add: try conversion.call("add:to:", arguments: [lhs, rhs])
    case .subtract: try conversion.call("from:subtract:", arguments: [lhs, rhs])
    case .multiply: try conversion.call("multiply:by:", arguments: [lhs, rhs])
    @unknown default: throw PredicateConversionError.unsupported(self)
    }
  }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.call("divide:by:", arguments: [lhs, rhs])
  }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.call("divide:by:", arguments: [lhs, rhs])
  }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.call("modulus:by:", arguments: [lhs, rhs])
  }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let zero = NSExpression(forConstantValue: 0)
    let value = try conversion.convert(wrapped).expression
    return .expression(NSExpression(content: .function("from:subtract:", [zero, value])))
  }
}

// MARK: - Optionals

/// `a?.b`, and `if let` whose body is the transformation.
extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let owner = try conversion.convert(wrapped).expression
    var result = try conversion.convert(transform, where: variable.key, is: owner)
    // A to-many relationship is never nil.
    if case .predicate = result.meaning, !PredicateConversion.isMembers(Wrapped.self) {
      let exists = ConvertedExpression.exists(owner)
      result.exists =
        result.exists.map { CompoundPredicate(andPredicateWithSubpredicates: [exists, $0]) }
        ?? exists
    }
    return result
  }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
  /// Unwraps like `?`: in a fetch, nil is not an error.
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.convert(inner)
  }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let value = try conversion.convert(lhs)
    let other = try conversion.convert(rhs)
    guard case .predicate(let predicate) = value.meaning else {
      let expression = value.expression
      return .expression(
        NSExpression(
          forConditional: ConvertedExpression.exists(expression), trueExpression: expression,
          falseExpression: other.expression))
    }
    guard let exists = value.exists else { return .predicate(predicate) }
    let whole = CompoundPredicate(andPredicateWithSubpredicates: [exists, predicate])
    if other.isFalse { return .predicate(whole) }
    let missing = CompoundPredicate(andPredicateWithSubpredicates: [
      CompoundPredicate(notPredicateWithSubpredicate: exists), other.predicate,
    ])
    return .predicate(CompoundPredicate(orPredicateWithSubpredicates: [whole, missing]))
  }
}

extension ConvertedExpression {
  fileprivate var isFalse: Bool {
    guard case .expression(let expression) = meaning, case .constant(let value) = expression.content
    else { return false }
    return value as? Bool == false
  }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let test = try conversion.convert(test).predicate
    let first = try conversion.convert(trueBranch)
    let second = try conversion.convert(falseBranch)
    guard Output.self == Bool.self else {
      return .expression(
        NSExpression(
          forConditional: test, trueExpression: first.expression,
          falseExpression: second.expression))
    }
    return .predicate(
      CompoundPredicate(orPredicateWithSubpredicates: [
        CompoundPredicate(andPredicateWithSubpredicates: [test, first.predicate]),
        CompoundPredicate(andPredicateWithSubpredicates: [
          CompoundPredicate(notPredicateWithSubpredicate: test), second.predicate,
        ]),
      ]))
  }
}

extension PredicateExpressions.ForceCast: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.convert(input)
  }
}
