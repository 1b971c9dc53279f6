import Foundation
import KeyValueCoding

/// Functions of several numbers, given one by one or as one collection.
extension PredicateFunction {
  static let aggregates: [PredicateFunction] = [
    aggregate("sum:") { try CollectionOperator.sum.combine($0) },
    aggregate("count:") { NSNumber(value: $0.count) },
    aggregate("min:") { try CollectionOperator.minimum.combine($0) },
    aggregate("max:") { try CollectionOperator.maximum.combine($0) },
    aggregate("average:") { try CollectionOperator.average.combine($0) },
    aggregate("median:") { try median($0) },
    aggregate("mode:") { mode($0) },
    aggregate("stddev:") { try standardDeviation($0) },
  ]

  private static func aggregate(
    _ name: String, body: @escaping @Sendable ([Any]) throws -> Any?
  ) -> PredicateFunction {
    PredicateFunction(name) { arguments, _ in TypedValue(try body(elements(of: arguments))) }
  }

  /// The values to combine, without nil.
  private static func elements(of arguments: [TypedValue]) -> [Any] {
    if arguments.count == 1, case .collection(let collection) = arguments[0] {
      return collection.elements.filter { !($0 is NSNull) }
    }
    return arguments.compactMap(\.any)
  }

  private static func doubles(_ values: [Any], name: String) throws -> [Double] {
    try values.map { try number(TypedValue($0), name: name).doubleValue }
  }

  private static func median(_ values: [Any]) throws -> NSNumber? {
    let sorted = try doubles(values, name: "median:").sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    let isOdd = sorted.count % 2 == 1
    return NSNumber(value: isOdd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
  }

  /// The most frequent values, in the order of appearance.
  private static func mode(_ values: [Any]) -> [Any] {
    var counts: [TypedValue: Int] = [:]
    for value in values { counts[TypedValue(value), default: 0] += 1 }
    let most = counts.values.max()
    var seen: Set<TypedValue> = []
    return values.filter { counts[TypedValue($0)] == most && seen.insert(TypedValue($0)).inserted }
  }

  /// The standard deviation of the whole population.
  private static func standardDeviation(_ values: [Any]) throws -> NSNumber? {
    let numbers = try doubles(values, name: "stddev:")
    guard !numbers.isEmpty else { return nil }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.map { ($0 - mean) * ($0 - mean) }
    return NSNumber(value: (squares.reduce(0, +) / Double(numbers.count)).squareRoot())
  }
}
