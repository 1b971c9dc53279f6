import CoreData
import Foundation

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    if let order = lhs as? any OrderOfStrings {
      return try order.compared(isEqual: true, to: rhs, by: &translation)
    }
    return Term(
      try translation.term(lhs).equals(try translation.term(rhs), isText: isText(LHS.Output.self)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    if let order = lhs as? any OrderOfStrings {
      return try order.compared(isEqual: false, to: rhs, by: &translation)
    }
    let (left, right) = (try translation.term(lhs), try translation.term(rhs))
    let isText = isText(LHS.Output.self)
    let isEqual = try left.equals(right, isText: isText)
    if isEqual.isExact || !isText { return Term(!isEqual) }
    // Strings that differ in Swift also differ by their scalars.
    let differs = Condition.comparison(
      try left.value(), type: .notEqualTo, right: try right.value())
    let both = left.isNil && right.isNil
    return Term(
      !both && (left.isNil || right.isNil || Condition(differs.predicate, isExact: false)))
  }
}

private func isText(_ type: any Any.Type) -> Bool {
  let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
  return wrapped is any StringProtocol.Type
}

extension Term {
  /// Equality as in Swift: nil equals nil.
  func equals(_ other: Term, isText: Bool) throws -> Condition {
    if case .null = content { return other.isNil }
    if case .null = other.content { return isNil }
    let same = !isNil && !other.isNil && (try sameValue(as: other, isText))
    return (isNil && other.isNil) || same
  }

  private func sameValue(as other: Term, _ isText: Bool) throws -> Condition {
    switch (content, other.content) {
    case (.condition(let left), .condition(let right)): return Self.same(left, right)
    case (.condition(let condition), .scalar(let value)),
      (.scalar(let value), .condition(let condition)):
      let truth = NSExpression(forConstantValue: condition.constant ?? true)
      let isTrue = Condition.comparison(value, type: .equalTo, right: truth)
      return condition.constant == nil ? Self.same(condition, isTrue) : isTrue
    case (.enumeration(let owner, _, let form), .constant(let value)),
      (.constant(let value), .enumeration(let owner, _, let form)):
      if case .cases = form.storage { return try Self.isCase(form, value: value, of: owner) }
    case (.enumeration(let left, _, let form), .enumeration(let right, _, _)):
      if case .cases(let names) = form.storage {
        return .or(
          names.map { name in
            !.isNil(left.appending(name)) && !.isNil(right.appending(name))
          })
      }
    case (.identifier, .constant), (.constant, .identifier): return .no  // Unknown identifier.
    default: break
    }
    let (left, right) = (try value(), try other.value())
    return isText ? try sameText(as: other) : .comparison(left, type: .equalTo, right: right)
  }

  private static func same(_ left: Condition, _ right: Condition) -> Condition {
    if let constant = right.constant { return constant ? left : !left }
    if let constant = left.constant { return constant ? right : !right }
    return (left && right) || (!left && !right)
  }

  private static func isCase(
    _ form: EnumerationForm, value: Any, of owner: NSExpression
  ) throws -> Condition {
    guard let name = form.boxed(value) as? String else { throw Untranslatable("a case") }
    return !.isNil(owner.appending(name))
  }

  private func sameText(as other: Term) throws -> Condition {
    if case .constant(let value) = content { return try other.sameText(as: TextPattern(value)) }
    if case .constant(let value) = other.content { return try sameText(as: TextPattern(value)) }
    // Equal strings are also equal when case and normalisation are ignored.
    return .comparison(
      try value(), type: .equalTo, right: try other.value(), options: .caseInsensitive,
      isExact: false)
  }

  private func sameText(as pattern: TextPattern) throws -> Condition {
    let text = try value()
    guard let forms = pattern.equalStrings else {
      return .comparison(
        text, type: .equalTo, right: pattern.expression, options: .caseInsensitive, isExact: false)
    }
    if forms.count == 1 { return .comparison(text, type: .equalTo, right: pattern.expression) }
    return .comparison(text, type: .in, right: NSExpression(forConstantValue: forms))
  }
}

/// A captured string that the strings of a column are compared with.
///
/// Swift compares strings by canonical equivalence, a store by scalars.
struct TextPattern {
  let text: String

  init(_ value: Any) throws {
    guard let text = try Term.boxed(value) as? String else { throw Untranslatable("a string") }
    self.text = text
  }

  var expression: NSExpression { NSExpression(forConstantValue: text) }

  /// All strings that are canonically equivalent to `text`; nil if there may be too many.
  var equalStrings: [String]? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard text.utf8.count(where: { Self.twins[$0] != nil }) <= 3 else { return nil }
    return text.unicodeScalars.reduce([""]) { forms, scalar in
      let own = forms.map { $0 + String(scalar) }
      guard let twin = Self.twins[UInt8(scalar.value)] else { return own }
      return own + forms.map { $0 + twin }
    }
  }

  /// The non-ASCII scalars that are canonically equivalent to an ASCII one: the Kelvin sign, the
  /// Greek question mark and the grave accent.
  private static let twins: [UInt8: String] = [
    0x4B: "\u{212A}", 0x3B: "\u{37E}", 0x60: "\u{1FEF}",
  ]

  /// Options of a search that finds at least every match that Swift finds.
  var searchOptions: NSComparisonPredicate.Options {
    equalStrings?.count == 1 ? [] : .caseInsensitive
  }
}

// MARK: - Order

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try Term.checkSign(of: LHS.Output.self)
    let type: NSComparisonPredicate.Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      @unknown default: throw Untranslatable(self)
      }
    return Term(try translation.term(lhs).ordered(type, other: try translation.term(rhs)))
  }
}

extension Term {
  /// Ordered comparison. Nil is neither less nor greater; strings compare by their scalars.
  func ordered(_ type: NSComparisonPredicate.Operator, other: Term) throws -> Condition {
    !isNil && !other.isNil
      && .comparison(try orderedValue(), type: type, right: try other.orderedValue())
  }

  /// The term as an ordered column value. Throws for an enumeration, whose order is not that of its
  /// raw values.
  private func orderedValue() throws -> NSExpression {
    switch content {
    case .scalar, .condition: return try value()
    case .constant(let value) where value is any ColumnValue: return try self.value()
    default: throw Untranslatable("an order of its own")
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try Term.checkSign(of: Element.Output.self)
    let bounds = try bounds(&translation)
    let element = try translation.term(element)
    var parts: [Condition] = []
    if let lower = bounds.lower {
      parts.append(try element.ordered(.greaterThanOrEqualTo, other: lower))
    }
    if let upper = bounds.upper {
      parts.append(
        try element.ordered(bounds.includesUpper ? .lessThanOrEqualTo : .lessThan, other: upper))
    }
    return Term(.and(parts))
  }

  private func bounds(_ translation: inout PredicateTranslation) throws -> Bounds {
    if let range = range as? any BoundedExpression { return try range.bounds(&translation) }
    guard case .constant(let value) = try translation.term(range).content,
      let range = value as? any CapturedRange
    else { throw Untranslatable(self) }
    return range.bounds
  }
}

/// The bounds of a range that a predicate builds or captures.
private struct Bounds {
  var lower: Term?
  var upper: Term?
  var includesUpper = false
}

private protocol BoundedExpression {
  func bounds(_ translation: inout PredicateTranslation) throws -> Bounds
}

extension PredicateExpressions.Range: BoundedExpression {
  fileprivate func bounds(_ translation: inout PredicateTranslation) throws -> Bounds {
    Bounds(lower: try translation.term(lower), upper: try translation.term(upper))
  }
}

extension PredicateExpressions.ClosedRange: BoundedExpression {
  fileprivate func bounds(_ translation: inout PredicateTranslation) throws -> Bounds {
    Bounds(
      lower: try translation.term(lower), upper: try translation.term(upper), includesUpper: true)
  }
}

private protocol CapturedRange {
  var bounds: Bounds { get }
}

extension Range: CapturedRange {
  fileprivate var bounds: Bounds {
    Bounds(lower: Term(constant: lowerBound), upper: Term(constant: upperBound))
  }
}

extension ClosedRange: CapturedRange {
  fileprivate var bounds: Bounds {
    Bounds(
      lower: Term(constant: lowerBound), upper: Term(constant: upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: CapturedRange {
  fileprivate var bounds: Bounds { Bounds(lower: Term(constant: lowerBound)) }
}

extension PartialRangeUpTo: CapturedRange {
  fileprivate var bounds: Bounds { Bounds(upper: Term(constant: upperBound)) }
}

extension PartialRangeThrough: CapturedRange {
  fileprivate var bounds: Bounds { Bounds(upper: Term(constant: upperBound), includesUpper: true) }
}
