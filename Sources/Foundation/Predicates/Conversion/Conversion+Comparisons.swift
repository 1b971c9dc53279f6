import Foundation

private typealias Operator = NSComparisonPredicate.Operator

extension PredicateConversion {
  fileprivate mutating func compare(
    _ left: any PredicateExpression, type: Operator, right: any PredicateExpression
  ) throws -> ConvertedExpression {
    if let order = left as? any OrderOfStrings {
      return try .predicate(order.compared(try Self.order(type, result: right), by: &self))
    }
    let (left, right) = (try convert(left), try convert(right))
    if let truth = Self.truth(left, type: type, constant: right)
      ?? Self.truth(right, type: type, constant: left)
    {
      return .predicate(truth)
    }
    return .predicate(
      ConvertedExpression.comparison(left.expression, type: type, right: right.expression))
  }

  /// The operator equivalent to a comparison with a `ComparisonResult`, such as
  /// `text.caseInsensitiveCompare(other) == .orderedAscending`.
  private static func order(
    _ type: Operator, result: any PredicateExpression
  ) throws -> Operator {
    guard let value = result as? PredicateExpressions.Value<ComparisonResult>,
      let order = orders[value.value]?[type]
    else { throw PredicateConversionError("an order of strings that is compared so") }
    return order
  }

  private static let orders: [ComparisonResult: [Operator: Operator]] = [
    .orderedSame: [.equalTo: .equalTo, .notEqualTo: .notEqualTo],
    .orderedAscending: [.equalTo: .lessThan, .notEqualTo: .greaterThanOrEqualTo],
    .orderedDescending: [.equalTo: .greaterThan, .notEqualTo: .lessThanOrEqualTo],
  ]

  /// A condition that is compared with true or false, such as `($0.author?.isLocal) == true`; nil
  /// for other comparisons.
  private static func truth(
    _ condition: ConvertedExpression, type: Operator, constant: ConvertedExpression
  ) -> NSPredicate? {
    guard case .predicate(let predicate) = condition.meaning,
      type == .equalTo || type == .notEqualTo,
      case .expression(let expression) = constant.meaning,
      case .constant(let value) = expression.content, let truth = value as? Bool
    else { return nil }
    let holds = truth == (type == .equalTo)
    let isWanted = holds ? predicate : CompoundPredicate(notPredicateWithSubpredicate: predicate)
    guard let exists = condition.exists else { return isWanted }
    if type == .equalTo {
      return CompoundPredicate(andPredicateWithSubpredicates: [exists, isWanted])
    }
    // Nil equals neither true nor false.
    return CompoundPredicate(orPredicateWithSubpredicates: [
      CompoundPredicate(notPredicateWithSubpredicate: exists), isWanted,
    ])
  }

  fileprivate mutating func join(
    _ type: NSCompoundPredicate.LogicalType, parts: [any PredicateExpression]
  ) throws -> ConvertedExpression {
    let predicates = try parts.map { try convert($0).predicate }
    return .predicate(CompoundPredicate(type: type, subpredicates: predicates))
  }
}

extension PredicateExpressions.Equal: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.compare(lhs, type: .equalTo, right: rhs)
  }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.compare(lhs, type: .notEqualTo, right: rhs)
  }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let type: Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      @unknown default: throw PredicateConversionError.unsupported(self)
      }
    return try conversion.compare(lhs, type: type, right: rhs)
  }
}

extension PredicateExpressions.Conjunction: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.join(.and, parts: [lhs, rhs])
  }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.join(.or, parts: [lhs, rhs])
  }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.join(.not, parts: [wrapped])
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    throw PredicateConversionError("a range that is used otherwise than by contains(_:)")
  }
}

extension PredicateExpressions.ClosedRange: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    throw PredicateConversionError("a range that is used otherwise than by contains(_:)")
  }
}

/// The bounds of a range that a predicate builds or captures.
private struct Bounds {
  var lower: NSExpression?
  var upper: NSExpression?
  var includesUpper = false
}

private protocol BoundedExpression {
  func bounds(_ conversion: inout PredicateConversion) throws -> Bounds
}

extension PredicateExpressions.Range: BoundedExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> Bounds {
    Bounds(
      lower: try conversion.convert(lower).expression,
      upper: try conversion.convert(upper).expression)
  }
}

extension PredicateExpressions.ClosedRange: BoundedExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> Bounds {
    Bounds(
      lower: try conversion.convert(lower).expression,
      upper: try conversion.convert(upper).expression, includesUpper: true)
  }
}

extension PredicateExpressions.Value: BoundedExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> Bounds {
    guard let range = value as? any CapturedRange else {
      throw PredicateConversionError("a range of type \(type(of: value))")
    }
    return try range.bounds()
  }
}

private protocol CapturedRange {
  func bounds() throws -> Bounds
}

private func constant(_ value: Any) throws -> NSExpression {
  NSExpression(forConstantValue: try CapturedValue.constant(value))
}

extension Range: CapturedRange {
  fileprivate func bounds() throws -> Bounds {
    Bounds(lower: try constant(lowerBound), upper: try constant(upperBound))
  }
}

extension ClosedRange: CapturedRange {
  fileprivate func bounds() throws -> Bounds {
    Bounds(lower: try constant(lowerBound), upper: try constant(upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: CapturedRange {
  fileprivate func bounds() throws -> Bounds { Bounds(lower: try constant(lowerBound)) }
}

extension PartialRangeUpTo: CapturedRange {
  fileprivate func bounds() throws -> Bounds { Bounds(upper: try constant(upperBound)) }
}

extension PartialRangeThrough: CapturedRange {
  fileprivate func bounds() throws -> Bounds {
    Bounds(upper: try constant(upperBound), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard let range = range as? any BoundedExpression else {
      throw PredicateConversionError.unsupported(self)
    }
    let bounds = try range.bounds(&conversion)
    let element = try conversion.convert(element).expression
    if bounds.includesUpper, let lower = bounds.lower, let upper = bounds.upper {
      return .predicate(
        ConvertedExpression.comparison(
          element, type: .between, right: NSExpression(forAggregate: [lower, upper])))
    }
    let parts = [
      bounds.lower.map {
        ConvertedExpression.comparison(element, type: .greaterThanOrEqualTo, right: $0)
      },
      bounds.upper.map {
        ConvertedExpression.comparison(
          element, type: bounds.includesUpper ? .lessThanOrEqualTo : .lessThan, right: $0)
      },
    ].compactMap(\.self)
    return .predicate(
      parts.count == 1 ? parts[0] : CompoundPredicate(andPredicateWithSubpredicates: parts))
  }
}
