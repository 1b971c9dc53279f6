import Foundation
import KeyValueCoding

/// An operator with its options, applied to two values. Work that depends only on a constant right
/// side is done once, in `init`.
struct Comparison {
  typealias Operator = NSComparisonPredicate.Operator

  private let type: Operator
  private let options: NSComparisonPredicate.Options
  private let selector: String?
  private let nilRule: NilRule
  /// Whether a side is the literal nil, so that the comparison tests for nil.
  private let comparesWithNil: Bool
  fileprivate let matcher: StringMatcher?
  private let members: Set<TypedValue>?
  private let numberText: NumberText

  init(_ comparison: NSComparisonPredicate, nilRule: NilRule) {
    type = comparison.predicateOperatorType
    options = comparison.options
    selector = comparison.customSelectorName
    self.nilRule = nilRule
    let right = comparison.rightExpression
    comparesWithNil = comparison.leftExpression.isNilConstant || right.isNilConstant
    matcher = Self.matcher(type, right: right, options: options)
    numberText = NumberText(comparison, nilRule: nilRule)
    members =
      type == .in && options.foldsNothing ? right.constantMembers.map(numberText.adding(to:)) : nil
  }

  private static func matcher(
    _ type: Operator, right: NSExpression, options: NSComparisonPredicate.Options
  ) -> StringMatcher? {
    guard let operation = StringMatcher.Operation(type),
      case .constant(let value) = right.content, let pattern = value as? String
    else { return nil }
    return StringMatcher(operation, pattern: pattern, options: options)
  }

  func callAsFunction(_ left: TypedValue, _ right: TypedValue) throws -> Truth {
    if nilRule == .sql, !comparesWithNil, left.isNull || right.isNull || hasNilBound(right) {
      return .unknown
    }
    if nilRule.computesAsSQL { return Truth(try holds(left.inSQL, right.inSQL)) }
    return Truth(try holds(left, right))
  }

  private func hasNilBound(_ bounds: TypedValue) -> Bool {
    guard type == .between, case .collection(let collection) = bounds else { return false }
    return collection.elements.contains { TypedValue($0).isNull }
  }

  private func holds(_ left: TypedValue, _ right: TypedValue) throws -> Bool {
    switch type {
    case .equalTo: isEqual(numberText(.left, left, right), numberText(.right, right, left))
    case .notEqualTo: !isEqual(numberText(.left, left, right), numberText(.right, right, left))
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      try isOrdered(
        numberText.number(.left, value: left, other: right),
        numberText.number(.right, value: right, other: left))
    case .between: try isBetween(left, bounds: right)
    case .in: try isMember(left, of: right)
    case .contains: try contains(left, right)
    case .beginsWith, .endsWith, .like, .matches: try matches(left, right)
    case .customSelector: try answersSelector(left, right)
    }
  }

  private func isEqual(_ left: TypedValue, _ right: TypedValue) -> Bool {
    guard !options.foldsNothing, case .string(let left) = left, case .string(let right) = right
    else { return left == right }
    // Equality has no regular expression that could fail.
    if let matcher, type == .equalTo || type == .notEqualTo {
      return (try? matcher.matches(left)) == true
    }
    return StringFolding(options).order(left, right) == .orderedSame
  }

  /// Returns whether the order holds. Nil has no order to values; two nils are equal.
  private func isOrdered(_ left: TypedValue, _ right: TypedValue) throws -> Bool {
    if left.isNull || right.isNull {
      return left.isNull && right.isNull
        && (type == .lessThanOrEqualTo || type == .greaterThanOrEqualTo)
    }
    guard let order = try order(left, right) else { return false }
    switch type {
    case .lessThan: return order == .orderedAscending
    case .lessThanOrEqualTo: return order != .orderedDescending
    case .greaterThan: return order == .orderedDescending
    default: return order != .orderedAscending
    }
  }

  /// The order of two values; nil if one is NaN.
  private func order(_ left: TypedValue, _ right: TypedValue) throws -> ComparisonResult? {
    if case .string(let left) = left, case .string(let right) = right, !options.foldsNothing {
      return StringFolding(options).order(left, right)
    }
    if let order = left.order(to: right) { return order }
    if left.number != nil, right.number != nil { return nil }
    throw PredicateEvaluationError(
      "\(left.kindName) cannot be compared with \(right.kindName) by \(spelling).")
  }

  private var spelling: String { ComparisonSpelling.spellingsByOperator[type] ?? "\(type)" }

  private func isBetween(_ value: TypedValue, bounds: TypedValue) throws -> Bool {
    guard case .collection(let collection) = bounds, collection.count == 2 else {
      throw PredicateEvaluationError(
        "BETWEEN needs a collection of two bounds on its right, not \(bounds.kindName).")
    }
    let bounds = collection.elements.map {
      numberText.number(.right, value: TypedValue($0), other: value)
    }
    let value = numberText.number(.left, value: value, other: bounds[0])
    if value.isNull || bounds[0].isNull || bounds[1].isNull { return false }
    guard let lower = try order(bounds[0], value), let upper = try order(value, bounds[1]) else {
      return false
    }
    return lower != .orderedDescending && upper != .orderedDescending
  }

  private func isMember(_ value: TypedValue, of right: TypedValue) throws -> Bool {
    if value.isNull || right.isNull { return false }
    if let members { return members.contains(value) }
    switch (value, right) {
    case (.string(let part), .string(let text)):
      return try StringMatcher(.contains, pattern: part, options: options).matches(text)
    case (_, .collection(let collection)): return has(collection, side: .right, value: value)
    default: throw notACollection(right)
    }
  }

  private func contains(_ left: TypedValue, _ right: TypedValue) throws -> Bool {
    if left.isNull || right.isNull { return false }
    switch (left, right) {
    case (.string, .string), (.hashable, .string): return try matches(left, right)
    case (.collection(let collection), _): return has(collection, side: .left, value: right)
    default: throw notACollection(left)
    }
  }

  private func has(
    _ collection: ElementCollection, side: NumberText.Side, value: TypedValue
  ) -> Bool {
    collection.elements.contains {
      let element = TypedValue($0)
      return isEqual(
        numberText(side, element, value), numberText(side.other, value, element))
    }
  }

  private func notACollection(_ value: TypedValue) -> PredicateEvaluationError {
    PredicateEvaluationError(
      "Can't use in/contains operator with \(value.kindName) (not a collection)")
  }

  private func matches(_ left: TypedValue, _ right: TypedValue) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard let text = left.searchedText, case .string(let pattern) = right,
      let operation = StringMatcher.Operation(type)
    else {
      throw PredicateEvaluationError(
        "\(spelling) needs strings, not \(left.kindName) and \(right.kindName).")
    }
    return try (matcher ?? StringMatcher(operation, pattern: pattern, options: options))
      .matches(text)
  }

  private func answersSelector(_ left: TypedValue, _ right: TypedValue) throws -> Bool {
    if left.isNull {
      throw PredicateEvaluationError(
        "nil does not answer the selector \(selector ?? "") of a comparison.")
    }
    return TypedValue(try Message.send(selector ?? "", to: left.any, arguments: [right.any]))
      == .integer(1)
  }
}

/// A comparison with a constant on its right. Compares a number with a number, and text with a
/// pattern, without the conversions that other values need.
final class ConstantComparison {
  private let comparison: Comparison
  private let constant: TypedValue
  private let type: NSComparisonPredicate.Operator
  /// The constant as an integer, for the most frequent comparisons; nil for others.
  private let integer: Int64?
  // Unretained `comparison.matcher`, to save reference counting per value; `comparison` keeps it
  // alive.
  private let matcher: Unmanaged<StringMatcher>?

  /// Returns nil if the right side is not a constant.
  init?(_ predicate: NSComparisonPredicate, comparison: Comparison) {
    guard case .constant(let value) = predicate.rightExpression.content else { return nil }
    self.comparison = comparison
    constant = TypedValue(value)
    type = predicate.predicateOperatorType
    switch type {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      if case .integer(let number) = constant { integer = number } else { integer = nil }
      matcher = nil
    case .beginsWith, .endsWith, .contains, .like, .matches:
      integer = nil
      // Unretained: `comparison` keeps the matcher alive.
      matcher = comparison.matcher.map(Unmanaged.passUnretained)
    default: (integer, matcher) = (nil, nil)
    }
  }

  func truth(of value: TypedValue) throws -> Truth {
    switch value {
    case .integer(let number):
      if let integer { return Truth(holds(number, integer)) }
    case .string(let text):
      if let matcher { return Truth(try matcher._withUnsafeGuaranteedRef { try $0.matches(text) }) }
    default: break
    }
    return try comparison(value, constant)
  }

  private func holds(_ left: Int64, _ right: Int64) -> Bool {
    switch type {
    case .equalTo: left == right
    case .notEqualTo: left != right
    case .lessThan: left < right
    case .lessThanOrEqualTo: left <= right
    case .greaterThan: left > right
    default: left >= right
    }
  }
}

extension TypedValue {
  /// The text for string operators: a string, or the text of a URL.
  fileprivate var searchedText: String? {
    switch self {
    case .string(let text): text
    case .hashable(let value): (value.base as? URL)?.absoluteString
    default: nil
    }
  }
}

extension NSExpression {
  fileprivate var isNilConstant: Bool {
    if case .constant(let value) = content { TypedValue(value).isNull } else { false }
  }

  /// The members of a constant collection or an aggregate of constants, for lookup in one step. Nil
  /// if the identity of a member may still change.
  fileprivate var constantMembers: Set<TypedValue>? {
    guard let members = constants?.map({ TypedValue($0) }),
      members.allSatisfy(\.isIdentitySettled)
    else { return nil }
    return Set(members)
  }

  private var constants: [Any?]? {
    switch content {
    case .constant(let value):
      guard case .collection(let collection) = TypedValue(value) else { return nil }
      return Array(collection.elements)
    case .aggregate(let elements):
      var values: [Any?] = []
      for element in elements {
        guard case .constant(let value) = element.content else { return nil }
        values.append(value)
      }
      return values
    default: return nil
    }
  }
}

extension TypedValue {
  fileprivate var isIdentitySettled: Bool {
    guard case .object(let object) = self else { return true }
    return (object as? any ComparedByIdentity)?.isIdentitySettled ?? true
  }
}
