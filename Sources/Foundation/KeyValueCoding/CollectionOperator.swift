import Foundation

/// The key path operators that work on all elements of a collection. The names are Apple's ("Using
/// Collection Operators").
package enum CollectionOperator: String, CaseIterable, Sendable {
  case count, sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets

  /// Applies the operator to a collection; the rest of the path is read from each element. Nil for
  /// nil and for `NSNull`.
  func value(of object: Any?, rest: ArraySlice<ValuePath.Step>) throws -> Any? {
    guard let object, !(object is NSNull) else { return nil }
    guard let collection = ElementCollection(object) else {
      throw KeyValueCodingError.unsuitableValues(
        operator: rawValue, reason: "\(TypedValue(object).kindName) is no collection")
    }
    if self == .count, rest.isEmpty { return NSNumber(value: collection.count) }
    let values = try collection.elements.compactMap { try ValuePath.value(of: $0, steps: rest) }
    return try combine(values.filter { !($0 is NSNull) })
  }

  /// Combines values that were already read; predicates call it for functions of the same names.
  package func combine(_ values: [Any]) throws -> Any? {
    switch self {
    case .count: return NSNumber(value: values.count)
    case .sum: return try sum(values).typedValue.any
    case .average: return try average(values)
    case .minimum: return try extreme(values, direction: .orderedAscending)
    case .maximum: return try extreme(values, direction: .orderedDescending)
    case .unionOfObjects: return values
    case .distinctUnionOfObjects: return distinct(values)
    case .unionOfArrays: return try flattened(values)
    case .distinctUnionOfArrays: return distinct(try flattened(values))
    case .unionOfSets, .distinctUnionOfSets:
      return ElementCollection(distinct: try flattened(values), kind: .set)
    }
  }

  private func sum(_ values: [Any]) throws -> Number {
    let numbers = try values.map(number)
    return Number.wholeSum(of: numbers) ?? numbers.reduce(.integer(0), +)
  }

  /// The average; decimal if the sum is, otherwise double. 0 for no values.
  private func average(_ values: [Any]) throws -> NSNumber {
    guard !values.isEmpty else { return NSNumber(value: 0) }
    let sum = try sum(values)
    if case .decimal(let sum) = sum { return NSDecimalNumber(decimal: sum / Decimal(values.count)) }
    return NSNumber(value: sum.doubleValue / Double(values.count))
  }

  private func number(_ value: Any) throws -> Number {
    if let number = TypedValue(value).number { return number }
    throw KeyValueCodingError.unsuitableValues(
      operator: rawValue, reason: "\(TypedValue(value).kindName) among the values is no number")
  }

  /// The first value that no other one precedes in the given direction; nil for no values.
  private func extreme(_ values: [Any], direction: ComparisonResult) throws -> Any? {
    var best: Any?
    for value in values {
      if let known = best, try order(value, known) != direction { continue }
      best = value
    }
    return best
  }

  private func order(_ left: Any, _ right: Any) throws -> ComparisonResult {
    let (left, right) = (TypedValue(left), TypedValue(right))
    if let order = left.order(to: right) { return order }
    throw KeyValueCodingError.unsuitableValues(
      operator: rawValue, reason: "\(left.kindName) cannot be ordered against \(right.kindName)")
  }

  private func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<TypedValue> = []
    return values.filter { seen.insert(TypedValue($0)).inserted }
  }

  private func flattened(_ values: [Any]) throws -> [Any] {
    try values.flatMap { value in
      guard let collection = ElementCollection(value) else {
        throw KeyValueCodingError.unsuitableValues(
          operator: rawValue, reason: "\(TypedValue(value).kindName) is no collection")
      }
      return collection.elements
    }
  }
}
