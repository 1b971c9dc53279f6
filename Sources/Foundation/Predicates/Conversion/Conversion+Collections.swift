import Foundation

private typealias Converted = ConvertedExpression

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let sequence = try conversion.convert(sequence).expression
    let element = try conversion.convert(element).expression
    return .predicate(
      LHS.Output.self is any StringProtocol.Type
        ? Converted.comparison(sequence, type: .contains, right: element)
        : Converted.comparison(element, type: .in, right: sequence))
  }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let found = try conversion.subquery(sequence, variable: variable.key, test: test)
    return .predicate(
      Converted.comparison(
        Converted.count(found), type: .greaterThan, right: NSExpression(forConstantValue: 0)))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let others = try conversion.subquery(
      sequence, variable: variable.key, test: test, isNegated: true)
    return .predicate(
      Converted.comparison(
        Converted.count(others), type: .equalTo, right: NSExpression(forConstantValue: 0)))
  }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.subquery(sequence, variable: variable.key, test: filter))
  }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(
      NSExpression(content: .function("min:", [try conversion.convert(elements).expression])))
  }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(
      NSExpression(content: .function("max:", [try conversion.convert(elements).expression])))
  }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(
      NSExpression(
        content: .element(
          of: try conversion.convert(wrapped).expression,
          at: try conversion.convert(index).expression)))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(
      NSExpression(
        content: .element(
          of: try conversion.convert(wrapped).expression, at: try conversion.convert(key).expression
        )))
  }
}

// MARK: - Strings

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateConversionError.unsupported(self)
    }
    return .predicate(
      Converted.comparison(
        try conversion.convert(base).expression, type: .contains,
        right: try conversion.convert(other).expression
      ))
  }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateConversionError.unsupported(self)
    }
    return .predicate(
      Converted.comparison(
        try conversion.convert(base).expression, type: .beginsWith,
        right: try conversion.convert(prefix).expression))
  }
}
